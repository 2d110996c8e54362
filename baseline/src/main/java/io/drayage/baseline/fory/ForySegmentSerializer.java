package io.drayage.baseline.fory;

import io.drayage.baseline.stream.ArraySegmentSerializer;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.ByteBuffer;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One segment as Fory writes arrays, see {@link ForyArrays}.
 *
 * <p>Fory works on arrays of bytes of its own, and the segment is copied between them and the
 * buffer: in a direct buffer it would write to addresses, and silently go on elsewhere when that is
 * full.
 */
final class ForySegmentSerializer extends ArraySegmentSerializer<MemoryBuffer, MemoryBuffer> {
  /** A buffer that a larger segment has made grow beyond this is not kept. */
  private static final int MAX_KEPT_BYTES = 8 << 20;

  private final ForyArrays arrays = new ForyArrays();
  private MemoryBuffer written = MemoryBuffer.newHeapBuffer(1 << 10);
  private final MemoryBuffer toRead = MemoryBuffer.newHeapBuffer(0);

  @Override
  protected long maxBytes(ColumnType type, int count) {
    return ForyArrays.MAX_OVERHEAD_BYTES + (long) count * type.widthBytes();
  }

  @Override
  protected long maxTextBytes(ColumnValues texts, Segment segment) {
    long bytes = 0;
    for (int i = 0; i < segment.rowCount(); i++) {
      long row = segment.firstRow() + i;
      @Nullable String[] page = (String[]) texts.page(texts.pageOf(row));
      bytes +=
          CargoSize.rawBytes(page[texts.offsetOf(row)])
              - CargoSize.TEXT_LENGTH_BYTES
              + ForyArrays.MAX_TEXT_OVERHEAD_BYTES;
    }
    return bytes;
  }

  @Override
  protected MemoryBuffer writer(ByteBuffer target) {
    written.writerIndex(0);
    return written;
  }

  @Override
  protected void write(MemoryBuffer writer, ColumnType type, Object array) {
    arrays.write(writer, type, array);
  }

  @Override
  protected void finish(MemoryBuffer writer, ByteBuffer target) {
    byte[] bytes = writer.getHeapMemory();
    if (bytes.length > MAX_KEPT_BYTES) {
      written = MemoryBuffer.newHeapBuffer(1 << 10);
    }
    target.put(bytes, 0, writer.writerIndex());
  }

  @Override
  protected MemoryBuffer reader(ByteBuffer source, long maxArrayBytes) {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    toRead.pointTo(bytes, 0, bytes.length);
    toRead.readerIndex(0);
    return toRead;
  }

  @Override
  protected Object read(MemoryBuffer reader, ColumnType type, int count) throws ShipmentException {
    return arrays.read(reader, type, count);
  }

  @Override
  protected boolean hasMore(MemoryBuffer reader, ByteBuffer source) {
    return reader.remaining() > 0;
  }
}
