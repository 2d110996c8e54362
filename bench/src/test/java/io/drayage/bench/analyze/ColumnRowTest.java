package io.drayage.bench.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ColumnRowTest {
  private static final int ROWS = 1_000;

  /** What lz4 makes of the column takes as long on the wire as to write it. */
  private static final long LINK_BYTES_PER_SECOND = 1_000;

  /** A column of 8,000 bytes; sizes and times of columnar, those of the others are 1,000 and 1. */
  private static ColumnRow row(String column, long bytes, double encodeS, double decodeS) {
    Part part =
        new Part(0, "t", PartKind.INSERTED_VALUES, column, ColumnType.LONG, false, ROWS, 8L * ROWS);
    ColumnSample sample =
        ColumnSample.of(
            part,
            ColumnValues.of(new long[][] {new long[ROWS]}),
            List.of(new Segment(0, part, 0, ROWS)),
            1 << 20);
    return ColumnRow.of(
        sample,
        Map.of("FOR", 1),
        List.of(
            figures(Candidate.COLUMNAR, bytes, encodeS, decodeS),
            figures(Candidate.LZ4, 1_000, 1, 1),
            figures(Candidate.ZSTD, 1_000, 1, 1)),
        LINK_BYTES_PER_SECOND);
  }

  private static CodecFigures figures(String codec, long bytes, double encodeS, double decodeS) {
    return CodecFigures.of(codec, 8L * ROWS, bytes, List.of(encodeS), List.of(decodeS));
  }

  @Test
  void namesWhereItLoses() {
    assertThat(row("a", 1_001, 0.5, 0.5).losesAt()).containsExactly("ratio");
    assertThat(row("a", 1_000, 1.5, 1.5).losesAt()).containsExactly("time", "encode", "decode");
    assertThat(row("a", 1_000, 1, 1).losesAt()).isEmpty();
  }

  @Test
  void savedBytesMakeUpForTime() {
    assertThat(row("a", 100, 1.8, 1).losesAt()).containsExactly("encode");
    assertThat(row("a", 100, 1.95, 1).losesAt()).containsExactly("time", "encode");
    assertThat(row("a", 1_500, 0.5, 0.9).losesAt()).containsExactly("ratio");
  }

  @Test
  void namesTheColumnsThatAreNotWorthTheirTime() {
    ColumnRow wins = row("wins", 500, 1.1, 0.5);
    ColumnRow loses = row("loses", 500, 1.6, 1);
    assertThat(AnalysisTable.times(List.of(loses, wins), LINK_BYTES_PER_SECOND))
        .contains("1 of 2 columns")
        .endsWith(": t.loses");
    assertThat(AnalysisTable.times(List.of(wins), LINK_BYTES_PER_SECOND)).contains("no column");
  }

  @Test
  void sortsTheWorstLossFirst() {
    ColumnRow wins = row("wins", 500, 0.5, 0.5);
    ColumnRow loses = row("loses", 1_500, 0.5, 0.5);
    ColumnRow losesMore = row("losesMore", 500, 0.5, 2);
    assertThat(Stream.of(wins, loses, losesMore).sorted(ColumnRow.LOSERS_FIRST))
        .containsExactly(losesMore, loses, wins);
  }

  @Test
  void sumsUpBytesAndTimes() {
    Total total = Total.of(List.of(row("a", 500, 1, 2), row("b", 1_500, 3, 2))).get(0);
    CodecFigures ours = total.of(Candidate.COLUMNAR);
    assertThat(total.columns()).isEqualTo("numeric");
    assertThat(ours.bytes()).isEqualTo(2_000);
    assertThat(ours.ratio()).isEqualTo(8, within(1e-9));
    assertThat(ours.encodeGBps()).isEqualTo(4e-6, within(1e-12));
  }

  @Test
  void saysInOneLineWhatMatters() {
    assertThat(AnalysisTable.verdict(Total.of(List.of(row("a", 500, 0.5, 0.8)))))
        .isEqualTo(
            "numeric columns: columnar 16.0, 2.00x the ratio of zstd:3 (8.00);"
                + " encode 2.00x, decode 1.25x lz4's speed");
  }
}
