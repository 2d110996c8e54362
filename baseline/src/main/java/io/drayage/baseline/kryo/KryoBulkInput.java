package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads what {@link KryoBulkOutput} wrote, in bulk as well. */
final class KryoBulkInput extends Input {
  private final ByteBuffer bytes;

  KryoBulkInput(int bufferBytes) {
    super(bufferBytes);
    setVariableLengthEncoding(false);
    bytes = ByteBuffer.wrap(getBuffer()).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public short[] readShorts(int length) {
    short[] array = new short[length];
    for (int done = 0; done < length; ) {
      int batch = batch(length - done, Short.BYTES);
      bytes.position(position).asShortBuffer().get(array, done, batch);
      position += batch * Short.BYTES;
      done += batch;
    }
    return array;
  }

  @Override
  public int[] readInts(int length) {
    int[] array = new int[length];
    for (int done = 0; done < length; ) {
      int batch = batch(length - done, Integer.BYTES);
      bytes.position(position).asIntBuffer().get(array, done, batch);
      position += batch * Integer.BYTES;
      done += batch;
    }
    return array;
  }

  @Override
  public long[] readLongs(int length) {
    long[] array = new long[length];
    for (int done = 0; done < length; ) {
      int batch = batch(length - done, Long.BYTES);
      bytes.position(position).asLongBuffer().get(array, done, batch);
      position += batch * Long.BYTES;
      done += batch;
    }
    return array;
  }

  @Override
  public float[] readFloats(int length) {
    float[] array = new float[length];
    for (int done = 0; done < length; ) {
      int batch = batch(length - done, Float.BYTES);
      bytes.position(position).asFloatBuffer().get(array, done, batch);
      position += batch * Float.BYTES;
      done += batch;
    }
    return array;
  }

  @Override
  public double[] readDoubles(int length) {
    double[] array = new double[length];
    for (int done = 0; done < length; ) {
      int batch = batch(length - done, Double.BYTES);
      bytes.position(position).asDoubleBuffer().get(array, done, batch);
      position += batch * Double.BYTES;
      done += batch;
    }
    return array;
  }

  /** How many of {@code count} elements are in the buffer now; at least one. */
  private int batch(int count, int elementBytes) {
    return Math.min(count, require(elementBytes) / elementBytes);
  }
}
