package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.simulation.kernel.SimClassLoader;
import io.drayage.simulation.kernel.SimScheduler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the simulation is worth: it has to find what is missing if a call does nothing. */
@Tag("nightly")
@Timeout(300)
class BrokenVariantsTest {
  private static final int SEEDS = 60;

  @BeforeEach
  void needsThreadsThatCanBeScheduled() {
    assumeTrue(SimScheduler.isSupported(), "needs JDK 25 with java.lang opened");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "store/MemoryStore.reset",
        "store/ChangeHistory.truncateTo",
        "store/ChangeHistory.add",
        "store/CommitLog.add",
        "store/CommitLog.addUnchanged"
      })
  void isFound(String call) {
    ClassLoader broken = new SimClassLoader("io/drayage/" + call);

    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= SEEDS; seed++) {
                assertThat(SimulationTest.run(broken, seed)).isNotEmpty();
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed ");
  }
}
