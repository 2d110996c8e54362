package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.WorkFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimingTableTest {
  private static final WorkFacts FACTS = new WorkFacts(100_000_000, 108_000_000, 0, 5_000_000);
  private static final TimingRow BASELINE =
      TimingRow.of(Timing.BASELINE, List.of(0.3, 0.1, 0.2), FACTS, 1.0);
  private static final TimingRow COPY = TimingRow.of(Combination.COPY, List.of(0.01), FACTS, null);
  private static final TimingRow RAW =
      TimingRow.of(
              new Combination("raw", "none", null, Form.SEGMENTS),
              List.of(0.0125),
              new WorkFacts(100_000_000, 100_000_000, 100, 42_600),
              null)
          .comparedWith(BASELINE, COPY, null);
  private static final TimingRow FAILED =
      TimingRow.failed(new Combination("kryo", "xz", null, Form.STREAM), 36.3, "no luck");

  private final TimingTable table = new TimingTable(Direction.SERIALIZATION, true);

  @Test
  void comparesMediansWithTheBaselineAndTheCopy() {
    assertThat(BASELINE.medianS()).isEqualTo(0.2);
    assertThat(BASELINE.rawMBps()).isEqualTo(500);
    assertThat(RAW.score()).isEqualTo(0.0625);
    assertThat(RAW.ofCopy()).isEqualTo(0.8);
    assertThat(RAW.allocBytesPerSegment()).isEqualTo(426);
  }

  @Test
  void showsOursBesideThePublishedScore() {
    List<String> lines =
        table.of(List.of(BASELINE.comparedWith(BASELINE, null, null), FAILED), List.of(RAW));
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
    assertThat(two.threads()).isEqualTo(2);

    List<String> lines =
        table.of(
            List.of(BASELINE),
            List.of(one.comparedWith(null, null, one), two.comparedWith(null, null, one)));
    assertThat(lines.get(0)).containsPattern(" x +alloc$");
    assertThat(lines.get(3)).startsWith("raw+lz4:1@1 ").contains(" 1.00 ");
    assertThat(lines.get(4)).startsWith("raw+lz4:1@2 ").contains(" 2.00 ");
    assertThat(lines.get(6)).startsWith("@N: ");
    assertThat(table.of(List.of(), List.of(two)).get(0)).doesNotContain(" x ");
  }

  @Test
  void namesTheFastestCodecInItsVerdict() {
    assertThat(table.verdict(List.of(BASELINE, COPY, RAW)))
        .isEqualTo(
            "raw+none segments is the fastest (8000 MB/s, score 0.063), 3 of 3 ok, digests equal");
    assertThat(table.verdict(List.of(FAILED))).startsWith("no codec went well, 0 of 1 ok");
  }
}
