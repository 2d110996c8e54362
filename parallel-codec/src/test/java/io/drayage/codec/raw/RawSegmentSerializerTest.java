package io.drayage.codec.raw;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.SegmentSerializerBattery;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class RawSegmentSerializerTest extends SegmentSerializerBattery {
  RawSegmentSerializerTest() {
    super("raw");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 15, 17, 24})
  void refusesTruncatedBits(int length) {
    assertFault(Fault.DECODE, () -> read(ByteBuffer.allocate(length), new RowBits(65), 65))
        .hasMessageContaining("%d bytes, its values take 16", length);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {-2, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 24, 0, 2, 8})
  void refusesLengthsOfTextsThatLie(int length) {
    ColumnValues read = ColumnValues.allocate(ColumnType.STRING, 2, false);
    ByteBuffer bytes = ByteBuffer.allocate(8 + 3).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0, 2).putInt(4, length);

    assertFault(Fault.DECODE, () -> read(bytes, read, 2));
    assertThat(read.page(0)).as("nothing is put").isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {2, -1, 1L << 32, Long.MIN_VALUE})
  void refusesAnyOtherMarkOfValidityBits(long mark) {
    ByteBuffer bytes = ByteBuffer.allocate(8 + 8 + 1).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, mark);

    assertFault(Fault.DECODE, () -> read(bytes, ColumnValues.allocate(ColumnType.BYTE, 1, true), 1))
        .hasMessageContaining("does not state whether validity bits follow");
  }

  @Test
  void anyBooleanByteButZeroIsTrue() throws ShipmentException {
    ColumnValues read = ColumnValues.allocate(ColumnType.BOOLEAN, 4, false);

    read(ByteBuffer.wrap(new byte[] {0, 1, 2, -1}), read, 4);

    assertThat((boolean[]) read.page(0)).containsExactly(false, true, true, true);
  }

  @Test
  void leavesOutValidityBitsOfSegmentsWithoutNulls() {
    ColumnValues values = ColumnValues.of(new byte[][] {new byte[65]}, RowBits.allSet(65));

    ByteBuffer bytes =
        SegmentChecks.bytes(serializer, SegmentChecks.segment(values, 0, 65), values);

    assertThat(bytes.remaining()).isEqualTo(8 + 65);
  }

  private void read(ByteBuffer bytes, PartContent into, int rows) throws ShipmentException {
    serializer.deserialize(SegmentChecks.segment(into, 0, rows), bytes, into);
  }
}
