package io.drayage.bench.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows, totals and the picture, from figures that are made up. */
final class ColumnsRunTest {
  private static final int ROWS = 1_000;

  /** A column of 8,000 bytes and one pass of a second each way. */
  private static ColumnRow row(String column, String codec, long bytes, double encodeS) {
    Part part =
        new Part(0, "t", PartKind.INSERTED_VALUES, column, ColumnType.LONG, false, ROWS, 8L * ROWS);
    ColumnSample sample =
        ColumnSample.of(
            part,
            ColumnValues.of(new long[][] {new long[ROWS]}),
            List.of(new Segment(0, part, 0, ROWS)),
            1 << 20);
    return ColumnRow.of(column, sample, codec, bytes, List.of(encodeS), List.of(1.0), Map.of());
  }

  private static Total total(List<ColumnRow> rows, String columns, String codec) {
    return Total.of(rows).stream()
        .filter(t -> t.columns().equals(columns) && t.codec().equals(codec))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void statesRatioAndSpeed() {
    ColumnRow row = row("a", "lz4", 2_000, 0.5);
    assertThat(row.type()).isEqualTo("int64");
    assertThat(row.ratio()).isEqualTo(4);
    assertThat(row.encodeMBps()).isEqualTo(0.016, within(1e-9));
    assertThat(row.encoding()).isNull();
  }

  @Test
  void totalsAreGeometricMeansOverZstandard() {
    List<ColumnRow> rows =
        List.of(
            row("a", "lz4", 2_000, 1),
            row("a", "zstd:3", 1_000, 1),
            row("b", "lz4", 1_000, 4),
            row("b", "zstd:3", 8_000, 1));
    Total lz4 = total(rows, "int64", "lz4");
    assertThat(lz4.count()).isEqualTo(2);
    assertThat(lz4.ofZstd3()).isEqualTo(2, within(1e-9));
    assertThat(lz4.worst()).isEqualTo("a");
    assertThat(lz4.worstOfZstd3()).isEqualTo(0.5, within(1e-9));
    assertThat(lz4.encodeMBps()).isEqualTo(0.004, within(1e-9));
    assertThat(lz4.overallRatio()).isEqualTo(16_000 / 3_000.0, within(1e-9));
    assertThat(total(rows, Total.ALL, "lz4").ratio()).isEqualTo(lz4.ratio());
  }

  @Test
  void theFrontLeavesOutWhatAnotherBeatsInBoth() {
    List<ColumnRow> rows =
        List.of(
            row("a", "lz4", 4_000, 1),
            row("a", "zstd:1", 4_000, 2),
            row("a", "zstd:3", 2_000, 3),
            row("a", "zstd:9", 3_000, 4));
    List<Total> all = Total.of(rows).stream().filter(t -> t.columns().equals(Total.ALL)).toList();
    assertThat(ScatterPicture.front(all, Total::encodeMBps, Total::ratio))
        .extracting(Total::codec)
        .containsExactly("lz4", "zstd:3");
  }

  @Test
  void thePictureNamesEveryCodecAndColumn() {
    List<ColumnRow> rows = new ArrayList<>();
    for (String codec : Candidate.NAMES) {
      rows.add(row("a<b", codec, 1_000L * (1 + rows.size()), 1 + rows.size()));
    }
    String svg = ScatterPicture.of(rows);
    assertThat(svg)
        .startsWith("<svg ")
        .endsWith("</svg>\n")
        .contains("a&lt;b")
        .contains("polyline");
    assertThat(svg).doesNotContain("NaN", "Infinity").contains(Candidate.NAMES);
  }
}
