package io.drayage.serializer.fory;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import io.drayage.serializer.Serializers;
import io.drayage.serializer.support.SegmentChecks;
import io.drayage.testing.Repaging;
import io.drayage.testing.SpareRoom;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForySegmentSerializerTest {
  private static final int ROWS = 65_536 + 777;

  private final SegmentSerializer serializer = Serializers.ofName("fory").newSegmentSerializer();

  @ParameterizedTest
  @EnumSource
  void columnSurvivesAcrossPageBorders(ColumnType type) throws ShipmentException {
    for (boolean nullable : List.of(false, true)) {
      ColumnValues values = RandomCargo.column(5, type, ROWS, nullable);
      SegmentChecks.assertRoundTrip(serializer, values, 10_048, "nullable " + nullable);
      SegmentChecks.assertRoundTrip(serializer, Repaging.of(values, 1_000), 10_048, "repaged");
      SegmentChecks.assertRoundTrip(serializer, SpareRoom.of(values, 1_000), 10_048, "spare room");
    }
  }

  @Test
  void bitsSurvive() throws ShipmentException {
    RowBits bits = RandomCargo.bits(6, ROWS);
    RowBits read = new RowBits(ROWS);
    for (int first = 0; first < ROWS; first += 10_048) {
      Segment segment = SegmentChecks.segment(bits, first, Math.min(10_048, ROWS - first));
      serializer.deserialize(segment, SegmentChecks.bytes(serializer, segment, bits), read);
    }
    assertThat(read).isEqualTo(bits);
  }

  @Test
  void extremesFillTheBoundAndNoMore() throws ShipmentException {
    long[] longs = new long[1_000];
    Arrays.fill(longs, Long.MIN_VALUE);
    short[] shorts = new short[1_000];
    Arrays.fill(shorts, Short.MIN_VALUE);
    double[] doubles = new double[1_000];
    Arrays.fill(doubles, Double.longBitsToDouble(0x7FF0_0000_0000_0001L));
    String[] texts = new String[1_000];
    Arrays.fill(texts, "\uD800");

    SegmentChecks.assertRoundTrip(serializer, ColumnValues.of(new long[][] {longs}), 1_000, "long");
    SegmentChecks.assertRoundTrip(
        serializer, ColumnValues.of(new short[][] {shorts}), 1_000, "short");
    SegmentChecks.assertRoundTrip(
        serializer, ColumnValues.of(new double[][] {doubles}), 1_000, "double");
    SegmentChecks.assertRoundTrip(
        serializer, ColumnValues.of(new String[][] {texts}), 1_000, "text");
    SegmentChecks.assertRoundTrip(
        serializer,
        ColumnValues.of(new String[][] {{"\uFFFF".repeat(1 << 20), "", null, "é".repeat(70_000)}}),
        4,
        "long texts");
  }

  @ParameterizedTest
  @EnumSource
  void tooSmallATargetOverflowsAndTheSegmentCanBeSerializedAgain(ColumnType type)
      throws ShipmentException {
    ColumnValues values = RandomCargo.column(7, type, 3_000, true);
    Segment segment = SegmentChecks.segment(values, 0, 3_000);
    int bytes = SegmentChecks.bytes(serializer, segment, values).remaining();

    for (int room : new int[] {0, 1, bytes / 2, bytes - 1}) {
      ByteBuffer target = SegmentChecks.direct(room);
      assertThatExceptionOfType(BufferOverflowException.class)
          .as("%,d of %,d bytes", room, bytes)
          .isThrownBy(() -> serializer.serialize(segment, values, target));
    }
    SegmentChecks.assertRoundTrip(serializer, values, 3_000, "again");
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryCutAndAnyExtension(ColumnType type) {
    for (boolean nullable : List.of(false, true)) {
      SegmentChecks.assertEveryCutIsRefused(serializer, RandomCargo.column(9, type, 70, nullable));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedBitIsHarmless(ColumnType type) {
    SegmentChecks.assertEveryFlipIsHarmless(serializer, RandomCargo.column(9, type, 70, true));
  }

  @Test
  void refusesATextThatJavaWouldNotHaveSo() {
    String[] refused = {
      "text of 4 bytes, coder 1", "text of 3 bytes, coder 1", "text of 1 bytes, coder 2", "flag 0"
    };
    byte[][] texts = {
      {-1, 4 << 2 | 1, 'a', 0, 'b', 0},
      {-1, 3 << 2 | 1, 0, 1, 2},
      {-1, 1 << 2 | 2, 'a'},
      {0, 4, 'a'}
    };
    for (int i = 0; i < texts.length; i++) {
      ColumnValues target = ColumnValues.allocate(ColumnType.STRING, 1, false);
      ByteBuffer source = SegmentChecks.direct(texts[i].length).put(texts[i]).flip();

      assertFault(
              Fault.DECODE,
              () -> serializer.deserialize(SegmentChecks.segment(target, 0, 1), source, target))
          .hasMessageContaining(refused[i]);
    }
  }

  @Test
  void refusesABooleanThatIsNeitherTrueNorFalse() {
    ColumnValues target = ColumnValues.allocate(ColumnType.BOOLEAN, 2, false);
    ByteBuffer source = SegmentChecks.direct(3).put(new byte[] {2, 1, 2}).flip();

    assertFault(
            Fault.DECODE,
            () -> serializer.deserialize(SegmentChecks.segment(target, 0, 2), source, target))
        .hasMessageContaining("the boolean 0x02");
  }

  @Test
  void refusesAnotherNumberOfRows() throws ShipmentException {
    ColumnValues values = RandomCargo.column(1, ColumnType.INT, 64, false);
    ByteBuffer bytes =
        SegmentChecks.bytes(serializer, SegmentChecks.segment(values, 0, 64), values);
    PartContent target = ColumnValues.allocate(ColumnType.INT, 65, false);

    assertFault(
            Fault.DECODE,
            () -> serializer.deserialize(SegmentChecks.segment(target, 0, 65), bytes, target))
        .hasMessageContaining("256 bytes where 65 values of INT belong");
  }
}
