package io.drayage.bench.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of rows, totals and the chart, with invented figures. */
final class ColumnsRunTest {
  private static final int ROWS = 1_000;

  /** Makes a column of 8,000 bytes and one pass of a second in each direction. */
  private static ColumnRow row(String column, String codec, long bytes, double encodeS)
      throws ShipmentException {
    Part part =
        new Part(0, "t", PartKind.INSERTED_VALUES, column, ColumnType.LONG, false, ROWS, 8L * ROWS);
    ColumnSample sample =
        ColumnSample.of(
            column,
            part,
            ColumnValues.of(new long[][] {new long[ROWS]}),
            List.of(new Segment(0, part, 0, ROWS)),
            1 << 20);
    return ColumnRow.of(
        sample,
        codec,
        bytes,
        List.of(encodeS),
        List.of(1.0),
        codec.equals("lz4") ? Map.of() : Map.of("DICT(ALP(FOR, RAW, RAW), FOR, FOR)", 1));
  }

  private static Total total(List<ColumnRow> rows, String columns, String codec) {
    return Total.of(rows).stream()
        .filter(t -> t.columns().equals(columns) && t.codec().equals(codec))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void statesRatioAndSpeed() throws ShipmentException {
    ColumnRow row = row("a", "lz4", 2_000, 0.5);
    assertThat(row.type()).isEqualTo("int64");
    assertThat(row.ratio()).isEqualTo(4);
    assertThat(row.encodeMBps()).isEqualTo(0.016, within(1e-9));
    assertThat(row.encoding()).isNull();
  }

  @Test
  void totalsAreGeometricMeansOverZstandard() throws ShipmentException {
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
  void theFrontLeavesOutWhatAnotherBeatsInBoth() throws ShipmentException {
    List<ColumnRow> rows =
        List.of(
            row("a", "lz4", 4_000, 1),
            row("a", "zstd:1", 4_000, 2),
            row("a", "zstd:3", 2_000, 3),
            row("a", "zstd:9", 3_000, 4));
    List<Total> all = Total.of(rows).stream().filter(t -> t.columns().equals(Total.ALL)).toList();
    assertThat(ColumnsPage.front(all, Total::encodeMBps, Total::ratio))
        .extracting(Total::codec)
        .containsExactly("lz4", "zstd:3");
  }

  @Test
  void thePictureNamesEveryCodecAndColumn() throws ShipmentException {
    List<ColumnRow> rows = new ArrayList<>();
    for (String codec : Codecs.SEGMENTS) {
      rows.add(row("a<b", codec, 1_000L * (1 + rows.size()), 1 + rows.size()));
    }
    assertThat(ColumnsPage.of(rows, "two columns").toHtml())
        .contains("zstd:3 of a\\u003cb", "Pareto front")
        .contains(Codecs.SEGMENTS)
        .doesNotContain("NaN,", "Infinity,");
  }

  @Test
  void aCodecThatHasNoPlaceForSomeColumnsIsComparedOnTheOthers() throws ShipmentException {
    List<ColumnRow> rows =
        List.of(
            row("a", "zstd:3", 1_000, 2),
            row("b", "zstd:3", 8_000, 1),
            row("a", "columnar-balanced", 1_000, 2),
            row("b", "columnar-balanced", 8_000, 1),
            row("a", "pcodec:8", 500, 1));
    Total pcodec = total(rows, Total.NUMBERS, "pcodec:8");
    assertThat(pcodec.count()).isOne();
    assertThat(pcodec.ofZstd3()).isEqualTo(2, within(1e-9));
    assertThat(pcodec.encodeOfZstd3()).isEqualTo(2, within(1e-9));
    assertThat(ColumnsPage.of(rows, "two columns").toHtml()).contains("pcodec:8 (1 columns)");
    List<String> text = ColumnsTable.toText(rows, null, List.of(), 1 << 20, 1);
    assertThat(text).anyMatch(line -> line.matches("int64 +1  pcodec:8 +2\\.00.*"));
    assertThat(text)
        .as("all columns together")
        .anyMatch(line -> line.startsWith("zstd:3 "))
        .noneMatch(line -> line.startsWith("pcodec:8 "));
  }

  @Test
  void tablesFitATerminal() throws ShipmentException {
    List<ColumnRow> rows = new ArrayList<>();
    for (String codec : Codecs.SEGMENTS) {
      rows.add(row("a_table_with_a_long_name.and_such_a_column", codec, 7_999, 1e-9));
    }
    for (String codec : Codecs.OTHERS) {
      rows.add(row("a_table_with_a_long_name.and_such_a_column", codec, 7_999, 1e-9));
    }
    InputFiles files = new InputFiles("cargo", 1_000_000_000_000L, 123_456_789_012L, 1.0);
    assertThat(ColumnsTable.toText(rows, files, List.of(), 1 << 20, 1))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100))
        .anyMatch(line -> line.startsWith("a_table_w...h_a_column "))
        .anyMatch(line -> line.startsWith("the input itself (cargo) "));
  }

  @Test
  void inputFilesAreOneFrame(@TempDir Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    byte[] noise = new byte[100_000];
    new Random(1).nextBytes(noise);
    for (String name : List.of("a.csv", "b.csv")) {
      files.add(Files.write(folder.resolve(name), noise));
    }
    InputFiles input = Objects.requireNonNull(InputFiles.of("csv", files));
    assertThat(input.bytes()).isEqualTo(200_000);
    // Repeated bytes in the second file cost nothing.
    assertThat(input.zstd3Bytes()).isBetween(100_000L, 101_000L);
    assertThat(InputFiles.of("", List.of())).isNull();
  }
}
