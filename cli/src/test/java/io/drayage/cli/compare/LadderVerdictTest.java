package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.ladder.Rung;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.bench.result.Summary;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LadderVerdictTest {
  private final Rung first = Rungs.all().get(0);
  private final Rung second = Rungs.all().get(1);

  private RungSummary summary(Rung rung, int number, List<Run> runs) {
    List<Summary> both = Summary.of(List.of(first.name(), second.name()), first.name(), runs);
    return RungSummary.of(rung, 1, both.get(number - 1), both.get(0))
        .numbered(number, rung.isFirst() ? null : 1);
  }

  @Test
  void namesTheTopAndTheLargestStep() {
    List<Run> runs = List.of(Runs.ok(first.name(), 1, 1_000), Runs.ok(second.name(), 1, 400));
    List<RungSummary> summaries =
        List.of(
            summary(first, 1, runs),
            summary(second, 2, runs),
            RungSummary.skipped(Rungs.all().get(2), "no such thing").numbered(3, 1));
    List<Run> kept = runs.stream().map(run -> run.inGroup(1)).toList();

    assertThat(LadderVerdict.of(summaries, kept))
        .isEqualTo(
            "grpc:java-buffered+none is 2.5x as fast as grpc:java+none (S+Q 0.400 s), the largest"
                + " step is 'buffered reads' (2.50x), 2 of 2 runs ok, 1 rungs skipped, digests"
                + " equal");
    assertThat(LadderTable.of(summaries))
        .anyMatch(line -> line.startsWith("2 grpc:java-buffered+none") && line.contains("2.50"))
        .anyMatch(line -> line.startsWith("skipped 3,") && line.endsWith("no such thing"));
  }

  @Test
  void aRungThatFailedHasNoGain() {
    List<Run> runs =
        List.of(Runs.ok(first.name(), 1, 1_000), Run.failed(second.name(), 1, "it was too slow"));
    RungSummary failed = summary(second, 2, runs);

    assertThat(failed.status()).isEqualTo("failed");
    assertThat(failed.gain()).isNull();
    assertThat(LadderVerdict.of(List.of(summary(first, 1, runs), failed), List.of()))
        .startsWith("grpc:java+none is 1.0x");
  }
}
