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
    inBatches(length, Short.BYTES, (done, batch) -> bytes.asShortBuffer().get(array, done, batch));
    return array;
  }

  @Override
  public int[] readInts(int length) {
    int[] array = new int[length];
    inBatches(length, Integer.BYTES, (done, batch) -> bytes.asIntBuffer().get(array, done, batch));
    return array;
  }

  @Override
  public long[] readLongs(int length) {
    long[] array = new long[length];
    inBatches(length, Long.BYTES, (done, batch) -> bytes.asLongBuffer().get(array, done, batch));
    return array;
  }

  @Override
  public float[] readFloats(int length) {
    float[] array = new float[length];
    inBatches(length, Float.BYTES, (done, batch) -> bytes.asFloatBuffer().get(array, done, batch));
    return array;
  }

  @Override
  public double[] readDoubles(int length) {
    double[] array = new double[length];
    inBatches(
        length, Double.BYTES, (done, batch) -> bytes.asDoubleBuffer().get(array, done, batch));
    return array;
  }

  private void inBatches(int length, int elementBytes, BatchCopy copy) {
    for (int done = 0; done < length; ) {
      int batch = Math.min(length - done, require(elementBytes) / elementBytes);
      bytes.position(position);
      copy.elements(done, batch);
      position += batch * elementBytes;
      done += batch;
    }
  }

  /** Copies the elements of an array that are in the buffer, or fit into it, at once. */
  interface BatchCopy {
    void elements(int done, int batch);
  }
}
