package io.drayage.baseline.fory;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One segment as Fory writes it: one dense array of the column's values and, for a column with
 * validity bits, a {@code long[]} of their words; of a bit set, its words alone. See {@link
 * ForyArrays}.
 *
 * <p>Fory works on arrays of bytes of its own, and the segment is copied between them and the
 * buffer: in a direct buffer it would write to addresses, and silently go on elsewhere when that is
 * full.
 */
final class ForySegmentSerializer implements SegmentSerializer {
  /** A buffer that a larger segment has made grow beyond this is not kept. */
  private static final int MAX_KEPT_BYTES = 8 << 20;

  private final ForyArrays arrays = new ForyArrays();
  private MemoryBuffer written = MemoryBuffer.newHeapBuffer(1 << 10);
  private final MemoryBuffer toRead = MemoryBuffer.newHeapBuffer(0);

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    long wordsBytes =
        ForyArrays.MAX_OVERHEAD_BYTES + (long) SegmentRows.wordCount(segment) * Long.BYTES;
    if (!(content instanceof ColumnValues values)) {
      return Math.toIntExact(wordsBytes);
    }
    long bytes = values.validity() == null ? 0 : wordsBytes;
    bytes +=
        values.type().isFixedWidth()
            ? ForyArrays.MAX_OVERHEAD_BYTES + (long) segment.rowCount() * values.type().widthBytes()
            : maxTextBytes(values, segment);
    return Math.toIntExact(bytes);
  }

  private static long maxTextBytes(ColumnValues values, Segment segment) {
    long bytes = 0;
    for (int i = 0; i < segment.rowCount(); i++) {
      long row = segment.firstRow() + i;
      @Nullable String[] page = (String[]) values.page(values.pageOf(row));
      bytes +=
          CargoSize.rawBytes(page[values.offsetOf(row)])
              - CargoSize.TEXT_LENGTH_BYTES
              + ForyArrays.MAX_TEXT_OVERHEAD_BYTES;
    }
    return bytes;
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    written.writerIndex(0);
    if (content instanceof ColumnValues values) {
      arrays.write(written, values.type(), SegmentRows.dense(values, segment));
      RowBits validity = values.validity();
      if (validity != null) {
        arrays.write(written, ColumnType.LONG, SegmentRows.words(validity, segment));
      }
    } else {
      arrays.write(written, ColumnType.LONG, SegmentRows.words((RowBits) content, segment));
    }
    byte[] bytes = written.getHeapMemory();
    int length = written.writerIndex();
    if (bytes.length > MAX_KEPT_BYTES) {
      written = MemoryBuffer.newHeapBuffer(1 << 10);
    }
    target.put(bytes, 0, length);
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    toRead.pointTo(bytes, 0, bytes.length);
    toRead.readerIndex(0);
    try {
      read(segment, content);
    } catch (ShipmentException | RuntimeException e) {
      throw new ShipmentException(
          Fault.DECODE, "%s cannot be read: %s".formatted(segment, e.getMessage()), e);
    }
  }

  /** Nothing is put into its place before all of it was read. */
  private void read(Segment segment, PartContent content) throws ShipmentException {
    if (!(content instanceof ColumnValues values)) {
      long[] words = readWords(segment);
      requireEnd();
      SegmentRows.putWords(words, (RowBits) content, segment);
      return;
    }
    Object rows = arrays.read(toRead, values.type(), segment.rowCount());
    RowBits validity = values.validity();
    long @Nullable [] words = validity == null ? null : readWords(segment);
    requireEnd();
    SegmentRows.putDense(rows, values, segment);
    if (validity != null && words != null) {
      SegmentRows.putWords(words, validity, segment);
    }
  }

  private long[] readWords(Segment segment) throws ShipmentException {
    return (long[]) arrays.read(toRead, ColumnType.LONG, SegmentRows.wordCount(segment));
  }

  private void requireEnd() throws ShipmentException {
    if (toRead.remaining() > 0) {
      throw new ShipmentException(
          Fault.DECODE, "there are %,d bytes behind the last value".formatted(toRead.remaining()));
    }
  }
}
