package io.drayage.columnar;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentChecks;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An input of the fuzzer. Four bytes describe the segment that follows:
 *
 * <pre>
 *   0        1          2          4
 *   +--------+----------+----------+----------------------+
 *   | type   | nullable | rows - 1 | bytes of the segment |
 *   | mod 9  | mod 2    | u16      |                      |
 *   +--------+----------+----------+----------------------+
 * </pre>
 *
 * Type 0 is bits.
 */
final class FuzzedSegment {
  static final int HEAD_BYTES = 4;
  private static final int TYPES = 9;

  private FuzzedSegment() {}

  /**
   * Decodes an input. Bytes may be refused, but decoded values must survive being written and read
   * again.
   */
  static void decode(byte[] input) {
    if (input.length < HEAD_BYTES) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
    int type = (input[0] & 0xFF) % TYPES;
    boolean nullable = (input[1] & 1) != 0;
    int rows = 1 + (bytes.getShort(2) & 0xFFFF);
    SegmentSerializer serializer = new ColumnarSerializer().newSegmentSerializer();
    PartContent read = room(type, nullable, rows);
    Segment segment = SegmentChecks.segment(read, 0, rows);
    try {
      serializer.deserialize(segment, bytes.position(HEAD_BYTES), read);
      requireRoundTrip(serializer, segment, read, room(type, nullable, rows));
    } catch (ShipmentException e) {
      return;
    } finally {
      serializer.close();
    }
  }

  private static PartContent room(int type, boolean nullable, int rows) {
    return type == 0
        ? new RowBits(rows)
        : ColumnValues.allocate(ColumnType.ofId(type), rows, nullable);
  }

  private static void requireRoundTrip(
      SegmentSerializer serializer, Segment segment, PartContent content, PartContent again) {
    ByteBuffer bytes = SegmentChecks.bytes(serializer, segment, content);
    try {
      serializer.deserialize(segment, bytes, again);
    } catch (ShipmentException e) {
      throw new IllegalStateException("what was read and written cannot be read", e);
    }
    if (content instanceof ColumnValues values
        && CargoDigest.ofColumn(values) != CargoDigest.ofColumn((ColumnValues) again)) {
      throw new IllegalStateException("%s changed on its way".formatted(segment));
    }
  }
}
