package io.drayage.receive.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.ShipmentException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShipmentPaceTest {
  private static final long GIB = 1L << 30;

  private final ShipmentPace pace = new ShipmentPace();
  private long nowNs = Long.MAX_VALUE - 1_000_000_000;

  private void pass(Duration time) {
    nowNs += time.toNanos();
  }

  private @Nullable ShipmentException check() {
    return pace.check(nowNs, true);
  }

  /** Lets others ask once a second for this time. Returns their first refusal, or null. */
  private @Nullable ShipmentException othersWait(Duration time, boolean takesBytes) {
    for (long s = 0; s < time.toSeconds(); s++) {
      pass(Duration.ofSeconds(1));
      ShipmentException slow = pace.check(nowNs, takesBytes);
      if (slow != null) {
        return slow;
      }
    }
    return null;
  }

  @Test
  void whatHoldsNothingMayTakeItsTime() {
    pass(Duration.ofHours(1));

    assertThat(check()).isNull();
  }

  @Test
  void aCargoOverOneMegabitASecondGoesOn() {
    pace.acquired(20_000_000, nowNs);
    for (int i = 0; i < 8; i++) {
      pace.moved(125_000 * ShipmentPace.WINDOW.toSeconds());
      assertThat(othersWait(ShipmentPace.WINDOW, true)).isNull();
    }
  }

  @Test
  void aCargoThatStopsEnds() {
    pace.acquired(GIB, nowNs);
    pace.moved(GIB / 2);
    assertThat(othersWait(ShipmentPace.WINDOW, true)).isNull();

    assertThat(othersWait(ShipmentPace.WINDOW.minusSeconds(1), true)).isNull();
    assertThat(othersWait(Duration.ofSeconds(1), true))
        .hasMessage(
            "others wait for the 1,073,741,824 bytes that this cargo holds, but only 0 arrived in"
                + " 20 s: the minimum is 298,261 a second");
  }

  @Test
  void aLargeCargoThatWouldTakeAllDayEnds() {
    pace.acquired(8 * GIB, nowNs);
    pace.moved(2 * ShipmentPace.MIN_BYTES_PER_S * ShipmentPace.WINDOW.toSeconds());

    assertThat(othersWait(ShipmentPace.WINDOW, true)).isNotNull();
  }

  @Test
  void aPauseOfThisNodeIsNotTheWorkers() {
    pace.acquired(GIB, nowNs);
    for (int i = 0; i < 3; i++) {
      pass(ShipmentPace.WINDOW.multipliedBy(10));
      assertThat(check()).isNull();
    }

    assertThat(othersWait(ShipmentPace.WINDOW, true)).isNotNull();
  }

  @Test
  void aStoreThatTakesNothingIsNotTheWorkers() {
    pace.acquired(GIB, nowNs);
    assertThat(othersWait(ShipmentPace.WINDOW.multipliedBy(10), false)).isNull();

    assertThat(othersWait(ShipmentPace.WINDOW, true)).isNotNull();
  }
}
