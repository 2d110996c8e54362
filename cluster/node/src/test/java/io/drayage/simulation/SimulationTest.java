package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.crash.CrashPoint;
import io.drayage.testing.ChildJvm;
import io.drayage.testing.NewJdk;
import io.drayage.testing.Waiting;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters by seed. Run a single one with {@code -Dsimulation.seed=N}. */
@Tag("starts-new-jdk")
class SimulationTest {
  /** Number of seeds in every build. */
  private static final int FEW = 20;

  /** Number of seeds that the tier ci adds. */
  private static final int MORE = 80;

  /** States that transactions of several workers must reach. */
  private static final List<String> MIX =
      List.of(
          "reached worker died:",
          "reached worker stopped:",
          "reached fragment refused:",
          "reached fragment twice:",
          "reached Commit twice:",
          "reached Renew twice:",
          "reached answer lost:",
          "reached open through the night:");

  private static final List<String> STRAINS =
      Stream.of(Strain.values()).map(strain -> "reached strain " + strain + ":").toList();

  /** Points where so few seeds die that 10,000 seeds need not. */
  private static final Set<CrashPoint> RARE =
      EnumSet.of(
          CrashPoint.RECOVERED, CrashPoint.TAKEN_OVER, CrashPoint.EXPIRING, CrashPoint.ASKED_LATE);

  @TempDir Path folder;

  /** Runs seeds in a JDK that supports them, this one or another one. Returns their output. */
  static String run(Path folder, long deadlineS, long first, long last, int times, String variant)
      throws Exception {
    return run(folder, deadlineS, first, last, times, variant, "");
  }

  /** Runs seeds with the faults that a {@link Focus} names. */
  static String run(
      Path folder, long deadlineS, long first, long last, int times, String variant, String focus)
      throws Exception {
    return ChildJvm.run(
        NewJdk.java(),
        folder,
        deadlineS,
        List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Djdk.trackAllThreads=false",
            "-XX:+UseSerialGC",
            "-Xmn400m",
            "-Xmx700m",
            // Nodes collect garbage at their start to see what is free.
            "-XX:+DisableExplicitGC",
            // C2 saves time only after some hundred seeds.
            last - first < 200 ? "-XX:TieredStopAtLevel=1" : "-XX:TieredStopAtLevel=4"),
        SimulationMain.class,
        Long.toString(first),
        Long.toString(last),
        Integer.toString(times),
        variant,
        focus);
  }

  @Test
  @Timeout(600)
  void aSeedDoesTheSameAgain() throws Exception {
    assertThat(run(folder, 570, 1, 4, 2, "")).contains("seed 4 holds");
  }

  @Test
  @Timeout(600)
  void whatIsPromisedHoldsUnderFaults() throws Exception {
    long one = Long.getLong("simulation.seed", 0);
    String unused = one > 0 ? holds(one, one) : holds(1, FEW);
  }

  /** The lines that are printed if in some seed a node reached, or died at, each point. */
  private static List<String> reached(String how) {
    return Stream.of(CrashPoint.values())
        .filter(point -> how.isEmpty() || !RARE.contains(point))
        .map(point -> "reached " + point + how + ":")
        .toList();
  }

  @Test
  @Tag("ci")
  @Timeout(600)
  void whatIsPromisedHoldsUnderMoreFaults() throws Exception {
    assertThat(holds(FEW + 1, FEW + MORE)).contains(reached(""));
  }

  private String holds(long first, long last) throws Exception {
    String printed = run(folder, 570, first, last, 1, "");
    assertThat(printed).contains("seed " + last + " holds");
    return printed;
  }

  /** A worker never shows changes that it applied wrongly, but loads them again. */
  @Test
  @Tag("nightly")
  @Timeout(600)
  void whatIsPromisedHoldsIfAWorkerAppliesWronglyNowAndThen() throws Exception {
    String variant =
        "io/drayage/store/column/ColumnWriter.apply@io/drayage/simulation/CallPatches.applyMostly";

    assertThat(run(folder, 570, 1, 500, 1, variant)).contains("seed 500 holds");
  }

  @Test
  @Tag("nightly")
  @Timeout(7_200)
  void whatIsPromisedHoldsUnderFaultsAtLength() throws Exception {
    // Two processes, because a simulation has one thread.
    Waiting.Running<String> half = Waiting.start(() -> run(folder, 7_000, 1_001, 6_000, 1, ""));
    assertThat(run(folder, 7_000, 6_001, 11_000, 1, "") + half.get())
        .contains("seed 6000 holds", "seed 11000 holds")
        .contains(MIX)
        .contains(STRAINS)
        .contains(reached(" died"));
  }
}
