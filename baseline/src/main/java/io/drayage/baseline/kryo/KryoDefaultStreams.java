package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/**
 * Kryo's defaults: 4 kB, ints and longs of variable length, element by element. A full buffer
 * flushes the stream below it.
 */
final class KryoDefaultStreams implements KryoStreams {
  /** What {@code new Output(stream)} takes. */
  static final int BUFFER_BYTES = 4_096;

  @Override
  public int bufferBytes() {
    return BUFFER_BYTES;
  }

  @Override
  public boolean isVariableLength() {
    return true;
  }

  @Override
  public Output newOutput(int bufferBytes) {
    return new ExactOutput(bufferBytes);
  }

  @Override
  public Input newInput(int bufferBytes) {
    return new Input(bufferBytes);
  }

  /**
   * Kryo's own output, but for the bits of a NaN, which Kryo makes canonical. Element by element,
   * as Kryo writes an array that exceeds its buffer.
   */
  private static final class ExactOutput extends Output {
    ExactOutput(int bufferBytes) {
      super(bufferBytes);
    }

    @Override
    public void writeFloats(float[] array, int offset, int count) {
      for (int i = offset; i < offset + count; i++) {
        writeInt(Float.floatToRawIntBits(array[i]));
      }
    }

    @Override
    public void writeDoubles(double[] array, int offset, int count) {
      for (int i = offset; i < offset + count; i++) {
        writeLong(Double.doubleToRawLongBits(array[i]));
      }
    }
  }
}
