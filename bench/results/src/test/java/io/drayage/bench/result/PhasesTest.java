package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.bench.child.ControlMessages.Loaded;
import io.drayage.bench.child.ControlMessages.StepTimes;
import io.drayage.send.SendReport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhasesTest {
  /** The worker may be notified late that its cargo was received. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 7, 12})
  void thePhasesOfACommitFollowEachOtherWithoutAGap(int lateS) {
    long second = 1_000_000_000L;
    SendReport report =
        new SendReport(
            7, 1, 1, second, 2 * second, second, (3 + lateS) * second, (14 - lateS) * second, 0, 0);
    StepTimes steps = new StepTimes(5 * second, 6 * second, 2 * second);
    Loaded loaded = new Loaded(second, 4 * second, 26 * second, null);

    Phases phases = Phases.of(report, steps, loaded);

    assertThat(phases.byName().values()).allMatch(each -> each >= 0);
    assertThat(phases.byName().values().stream().mapToDouble(Double::doubleValue).sum())
        .isCloseTo(26, within(1e-9));
  }
}
