package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/**
 * {@code kryo}, with Kryo's defaults: a buffer of 4 kB, ints and longs of variable length, arrays
 * written element by element. A full buffer flushes the stream below it.
 */
public final class KryoDefaultSerializer extends KryoSerializer {
  public KryoDefaultSerializer() {
    super(3, "kryo", STUDY_BUFFER_BYTES);
  }

  @Override
  boolean isVariableLength() {
    return true;
  }

  @Override
  Output newOutput(int bytes) {
    return new ExactOutput(bytes);
  }

  @Override
  Input newInput(int bytes) {
    return new Input(bytes);
  }

  /**
   * Kryo's own output, except that a NaN keeps its bits, which Kryo makes canonical. Writes element
   * by element, as Kryo writes an array that exceeds its buffer.
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
