package io.drayage.segment;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Scratch memory for one segment at a time, for a sink that does not keep values. Public for
 * authors of a {@link CargoSink}, which receives the calling thread's memory. Not thread-safe.
 */
public final class SegmentScratch {
  private @Nullable ColumnValues values;

  /**
   * Decodes a segment.
   *
   * @param source exactly its serialized bytes
   * @return its rows, from row 0 on, valid until the next call. There may be more rows than the
   *     segment has; their contents mean nothing
   * @throws ShipmentException as the serializer does
   */
  public PartContent decode(Segment segment, ByteBuffer source, SegmentSerializer serializer)
      throws ShipmentException {
    PartContent content = ofRows(segment.part(), segment.rowCount());
    // The segment with row 0 as its first row, where the scratch memory begins.
    Segment atZero = new Segment(segment.index(), segment.part(), 0, segment.rowCount());
    try {
      serializer.deserialize(atZero, source, content);
      return content;
    } catch (ShipmentException e) {
      String message =
          e.getCause() instanceof IllegalTextException text
              ? text.in(segment.part().toString(), segment.firstRow()).getMessage()
              : e.getMessage().replace(atZero.toString(), segment.toString());
      throw new ShipmentException(e.fault(), String.valueOf(message), e);
    }
  }

  /**
   * Returns memory for {@code rows} rows of {@code part}, from row 0 on, valid until the next call.
   * There may be more rows than requested; their contents mean nothing.
   */
  private PartContent ofRows(Part part, int rows) {
    ColumnType type = part.type();
    if (type == null) {
      return new RowBits(rows);
    }
    if (part.nullable() || type == ColumnType.STRING) {
      // Serializers expect all validity bits set, and no texts.
      return ColumnValues.allocate(type, rows, part.nullable());
    }
    ColumnValues kept = values;
    if (kept == null || kept.type() != type || kept.rowCount() < rows) {
      long pages =
          (rows + ColumnValues.DEFAULT_ROWS_PER_PAGE - 1L) / ColumnValues.DEFAULT_ROWS_PER_PAGE;
      kept = ColumnValues.allocate(type, pages * ColumnValues.DEFAULT_ROWS_PER_PAGE, false);
      values = kept;
    }
    return kept;
  }
}
