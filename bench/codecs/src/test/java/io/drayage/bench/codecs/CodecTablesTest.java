package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CodecTablesTest {
  private static final long RAW_BYTES = 100_000_000;
  private static final Combination RAW = stream("raw", "lz4hc");
  private static final SizeRow NEAR =
      new SizeRow(Combination.JAVA, 106_000_000L, 0.95, 100_000_000L, null);
  private static final SizeRow FAR = new SizeRow(RAW, 90_000_000L, 1.12, 100_000_000L, null);
  private static final SizeRow UNPUBLISHED =
      new SizeRow(RAW.in(Form.SEGMENTS), 1_234_567L, 81.7, null, null);
  private static final SizeRow NO_SIZE =
      new SizeRow(stream("kryo", "xz"), null, null, 7_900_000L, "out of luck");

  private static final TimingRow BASELINE =
      row(Combination.JAVA, List.of(0.3, 0.1, 0.2), 1.0, 5_000_000L, null);
  private static final TimingRow COPY = row(Combination.COPY, List.of(0.01), null, 0L, null);
  private static final TimingRow SEGMENTS =
      row(RAW.in(Form.SEGMENTS), List.of(0.0125), null, 42_600L, 426L);
  private static final TimingRow FAILED =
      new TimingRow(
          stream("kryo", "xz"),
          List.of(),
          new TimingRow.Scores(null, 36.3, null, null),
          TimingRow.Volume.UNKNOWN,
          "no luck");

  private static Combination stream(String serializer, String compressor) {
    return new Combination(serializer, compressor, null, Form.STREAM);
  }

  private static TimingRow row(
      Combination combination,
      List<Double> timesS,
      Double publishedScore,
      Long allocBytes,
      Long allocBytesPerSegment) {
    return new TimingRow(
        combination,
        timesS,
        new TimingRow.Scores(null, publishedScore, null, null),
        new TimingRow.Volume(RAW_BYTES, RAW_BYTES / 2, allocBytes, allocBytesPerSegment),
        null);
  }

  private static List<TimingRow> compared(TimingRow... rows) {
    Map<Combination, TimingRow> all = new HashMap<>();
    List.of(rows).forEach(row -> all.put(row.combination(), row));
    return Stream.of(rows)
        .map(row -> row.comparedWith(all, row.scores().publishedScore()))
        .toList();
  }

  @Test
  void putsOurSizesBesideThePublishedAndTheAdditionalBelowALine() {
    List<String> lines = CodecTables.sizes(List.of(NEAR, FAR, UNPUBLISHED)).toText();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("codec").contains("MB", "published MB", "deviation");
    assertThat(lines.get(1)).startsWith("java+none ").contains("106.0", "100.0").endsWith("+6.0 %");
    assertThat(lines.get(2)).matches("-+").hasSameSizeAs(lines.get(0));
    assertThat(lines.get(3)).startsWith("raw+lz4hc ").endsWith("-10.0 %");
    assertThat(lines.get(4)).startsWith("raw+lz4hc segments ").contains("1.23").endsWith("-");
    assertThat(CodecTables.sizes(List.of(NO_SIZE)).toText().get(1)).startsWith("kryo+xz FAILED");
  }

  @Test
  void countsTheNearSizesInTheVerdict() {
    assertThat(CodecTables.verdictOfSizes(List.of(NEAR, FAR, UNPUBLISHED), 100_900_000, 100.7))
        .isEqualTo(
            "1 of 2 within 8 %, 2 within 15 % of the published; raw 100.9 MB, published 100.7 MB"
                + " (+0.2 %)");
    assertThat(CodecTables.verdictOfSizes(List.of(NEAR, NO_SIZE), 100_900_000, null))
        .contains("1 of 2 within 8 %", "1 of 2 FAILED");
  }

  @Test
  void putsOurScoreBesideThePublished() {
    List<TimingRow> rows = compared(BASELINE, FAILED, COPY, SEGMENTS);
    assertThat(rows.get(0).medianS()).isEqualTo(0.2);
    assertThat(rows.get(0).rawMBps()).isEqualTo(500);
    assertThat(rows.get(3).scores()).isEqualTo(new TimingRow.Scores(0.0625, null, 0.8, null));

    List<String> lines = CodecTables.times(rows, Direction.SERIALIZATION, true).toText();
    assertThat(lines.get(0)).contains("score", "published score", "of copy", "alloc");
    assertThat(lines.get(1))
        .startsWith("java+none ")
        .contains("0.2000 (0.1000-0.3000)", "1.00", "50,000 B/MB");
    assertThat(lines.get(2)).startsWith("kryo+xz FAILED").contains("36.3");
    assertThat(lines.get(5)).startsWith("raw+lz4hc segments").contains("0.80", "426 B/seg");
    assertThat(lines).hasSize(7);
  }

  @Test
  void comparesThreadsWithOneOfTheSameCodec() {
    TimingRow one = row(RAW.onThreads(1), List.of(0.2), null, 1L, null);
    TimingRow two = row(RAW.onThreads(2), List.of(0.1), null, 1L, null);

    List<String> lines =
        CodecTables.times(compared(BASELINE, one, two), Direction.SERIALIZATION, true).toText();
    assertThat(lines.get(0)).containsPattern(" x +alloc$");
    assertThat(lines.get(3)).startsWith("raw+lz4hc@1 ").contains(" 1.00 ");
    assertThat(lines.get(4)).startsWith("raw+lz4hc@2 ").contains(" 2.00 ");
    assertThat(lines.get(6)).startsWith("@N: ");
    assertThat(CodecTables.times(compared(two), Direction.SERIALIZATION, true).toText().get(0))
        .doesNotContain(" x ");
  }

  @Test
  void namesTheFastestCodecInTheVerdict() {
    assertThat(CodecTables.verdictOfTimes(compared(BASELINE, COPY, SEGMENTS)))
        .isEqualTo(
            "raw+lz4hc segments is the fastest (8000 MB/s, score 0.063), 3 of 3 ok, digests equal");
    assertThat(CodecTables.verdictOfTimes(List.of(FAILED)))
        .startsWith("no codec succeeded, 0 of 1 ok");
  }
}
