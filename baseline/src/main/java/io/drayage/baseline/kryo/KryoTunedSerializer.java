package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code kryo-tuned}, what a user of today would do: a large buffer, arrays of fixed length copied
 * in bulk without {@code Unsafe}, and nothing flushed but the buffer itself.
 */
public final class KryoTunedSerializer extends KryoSerializer {
  /** As much as a segment. */
  private static final int BUFFER_BYTES = 1 << 20;

  public KryoTunedSerializer() {
    super(5, "kryo-tuned", BUFFER_BYTES);
  }

  /** Texts go as their bytes, in bulk. */
  @Override
  public boolean carriesStrings() {
    return false;
  }

  @Override
  Output newOutput(int bytes) {
    return new BulkOutput(bytes);
  }

  @Override
  Input newInput(int bytes) {
    return new BulkInput(bytes);
  }

  /** Pages are copied to and from a segment's buffer directly. */
  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new KryoBulkSegmentSerializer(new KryoSegmentSerializer(this));
  }

  /** Copies the elements of an array that are in the buffer, or fit into it, at once. */
  private interface BatchCopy {
    void elements(int done, int batch);
  }

  /**
   * An output that copies arrays into its buffer in bulk, and writes a full buffer to the stream
   * without flushing that: the stream's blocks remain as large as the stream wants them. The bytes
   * are those of Kryo with a fixed length, but every NaN keeps its bits.
   */
  private static final class BulkOutput extends Output {
    private final ByteBuffer bytes;

    BulkOutput(int bufferBytes) {
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
          count,
          Long.BYTES,
          (done, batch) -> bytes.asLongBuffer().put(array, offset + done, batch));
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

    private void inBatches(int count, int elementBytes, BatchCopy copy) {
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

  /** Reads what {@link BulkOutput} wrote, in bulk as well. */
  private static final class BulkInput extends Input {
    private final ByteBuffer bytes;

    BulkInput(int bufferBytes) {
      super(bufferBytes);
      setVariableLengthEncoding(false);
      bytes = ByteBuffer.wrap(getBuffer()).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public short[] readShorts(int length) {
      short[] array = new short[length];
      inBatches(
          length, Short.BYTES, (done, batch) -> bytes.asShortBuffer().get(array, done, batch));
      return array;
    }

    @Override
    public int[] readInts(int length) {
      int[] array = new int[length];
      inBatches(
          length, Integer.BYTES, (done, batch) -> bytes.asIntBuffer().get(array, done, batch));
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
      inBatches(
          length, Float.BYTES, (done, batch) -> bytes.asFloatBuffer().get(array, done, batch));
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
  }
}
