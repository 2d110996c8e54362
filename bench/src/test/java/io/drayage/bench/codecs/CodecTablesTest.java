package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.Form;
import io.drayage.bench.codecs.work.WorkFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CodecTablesTest {
  private static final WorkFacts FACTS = new WorkFacts(100_000_000, 50_000_000, 0, 5_000_000);
  private static final Combination RAW = stream("raw", "none");
  private static final SizeRow NEAR =
      SizeRow.of(Combination.JAVA, 106_000_000, 100_900_000, 100_000_000L);
  private static final SizeRow FAR = SizeRow.of(RAW, 90_000_000, 100_900_000, 100_000_000L);
  private static final SizeRow UNPUBLISHED =
      SizeRow.of(RAW.in(Form.SEGMENTS), 1_234_567, 100_900_000, null);

  private static final TimingRow BASELINE =
      TimingRow.of(Combination.JAVA, List.of(0.3, 0.1, 0.2), FACTS, 1.0);
  private static final TimingRow COPY = TimingRow.of(Combination.COPY, List.of(0.01), FACTS, null);
  private static final TimingRow SEGMENTS =
      TimingRow.of(
              RAW.in(Form.SEGMENTS),
              List.of(0.0125),
              new WorkFacts(100_000_000, 100_000_000, 100, 42_600),
              null)
          .comparedWith(BASELINE, COPY, null);
  private static final TimingRow FAILED = TimingRow.failed(stream("kryo", "xz"), 36.3, "no luck");

  private static Combination stream(String serializer, String compressor) {
    return new Combination(serializer, compressor, null, Form.STREAM);
  }

  private static CodecSelection selection(List<Combination> study, List<Combination> additional) {
    return new CodecSelection(study, additional);
  }

  @Test
  void putsOurSizesBesideThePublishedAndTheAdditionalBelowALine() {
    List<String> lines =
        CodecTables.sizes(
                List.of(NEAR, FAR, UNPUBLISHED),
                selection(List.of(Combination.JAVA), List.of(RAW, RAW.in(Form.SEGMENTS))))
            .toText();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("codec").contains("MB", "published MB", "deviation");
    assertThat(lines.get(1)).startsWith("java+none ").contains("106.0", "100.0").endsWith("+6.0 %");
    assertThat(lines.get(2)).matches("-+").hasSameSizeAs(lines.get(0));
    assertThat(lines.get(3)).startsWith("raw+none ").endsWith("-10.0 %");
    assertThat(lines.get(4)).startsWith("raw+none segments ").contains("1.23").endsWith("-");
  }

  @Test
  void countsTheNearSizesInTheVerdict() {
    assertThat(CodecTables.verdictOfSizes(List.of(NEAR, FAR, UNPUBLISHED), 100_900_000, 100.7))
        .isEqualTo(
            "1 of 2 within 8 %, 2 within 15 % of the published; raw 100.9 MB, published 100.7 MB"
                + " (+0.2 %)");
    SizeRow failed = SizeRow.failed(stream("kryo", "xz"), 7_900_000L, "out of luck");
    assertThat(CodecTables.verdictOfSizes(List.of(NEAR, failed), 100_900_000, null))
        .contains("1 of 2 within 8 %", "1 of 2 FAILED");
    assertThat(CodecTables.sizes(List.of(failed), selection(List.of(), List.of())).toText().get(1))
        .startsWith("kryo+xz FAILED");
  }

  @Test
  void comparesMediansWithTheBaselineAndTheCopy() {
    assertThat(BASELINE.times().medianS()).isEqualTo(0.2);
    assertThat(BASELINE.times().rawMBps()).isEqualTo(500);
    assertThat(SEGMENTS.scores().score()).isEqualTo(0.0625);
    assertThat(SEGMENTS.scores().ofCopy()).isEqualTo(0.8);
    assertThat(SEGMENTS.volume().allocBytesPerSegment()).isEqualTo(426);
  }

  private static List<String> times(CodecSelection selection, TimingRow... rows) {
    return CodecTables.times(List.of(rows), selection, Direction.SERIALIZATION, true).toText();
  }

  @Test
  void putsOurScoreBesideThePublished() {
    List<String> lines =
        times(
            selection(
                List.of(Combination.JAVA, FAILED.combination()), List.of(RAW.in(Form.SEGMENTS))),
            BASELINE.comparedWith(BASELINE, null, null),
            FAILED,
            SEGMENTS);
    assertThat(lines.get(0)).contains("score", "published score", "of copy", "alloc");
    assertThat(lines.get(1))
        .startsWith("java+none ")
        .contains("0.2000 (0.1000-0.3000)", "1.00", "50,000 B/MB");
    assertThat(lines.get(2)).startsWith("kryo+xz FAILED").contains("36.3");
    assertThat(lines.get(4)).startsWith("raw+none segments").contains("0.80", "426 B/seg");
    assertThat(lines).hasSize(6);
  }

  @Test
  void comparesThreadsWithOneOfTheSameCodec() {
    Combination raw = new Combination("raw", "lz4", 1, Form.SEGMENTS);
    TimingRow one = TimingRow.of(raw.onThreads(1), List.of(0.2), FACTS, null);
    TimingRow two = TimingRow.of(raw.onThreads(2), List.of(0.1), FACTS, null);
    CodecSelection selection =
        selection(List.of(Combination.JAVA), List.of(raw.onThreads(1), raw.onThreads(2)));

    List<String> lines =
        times(
            selection,
            BASELINE,
            one.comparedWith(null, null, one),
            two.comparedWith(null, null, one));
    assertThat(lines.get(0)).containsPattern(" x +alloc$");
    assertThat(lines.get(3)).startsWith("raw+lz4:1@1 ").contains(" 1.00 ");
    assertThat(lines.get(4)).startsWith("raw+lz4:1@2 ").contains(" 2.00 ");
    assertThat(lines.get(6)).startsWith("@N: ");
    assertThat(times(selection, two).get(0)).doesNotContain(" x ");
  }

  @Test
  void namesTheFastestCodecInTheVerdict() {
    assertThat(CodecTables.verdictOfTimes(List.of(BASELINE, COPY, SEGMENTS)))
        .isEqualTo(
            "raw+none segments is the fastest (8000 MB/s, score 0.063), 3 of 3 ok, digests equal");
    assertThat(CodecTables.verdictOfTimes(List.of(FAILED)))
        .startsWith("no codec succeeded, 0 of 1 ok");
  }
}
