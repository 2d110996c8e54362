package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code kryo-tuned}, a configuration as a user would choose it today: a large buffer, arrays of
 * fixed length copied in bulk without {@code Unsafe}, and no flush of the stream below.
 */
public final class KryoTunedSerializer extends KryoSerializer {
  /** The size of a segment. */
  private static final int BUFFER_BYTES = 1 << 20;

  public KryoTunedSerializer() {
    super(5, "kryo-tuned", BUFFER_BYTES);
  }

  /** Returns false: texts are written as their bytes, in bulk. */
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

  /** Creates a serializer that copies pages directly to and from a segment's buffer. */
  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new KryoBulkSegmentSerializer(new KryoSegmentSerializer(this));
  }

  /** Copies the elements of an array that are in the buffer, or fit into it, at once. */
  private interface BatchCopy {
    void elements(int done, int batch);
  }

  /**
   * An output that copies arrays into its buffer in bulk. It writes a full buffer to the stream
   * without flushing the stream, so that the stream determines the size of its blocks. The bytes
   * are those of Kryo with a fixed length, but every NaN keeps its bits.
   */
  private static final class BulkOutput extends Output {
    private final ByteBuffer bytes;

    BulkOutput(int bufferBytes) {
      super(bufferBytes);
      setVariableLengthEncoding(false);
      bytes = ByteBuffer.wrap(getBuffer()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes the buffered bytes to the stream below, but does not flush that stream. */
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

  /** Reads the bytes of {@link BulkOutput}, also in bulk. */
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
