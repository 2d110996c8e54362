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
    inBatches(
        count,
        Short.BYTES,
        (done, batch) -> bytes.asShortBuffer().put(array, offset + done, batch));
  }

  @Override
  public void writeInts(int[] array, int offset, int count) {
    inBatches(
        count,
        Integer.BYTES,
        (done, batch) -> bytes.asIntBuffer().put(array, offset + done, batch));
  }

  @Override
  public void writeLongs(long[] array, int offset, int count) {
    inBatches(
        count, Long.BYTES, (done, batch) -> bytes.asLongBuffer().put(array, offset + done, batch));
  }

  @Override
  public void writeFloats(float[] array, int offset, int count) {
    inBatches(
        count,
        Float.BYTES,
        (done, batch) -> bytes.asFloatBuffer().put(array, offset + done, batch));
  }

  @Override
  public void writeDoubles(double[] array, int offset, int count) {
    inBatches(
        count,
        Double.BYTES,
        (done, batch) -> bytes.asDoubleBuffer().put(array, offset + done, batch));
  }

  private void inBatches(int count, int elementBytes, KryoBulkInput.BatchCopy copy) {
    for (int done = 0; done < count; ) {
      require(elementBytes);
      int batch = Math.min(count - done, (capacity - position) / elementBytes);
      bytes.position(position);
      copy.elements(done, batch);
      position += batch * elementBytes;
      done += batch;
    }
  }
}
