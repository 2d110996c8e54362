package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemList;
import io.drayage.bench.system.SystemOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class VerdictTest {
  private static final String BASE = "grpc:java+none";
  private static final String FAST = "netty:raw+none@2";
  private static final String OTHER = "grpc-tuned:raw+none@2";

  private final List<Run> runs = new ArrayList<>();

  /** Adds a turn of a system for each time of S+Q; a commit is 100 ms longer. */
  private void took(String system, long... sqMs) {
    for (int i = 0; i < sqMs.length; i++) {
      runs.add(Runs.ok(system, i + 1, sqMs[i]));
    }
  }

  private Verdict verdict(Map<String, Warmth> warmth) {
    Measurement measured = new Measurement(runs, warmth);
    List<String> systems = runs.stream().map(Run::system).distinct().toList();
    return new Verdict(Summary.of(systems, BASE, measured), BASE, measured);
  }

  private String answer() {
    return verdict(Map.of()).answer();
  }

  @Test
  void namesTheWinnerWithIntervalsOfBothFactorsAndTurns() {
    took(BASE, 1280, 1290, 1270, 1300, 1260);
    took(FAST, 210, 212, 208, 214, 206);
    took(OTHER, 310, 312, 308, 314, 306);
    assertThat(answer())
        .isEqualTo(
            "netty:raw+none@2 is 6.10 times as fast as grpc:java+none in S+Q (95 % interval 6.06 to"
                + " 6.13). The commit into memory is 4.45 times as fast (4.44 to 4.46). From 5"
                + " turns.");
  }

  @Test
  void namesBothThatCannotBeToldApart() {
    took(BASE, 1280, 1290, 1270, 1300, 1260);
    took(FAST, 210, 230, 190, 214, 206);
    took(OTHER, 211, 212, 208, 220, 206);
    assertThat(answer())
        .startsWith("netty:raw+none@2 and grpc-tuned:raw+none@2 cannot be told apart: in S+Q they")
        .contains(
            "times (", " as fast as grpc:java+none. The commit into memory of netty:raw+none@2 is")
        .endsWith("From 5 turns.");
  }

  @Test
  void showsNoDifferenceIfTheIntervalContainsOne() {
    took(BASE, 1280, 1190, 1370, 1300, 1260);
    took(FAST, 1290, 1290, 1100, 1290, 1290);
    assertThat(answer())
        .startsWith(
            "No difference shown in S+Q between netty:raw+none@2 and the baseline grpc:java+none:")
        .containsPattern(
            "the 95 % interval of 0\\.\\d\\d to 1\\.\\d\\d times as fast contains 1\\.");
  }

  @Test
  void saysSoIfTheBaselineIsTheFastest() {
    took(BASE, 200, 201, 202, 203, 204);
    took(FAST, 400, 402, 404, 406, 408);
    assertThat(answer())
        .startsWith(
            "The baseline grpc:java+none is the fastest; netty:raw+none@2 is 0.50 times as fast in"
                + " S+Q (95 % interval 0.50 to 0.50).");
  }

  @Test
  void aBaselineThatIsAloneIsCalledSo() {
    took(BASE, 200);
    runs.add(Run.failed(FAST, 1, "gone"));
    assertThat(answer()).startsWith("The baseline grpc:java+none is the only one that went well.");
  }

  @Test
  void namesTheLeaderOfTheCommitsIfThatIsAnother() {
    took(BASE, 1000, 1001, 1002, 1003, 1004);
    took(FAST, 200, 201, 202, 203, 204);
    // S+Q is faster, but the commits are not.
    for (Run slow : List.copyOf(runs.subList(5, 10))) {
      runs.add(Runs.committedIn(slow, OTHER, 150, 1));
    }
    assertThat(answer())
        .startsWith("grpc-tuned:raw+none@2 is 6.")
        .contains("The commit into memory is 1.10 times as fast", "; that of netty:raw+none@2 3.6");
  }

  /** The last rungs are whole commits, the others end in memory. */
  @Test
  void doesNotCallTheCommitsOfALadderWhole() {
    List<Rung> rungs = SystemList.of("ladder").rungs(SystemOptions.DEFAULT);
    took(BASE, 1280);
    took("netty:raw+none@2", 210);
    Run turn = runs.get(1);
    runs.add(Runs.wholeCommit(turn, "netty:raw+none@2 load=own", 210, 0.5));
    List<Rung> ran =
        rungs.stream()
            .filter(rung -> runs.stream().anyMatch(run -> run.system().equals(rung.name())))
            .toList();
    Measurement measured = Measurement.of(runs);
    assertThat(new Verdict(Summary.ofRungs(ran, Map.of(), measured), BASE, measured).answer())
        .contains("netty:raw+none@2 is 6.10 times as fast")
        .contains("The commit into memory is");
  }

  @Test
  void fewTurnsHaveNoInterval() {
    took(BASE, 1280);
    took(FAST, 210);
    assertThat(answer())
        .isEqualTo(
            "CANNOT BE TOLD: 1 turn is too few for an interval, which needs 5. So far: netty:raw+none@2"
                + " is 6.10 times as fast as grpc:java+none in S+Q. The commit into memory is 4.45"
                + " times as fast.");
  }

  @Test
  void givesPlainFiguresOfASingleSystem() {
    took(BASE, 200);
    assertThat(answer()).isEqualTo("grpc:java+none: S+Q 0.200 s, commit 0.300 s, 0.50 GB/s.");
    assertThat(verdict(Map.of()).remarks()).containsExactly("1 of 1 runs ok, digests equal");
  }

  @Test
  void doesNotCompareWithAFailedBaseline() {
    runs.add(Run.failed(BASE, 1, "gone"));
    took(FAST, 200);
    assertThat(answer())
        .isEqualTo(
            "netty:raw+none@2: S+Q 0.200 s, commit 0.300 s, 0.50 GB/s, the fastest; but nothing is"
                + " compared, since the baseline grpc:java+none failed.");
    assertThat(verdict(Map.of()).isSound()).isFalse();
  }

  @Test
  void aSystemThatFailedIsNotTheFastest() {
    took(BASE, 200, 200, 200, 200, 200);
    took(FAST, 40, 40, 40, 40, 40);
    runs.add(Runs.corrupt(FAST, 6, 40));
    took(OTHER, 100, 100, 100, 100, 100);
    assertThat(answer()).startsWith("grpc-tuned:raw+none@2 is 2.00 times as fast");
    assertThat(verdict(Map.of()).remarks()).contains("15 of 16 runs ok, digests differ");
  }

  @Test
  void saysSoIfNothingWentWell() {
    runs.add(Run.failed(BASE, 1, "gone"));
    assertThat(answer()).isEqualTo("No system went well.");
  }

  @Test
  void saysWhichWasNotWarmAndHowMuchWasDisturbed() {
    took(BASE, 1000, 1001, 1002, 1003, 1004, 5000);
    took(FAST, 200, 201, 202, 203, 204, 205);
    runs.set(5, runs.get(5).withOthers(60, true));
    runs.set(0, runs.get(0).withOthers(6, false));
    Verdict verdict =
        verdict(
            Map.of(
                BASE, new Warmth(true, null, 3.0), FAST, new Warmth(false, "5 s were over", 1.0)));
    assertThat(verdict.remarks())
        .contains("not warm, netty:raw+none@2: 5 s were over")
        .contains("others kept 33 % of the CPUs busy; left out: 1 disturbed run");
    assertThat(verdict.answer())
        .startsWith(
            "CANNOT BE TOLD: NOT WARM: netty:raw+none@2 (the compiler could still change a ratio by"
                + " at most 7 %). So far: netty:raw+none@2 is 4.96 times")
        .endsWith(" From 5 turns.");
    assertThat(verdict(Map.of(BASE, new Warmth(true, null, 3.0))).answer())
        .endsWith("From 5 turns, all warm.");

    runs.set(4, runs.get(4).withOthers(60, true));
    assertThat(verdict(Map.of()).remarks())
        .contains(
            "others kept 42 % of the CPUs busy; 2 of 12 runs were disturbed, too many to leave"
                + " out: measure again");
  }

  @Test
  void doesNotDoubtWhatTheCompilerCouldNotChange() {
    Map<String, Warmth> cold = Map.of(FAST, new Warmth(false, "CPU times differ", 1.0));
    took(BASE, 1000, 1200, 1000, 1200, 1000, 1200, 1000, 1200);
    took(FAST, 220, 200, 220, 200, 220, 200, 220, 200);
    assertThat(verdict(cold).answer())
        .startsWith("netty:raw+none@2 is 5.2")
        .endsWith(" From 8 turns. The compiler could still change a ratio by at most 5 %.");
    assertThat(verdict(cold).isShown()).isFalse();

    runs.clear();
    took(BASE, 1000, 1001, 1002, 1003, 1000, 1001, 1002, 1003);
    took(FAST, 240, 241, 242, 243, 200, 201, 202, 203);
    assertThat(verdict(cold).answer())
        .startsWith("CANNOT BE TOLD: NOT WARM: netty:raw+none@2 (the compiler could still change");
  }

  @Test
  void tellsTheRatioSoFar() {
    took(BASE, 1000, 1001, 1002, 1003);
    took(FAST, 200, 201, 202, 203);
    assertThat(Verdict.running(FAST, BASE, runs)).isEqualTo("4.97x");
    assertThat(Verdict.running(BASE, BASE, runs)).isEmpty();
    took(BASE, 1000, 1001, 1002, 1003, 1004);
    took(FAST, 200, 201, 202, 203, 204);
    assertThat(Verdict.running(FAST, BASE, runs)).matches("4\\.\\d\\dx \\(4.* to .*\\)");
  }
}
