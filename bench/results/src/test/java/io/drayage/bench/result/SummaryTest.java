package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemList;
import io.drayage.bench.system.SystemOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SummaryTest {
  private static final String BASE = "grpc:java+none";
  private static final String FAST = "netty:raw+none@2";

  private static List<Run> runs(String system, long... sqMs) {
    List<Run> runs = new ArrayList<>();
    for (long ms : sqMs) {
      runs.add(Runs.ok(system, runs.size() + 1, ms));
    }
    return runs;
  }

  private static Summary only(List<Run> runs) {
    return Summary.of(List.of(BASE), BASE, Measurement.of(runs)).get(0);
  }

  @Test
  void takesTheMiddleOfTheRunsOrTheMeanOfTheTwoInTheMiddle() {
    assertThat(only(runs(BASE, 900, 1000, 5000)).sqMedianS()).isEqualTo(1.0);
    assertThat(only(runs(BASE, 5000, 900, 1000, 1100)).sqMedianS()).isEqualTo(1.05);
  }

  @Test
  void derivesRateRatioAndSpreadFromTheMedians() {
    Summary summary = only(runs(BASE, 900, 1000, 5000));
    assertThat(summary.figures().rawMBps()).isEqualTo(100.0);
    assertThat(summary.figures().ratio()).isEqualTo(2.0);
    assertThat(summary.figures().wireBytes()).isEqualTo(50_000_000);
    assertThat(summary.commitMedianS()).isCloseTo(1.1, within(1e-9));
    assertThat(summary.figures().sqMinS()).isEqualTo(0.9);
    assertThat(summary.figures().sqMaxS()).isEqualTo(5.0);
    assertThat(summary.figures().cpuMedianS()).isEqualTo(0.75);
    assertThat(summary.costs().workerBeyondCargoBytes()).isEqualTo(30_000_000);
    assertThat(summary.costs().transactorBeyondCargoBytes()).isEqualTo(20_000_000);
  }

  @Test
  void namesTheStageWithTheHighestMedianUtilisation() {
    // 0.4 s of two threads in 1 s each: 20 %; nothing else comes near.
    assertThat(only(runs(BASE, 900, 1000, 5000)).costs().busiest())
        .isEqualTo("worker encode 20 % of 2 threads");
  }

  @Test
  void comparesWithTheBaseline() {
    List<Run> all = new ArrayList<>(runs(FAST, 200, 250, 300));
    all.addAll(runs(BASE, 1000, 1000, 1000));
    List<Summary> summaries = Summary.of(List.of(FAST, BASE), BASE, Measurement.of(all));
    assertThat(summaries).extracting(Summary::system).containsExactly(FAST, BASE);
    assertThat(summaries.get(0).sqSpeedup()).isEqualTo(4.0);
    assertThat(summaries.get(0).commitSpeedup()).isCloseTo(1.1 / 0.35, within(1e-9));
    assertThat(summaries.get(1).sqSpeedup()).isEqualTo(1.0);
  }

  @Test
  void aFailedRunFailsItsSystemAndCountsInNoFigure() {
    List<Run> all = new ArrayList<>(runs(FAST, 200, 300));
    all.add(Run.failed(FAST, 3, "the worker ended"));
    all.addAll(runs(BASE, 1000));
    Summary failed = Summary.of(List.of(FAST, BASE), BASE, Measurement.of(all)).get(0);
    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.sqMedianS()).isEqualTo(0.25);
    assertThat(failed.sqSpeedup()).isNull();
    assertThat(failed.commitSpeedup()).isNull();
    assertThat(failed.counts().runsOk()).isEqualTo(2);
    assertThat(failed.counts().runsFailed()).isEqualTo(1);
  }

  @Test
  void aSystemWithoutASingleGoodRunHasNoFigures() {
    Summary summary = only(List.of(Run.failed(BASE, 1, "broken")));
    assertThat(summary.status()).isEqualTo(Status.FAILED);
    assertThat(summary.sqMedianS()).isNull();
    assertThat(summary.figures().rawMBps()).isNull();
    assertThat(summary.figures().ratio()).isNull();
    assertThat(summary.figures().wireBytes()).isNull();
    assertThat(summary.costs().busiest()).isNull();
  }

  @Test
  void nothingIsComparedWithAFailedBaseline() {
    List<Run> all = new ArrayList<>(runs(FAST, 200));
    all.add(Run.failed(BASE, 1, "broken"));
    Summary fast = Summary.of(List.of(FAST, BASE), BASE, Measurement.of(all)).get(0);
    assertThat(fast.status()).isEqualTo(Status.OK);
    assertThat(fast.sqSpeedup()).isNull();
  }

  @Test
  void givesAnIntervalAndLeavesDisturbedTurnsOut() {
    List<Run> all = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      boolean disturbed = i > 6;
      all.add(Runs.ok(BASE, i, 1000 + i).withOthers(disturbed ? 60 : 1, disturbed));
      all.add(Runs.ok(FAST, i, disturbed ? 900 : 250).withOthers(1, false));
    }
    all.add(Run.failed(FAST, 9, "the worker ended"));
    Summary fast = Summary.of(List.of(FAST, BASE), BASE, Measurement.of(all)).get(0);
    assertThat(fast.sqSpeedup()).isCloseTo(4.014, within(1e-3));
    assertThat(fast.sq().low()).isBetween(4.0, 4.014);
    assertThat(fast.counts()).isEqualTo(new Summary.Counts(8, 1, 6, 0, 2));
    assertThat(fast.figures().jitShare()).isEqualTo(0.05);
    assertThat(Summary.isSettled(BASE, all)).isTrue();
    assertThat(Summary.isSettled(BASE, all.subList(0, 8))).as("4 turns").isFalse();
  }

  @Test
  void rungsThatAreWholeCommitsAreComparedByTheirCommits() {
    List<Rung> rungs =
        SystemList.of("ladder").rungs(SystemOptions.DEFAULT).stream()
            .filter(rung -> !rung.isShipmentAlone())
            .toList();
    Run download = Runs.ok(rungs.get(0).name(), 1, 400);
    List<Run> runs = List.of(download, Runs.committedIn(download, rungs.get(1).name(), 400, 0.25));
    List<Summary> summaries = Summary.ofRungs(rungs, Map.of(), Measurement.of(runs));
    assertThat(summaries.get(1).step().gain()).isEqualTo(2.0);
    assertThat(summaries.get(1).step().byCommit()).isTrue();
    assertThat(new Verdict(summaries, BASE, Measurement.of(runs)).answer())
        .as("no rung of S+Q")
        .isEqualTo("No system went well.");
  }

  @Test
  void aRungIsComparedWithTheOneItNamesInTheTurnsThatBothTook() {
    List<Rung> rungs = SystemList.of("ladder").rungs(SystemOptions.DEFAULT).subList(0, 4);
    List<Run> runs =
        List.of(
            Runs.ok(rungs.get(0).name(), 1, 1_000).inGroup(1),
            Runs.ok(rungs.get(1).name(), 1, 500).inGroup(1),
            Runs.ok(rungs.get(0).name(), 1, 2_000).inGroup(2),
            Runs.ok(rungs.get(1).name(), 1, 1_900).inGroup(2),
            Runs.ok(rungs.get(2).name(), 1, 400).inGroup(2));
    List<Summary> summaries =
        Summary.ofRungs(rungs, Map.of(rungs.get(3).name(), "no such thing"), Measurement.of(runs));
    assertThat(summaries)
        .extracting(summary -> summary.step().gain())
        .containsExactly(null, 1.25, 5.0, null);
    assertThat(summaries.get(3).status()).isEqualTo(Status.SKIPPED);
    assertThat(summaries.get(3).step().reason()).isEqualTo("no such thing");
    assertThat(new ObjectMapper().valueToTree(summaries.get(1)).fieldNames())
        .toIterable()
        .contains("rung", "change", "over", "overNumber", "status", "reason", "gain", "sqSpeedup");
  }
}
