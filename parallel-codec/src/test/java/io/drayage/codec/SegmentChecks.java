package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Checks for the tests of serializers of single segments. */
public final class SegmentChecks {
  private SegmentChecks() {}

  public static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public static Segment segment(PartContent content, long firstRow, int rows) {
    boolean isValues = content instanceof ColumnValues;
    ColumnType type = content instanceof ColumnValues values ? values.type() : null;
    PartKind kind = isValues ? PartKind.INSERTED_VALUES : PartKind.DELETED_ROWS;
    long partRows =
        content instanceof ColumnValues values ? values.rowCount() : ((RowBits) content).size();
    return new Segment(0, new Part(0, "t", kind, "c", type, true, partRows, 0), firstRow, rows);
  }

  public static ByteBuffer bytes(
      SegmentSerializer serializer, Segment segment, PartContent content) {
    ByteBuffer bytes = direct(serializer.maxSerializedBytes(segment, content));
    serializer.serialize(segment, content, bytes);
    return bytes.flip();
  }

  public static void assertRoundTrip(
      SegmentSerializer serializer, ColumnValues values, int segmentRows, String description)
      throws ShipmentException {
    int rows = (int) values.rowCount();
    ColumnValues read = emptyLike(values);
    for (int first = 0; first < rows; first += segmentRows) {
      Segment segment = segment(values, first, Math.min(segmentRows, rows - first));
      ByteBuffer bytes = bytes(serializer, segment, values);
      serializer.deserialize(segment, bytes, read);
      assertThat(bytes.hasRemaining()).as(description).isFalse();
    }
    assertThat(CargoDigest.ofColumn(read)).as(description).isEqualTo(CargoDigest.ofColumn(values));
  }

  private static ColumnValues emptyLike(ColumnValues values) {
    return ColumnValues.allocate(values.type(), values.rowCount(), values.validity() != null);
  }

  public static void assertEveryCutIsRefused(SegmentSerializer serializer, ColumnValues values) {
    Segment segment = segment(values, 0, (int) values.rowCount());
    ByteBuffer whole = bytes(serializer, segment, values);
    byte[] bytes = new byte[whole.remaining()];
    whole.get(bytes);
    for (int length = 0; length <= bytes.length + 1; length++) {
      if (length == bytes.length) {
        continue;
      }
      ByteBuffer cut = direct(length).put(Arrays.copyOf(bytes, length)).flip();
      assertThat(catchThrowable(() -> serializer.deserialize(segment, cut, emptyLike(values))))
          .as("%,d of %,d bytes", length, bytes.length)
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.DECODE))
          .hasMessageContaining("segment 0")
          .hasMessageNotContaining("null");
    }
  }
}
