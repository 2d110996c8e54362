package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class FloorTest {
  private static final String SYSTEM = "netty:raw+none@2";

  private static Summary summary(Run run) {
    Measurement measured = new Measurement(List.of(run), Map.of());
    return Summary.of(List.of(SYSTEM), SYSTEM, measured).get(0);
  }

  @Test
  void bytesThatAreNotSentNeedNoWireAndNoDisk() {
    Floor floor = Floor.ofPasses(0.2, 0.3, 0.5);
    Run run = Runs.ok(SYSTEM, 1, 200);
    Summary ofMemory = summary(run);
    assertThat(ofMemory.figures().ratio()).isEqualTo(2); // Half of the bytes are sent.
    double cpuS = Objects.requireNonNull(ofMemory.figures().cpuSPerGB());

    assertThat(floor.times(ofMemory)).isCloseTo(cpuS / (0.1 + 0.2 / 2), within(1e-9));
    assertThat(floor.times(summary(Runs.wholeCommit(run, SYSTEM, 200, 0.3))))
        .isCloseTo(cpuS / (0.1 + 0.4 / 2), within(1e-9));
  }

  @Test
  void noiseMakesNoStepNegative() {
    assertThat(Floor.ofPasses(0.3, 0.2, 0.1)).isEqualTo(new Floor(0, 0.3, 0.0));
    assertThat(Floor.ofPasses(0.3, 0.4, null).disk()).isNull();
  }

  @Test
  void aSystemThatFailedHasNoMultiple() {
    assertThat(Floor.ofPasses(0.2, 0.3, 0.5).times(summary(Run.failed(SYSTEM, 1, "gone"))))
        .isNull();
  }
}
