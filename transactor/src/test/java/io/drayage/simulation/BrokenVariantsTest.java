package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the simulation is worth: it has to find what is missing if a call does nothing. */
@Tag("nightly")
@Timeout(300)
class BrokenVariantsTest {
  private static final int SEEDS = 60;

  @TempDir Path folder;

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
    assertThatThrownBy(() -> SimulationTest.run(folder, 280, 1, SEEDS, 1, "io/drayage/" + call))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*Assertion(Failed)?Error: .*seed [0-9]+.*");
  }
}
