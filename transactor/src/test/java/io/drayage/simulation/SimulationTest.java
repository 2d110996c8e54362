package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.simulation.kernel.SimClassLoader;
import io.drayage.simulation.kernel.SimScheduler;
import java.util.function.LongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One seed: {@code -Dsimulation.seed=N}. */
class SimulationTest {
  @BeforeEach
  void needsThreadsThatCanBeScheduled() {
    assumeTrue(SimScheduler.isSupported(), "needs JDK 25 with java.lang opened");
  }

  static String run(ClassLoader loader, long seed) throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Object cluster =
          loader.loadClass(SimulatedCluster.class.getName()).getConstructor().newInstance();
      @SuppressWarnings("unchecked")
      LongFunction<String> runs = (LongFunction<String>) cluster;
      return runs.apply(seed);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  @Timeout(180)
  void aSeedDoesTheSameAgain() throws Exception {
    ClassLoader loader = new SimClassLoader("");
    for (long seed = 1; seed <= 10; seed++) {
      assertThat(run(loader, seed)).as("seed %d", seed).isEqualTo(run(loader, seed));
    }
  }

  @Test
  @Timeout(180)
  void whatIsPromisedHoldsUnderFaults() throws Exception {
    run(1, 60);
  }

  @Test
  @Tag("nightly")
  @Timeout(1_800)
  void whatIsPromisedHoldsUnderFaultsAtLength() throws Exception {
    run(1, 3_000);
  }

  private static void run(long first, long last) throws Exception {
    Long one = Long.getLong("simulation.seed");
    ClassLoader loader = new SimClassLoader("");
    for (long seed = one == null ? first : one; seed <= (one == null ? last : one); seed++) {
      String done = run(loader, seed);
      if (one != null) {
        System.out.println("simulation: seed " + seed + ": " + done);
      }
    }
  }
}
