package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import io.drayage.testing.NewJdk;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters by seed; one alone: {@code -Dsimulation.seed=N}. */
class SimulationTest {
  @TempDir Path folder;

  /** Runs seeds in a JDK that can: this one, or one beside it. What it printed. */
  static String run(Path folder, long deadlineS, long first, long last, int times, String variant)
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
            "-Xmx700m"),
        SimulationMain.class,
        Long.toString(first),
        Long.toString(last),
        Integer.toString(times),
        variant);
  }

  @Test
  @Timeout(300)
  void aSeedDoesTheSameAgain() throws Exception {
    assertThat(run(folder, 280, 1, 10, 2, "")).contains("seed 10 holds");
  }

  @Test
  @Timeout(300)
  void whatIsPromisedHoldsUnderFaults() throws Exception {
    Long one = Long.getLong("simulation.seed");
    long first = one == null ? 1 : one;
    long last = one == null ? 60 : one;

    assertThat(run(folder, 280, first, last, 1, "")).contains("seed " + last + " holds");
  }

  @Test
  @Tag("nightly")
  @Timeout(3_600)
  void whatIsPromisedHoldsUnderFaultsAtLength() throws Exception {
    assertThat(run(folder, 3_500, 501, 10_500, 1, "")).contains("seed 10500 holds");
  }
}
