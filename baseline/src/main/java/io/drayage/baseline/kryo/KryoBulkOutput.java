package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An output that copies arrays into its buffer in bulk, and writes a full buffer to the stream
 * without flushing that: the stream's blocks remain as large as the stream wants them. The bytes
 * are those of Kryo with a fixed length, but every NaN keeps its bits.
 */
final class KryoBulkOutput extends Output {
  private final ByteBuffer bytes;

  KryoBulkOutput(int bufferBytes) {
    super(bufferBytes);
    setVariableLengthEncoding(false);
    bytes = ByteBuffer.wrap(getBuffer()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Hands the buffered bytes on; does not flush the stream below. */
  @Override
  public void flush() {
    try {
      outputStream.write(buffer, 0, position);
    } catch (IOException e) {
      throw new KryoException(e);
    }
    total += position;
    position = 0;
  }

  @Override
  public void writeShorts(short[] array, int offset, int count) {
    for (int done = 0; done < count; ) {
      int batch = batch(count - done, Short.BYTES);
      bytes.position(position).asShortBuffer().put(array, offset + done, batch);
      position += batch * Short.BYTES;
      done += batch;
    }
  }

  @Override
  public void writeInts(int[] array, int offset, int count) {
    for (int done = 0; done < count; ) {
      int batch = batch(count - done, Integer.BYTES);
      bytes.position(position).asIntBuffer().put(array, offset + done, batch);
      position += batch * Integer.BYTES;
      done += batch;
    }
  }

  @Override
  public void writeLongs(long[] array, int offset, int count) {
    for (int done = 0; done < count; ) {
      int batch = batch(count - done, Long.BYTES);
      bytes.position(position).asLongBuffer().put(array, offset + done, batch);
      position += batch * Long.BYTES;
      done += batch;
    }
  }

  @Override
  public void writeFloats(float[] array, int offset, int count) {
    for (int done = 0; done < count; ) {
      int batch = batch(count - done, Float.BYTES);
      bytes.position(position).asFloatBuffer().put(array, offset + done, batch);
      position += batch * Float.BYTES;
      done += batch;
    }
  }

  @Override
  public void writeDoubles(double[] array, int offset, int count) {
    for (int done = 0; done < count; ) {
      int batch = batch(count - done, Double.BYTES);
      bytes.position(position).asDoubleBuffer().put(array, offset + done, batch);
      position += batch * Double.BYTES;
      done += batch;
    }
  }

  /** How many of {@code count} elements fit now; at least one. */
  private int batch(int count, int elementBytes) {
    require(elementBytes);
    return Math.min(count, (capacity - position) / elementBytes);
  }
}
