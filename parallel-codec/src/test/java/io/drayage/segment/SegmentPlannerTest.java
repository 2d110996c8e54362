package io.drayage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.codec.Serializers;
import io.drayage.frame.FrameHeader;
import io.drayage.testing.CargoBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentPlannerTest {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int DEFAULT = SegmentPlanner.DEFAULT_SEGMENT_BYTES;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void cutsFixedWidthAtPagesOfAboutTheTarget(ColumnType type) {
    long rows = 3_000_001;
    ColumnValues values = ColumnValues.allocate(type, rows, false);

    List<Segment> segments = plan(DEFAULT, values).segments();

    assertCovers(segments, rows);
    for (Segment segment : segments.subList(0, segments.size() - 1)) {
      assertThat(segment.firstRow() % PAGE).isZero();
      assertThat((long) segment.rowCount() * type.widthBytes()).isEqualTo(DEFAULT);
      assertThat(segment.estimatedRawBytes()).isEqualTo(DEFAULT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {SegmentPlanner.MIN_SEGMENT_BYTES, 5_000, 99_999, DEFAULT, 3 << 20, 4 << 20})
  void segmentsOfAnyTargetFitAFrameAndStartAtWords(int segmentBytes) {
    for (ColumnType type : ColumnType.values()) {
      for (boolean nullable : List.of(false, true)) {
        if (type.isFixedWidth()) {
          ColumnValues values = ColumnValues.allocate(type, 4_500_000, nullable);
          List<Segment> segments = plan(segmentBytes, values).segments();
          assertCovers(segments, values.rowCount());
          segments.forEach(segment -> assertFits(segment, values, segmentBytes));
        }
      }
    }
  }

  private static void assertFits(Segment segment, ColumnValues values, int segmentBytes) {
    long valueBytes = (long) segment.rowCount() * values.type().widthBytes();
    int serialized =
        Serializers.ofName("raw").newSegmentSerializer().maxSerializedBytes(segment, values);
    assertThat(segment.firstRow() % Long.SIZE).isZero();
    assertThat(valueBytes).isLessThanOrEqualTo(segmentBytes);
    assertThat(serialized + SegmentHeader.BYTES)
        .as("%s %s", values.type(), segment)
        .isLessThanOrEqualTo(FrameHeader.MAX_PAYLOAD_BYTES);
  }

  @Test
  void cutsDeletedRowsByTheirBytes() {
    RowBits deleted = RowBits.allSet(3L * 8 * DEFAULT + 1);
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3).table("t", t -> t.delete(deleted)).build();

    Manifest manifest = new SegmentPlanner(DEFAULT).plan(cargo);

    assertCovers(manifest.segments(), deleted.size());
    assertThat(manifest.segments()).hasSize(4);
    assertThat(manifest.parts().get(0).rawBytes()).isEqualTo(CargoSize.rawBytes(cargo));
  }

  @Test
  void cutsTextsByTheirBytes() {
    Random random = new Random(1);
    String[] texts = new String[3_000];
    for (int i = 0; i < texts.length; i++) {
      texts[i] =
          random.nextInt(9) == 0
              ? null
              : "x汉".substring(i % 2, 1 + i % 2).repeat(random.nextInt(4_000));
    }
    ColumnValues values = ColumnValues.ofTexts(new String[][] {texts});
    for (int segmentBytes : new int[] {SegmentPlanner.MIN_SEGMENT_BYTES, 50_000, DEFAULT}) {
      List<Segment> segments = plan(segmentBytes, values).segments();
      assertCovers(segments, texts.length);
      for (Segment segment : segments) {
        long bytes = 0;
        for (int i = 0; i < segment.rowCount(); i++) {
          String text = texts[(int) segment.firstRow() + i];
          bytes +=
              CargoSize.TEXT_LENGTH_BYTES
                  + (text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length);
        }
        if (segment.rowCount() > 1) {
          assertThat(bytes).as("seed 1, %s", segment).isLessThanOrEqualTo(segmentBytes);
        }
      }
    }
  }

  @Test
  void largeTextGetsASegmentOfItsOwn() {
    String largest = "x".repeat(SegmentPlanner.MAX_TEXT_BYTES - CargoSize.TEXT_LENGTH_BYTES);
    ColumnValues values = ColumnValues.ofTexts(new String[][] {{"a", largest, "b"}});

    Manifest manifest = plan(DEFAULT, values);

    assertThat(manifest.segments()).extracting(Segment::rowCount).containsExactly(1, 1, 1);
    assertThat(manifest.rawBytes()).isEqualTo(SegmentPlanner.MAX_TEXT_BYTES + 10);
  }

  @Test
  void refusesTextAboveTheLimitByColumnAndRow() {
    String tooLong = "汉".repeat(SegmentPlanner.MAX_TEXT_BYTES / 3);
    ColumnValues values = ColumnValues.ofTexts(new String[][] {{"a", "b"}, {"c", tooLong}});

    assertThatThrownBy(() -> plan(DEFAULT, values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row 3 of column 'c' of table 't'")
        .hasMessageContaining("2,097,154 bytes")
        .hasMessageContaining("2,097,152");
  }

  @Test
  void refusesTargetOutsideItsLimits() {
    for (int bytes : new int[] {SegmentPlanner.MIN_SEGMENT_BYTES - 1, Segment.MAX_RAW_BYTES + 1}) {
      assertThatThrownBy(() -> new SegmentPlanner(bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("%,d bytes are outside", bytes);
    }
  }

  private static void assertCovers(List<Segment> segments, long rows) {
    long next = 0;
    for (Segment segment : segments) {
      assertThat(segment.firstRow()).isEqualTo(next);
      assertThat(segment.rowCount()).isPositive();
      next += segment.rowCount();
    }
    assertThat(next).isEqualTo(rows);
  }

  private static Manifest plan(int segmentBytes, ColumnValues values) {
    return new SegmentPlanner(segmentBytes).plan(CargoBytes.cargoOf(values));
  }
}
