package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import io.drayage.testing.Repaging;
import io.drayage.testing.SpareRows;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the common contract of all serializers of segments; inherited by the tests of each. */
public abstract class SegmentSerializerBattery {
  private static final int ROWS = 65_536 + 777;

  /** The serializer under test. */
  protected final SegmentSerializer serializer;

  /**
   * @param name the name of the serializer
   */
  protected SegmentSerializerBattery(String name) {
    this.serializer = Serializers.ofName(name).newSegmentSerializer();
  }

  @ParameterizedTest
  @EnumSource
  protected void columnSurvivesAcrossPageBorders(ColumnType type) throws ShipmentException {
    ColumnValues values = RandomCargo.column(5, type, ROWS, false);
    SegmentChecks.assertRoundTrip(serializer, Repaging.of(values, 1_000), 10_048, "repaged");
    ColumnValues nullable = RandomCargo.column(5, type, ROWS, true);
    SegmentChecks.assertRoundTrip(serializer, nullable, 10_048, "nullable");
    SegmentChecks.assertRoundTrip(serializer, SpareRows.of(nullable, 1_000), 10_048, "spare rows");
  }

  @Test
  protected void bitsSurvive() throws ShipmentException {
    RowBits bits = RandomCargo.bits(6, ROWS);
    RowBits read = new RowBits(ROWS);
    for (int first = 0; first < ROWS; first += 10_048) {
      Segment segment = SegmentChecks.segment(bits, first, Math.min(10_048, ROWS - first));
      serializer.deserialize(segment, SegmentChecks.bytes(serializer, segment, bits), read);
    }
    assertThat(read).isEqualTo(bits);
  }

  @Test
  protected void fewTextsTakeTheSameInMuchSpaceAndNoMoreThanTheBound() {
    for (String texts : List.of(" ,", "a,a", ",b,,b", "a,ab,a,ab,a", "é,é,é", "x,,x,,x,,x")) {
      ColumnValues values = ColumnValues.ofTexts(new String[][] {texts.strip().split(",", -1)});
      Segment segment = SegmentChecks.segment(values, 0, (int) values.rowCount());
      int bound = serializer.maxSerializedBytes(segment, values);
      ByteBuffer tight = SegmentChecks.direct(bound);
      ByteBuffer wide = SegmentChecks.direct(bound + 1_000);

      serializer.serialize(segment, values, tight);
      serializer.serialize(segment, values, wide);

      assertThat(wide.flip()).as(texts).isEqualTo(tight.flip());
    }
  }

  @Test
  protected void extremesFillTheBoundAndNoMore() throws ShipmentException {
    long[] longs = new long[1_000];
    Arrays.fill(longs, Long.MIN_VALUE);
    short[] shorts = new short[1_000];
    Arrays.fill(shorts, Short.MIN_VALUE);
    double[] doubles = new double[1_000];
    Arrays.fill(doubles, Double.longBitsToDouble(0x7FF0_0000_0000_0001L));
    String[] texts = new String[1_000];
    Arrays.fill(texts, "\uD83D\uDE80");

    SegmentChecks.assertRoundTrip(serializer, ColumnValues.of(new long[][] {longs}), 1_000, "long");
    SegmentChecks.assertRoundTrip(
        serializer, ColumnValues.of(new short[][] {shorts}), 1_000, "short");
    SegmentChecks.assertRoundTrip(
        serializer, ColumnValues.of(new double[][] {doubles}), 1_000, "double");
    SegmentChecks.assertRoundTrip(
        serializer, ColumnValues.ofTexts(new String[][] {texts}), 1_000, "text");
    SegmentChecks.assertRoundTrip(
        serializer,
        ColumnValues.ofTexts(
            new String[][] {{"\uFFFF".repeat(600_000), "", null, "é".repeat(70_000)}}),
        4,
        "long texts");
  }

  @ParameterizedTest
  @EnumSource
  protected void refusesEveryCutAndAnyExtension(ColumnType type) {
    for (boolean nullable : List.of(false, true)) {
      SegmentChecks.assertEveryCutIsRefused(serializer, RandomCargo.column(9, type, 70, nullable));
    }
  }
}
