package io.drayage.receive;

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
    return pace.check(nowNs);
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
      pass(ShipmentPace.WINDOW);
      pace.moved(125_000 * ShipmentPace.WINDOW.toSeconds());
      assertThat(check()).isNull();
    }
  }

  @Test
  void aCargoThatStopsEnds() {
    pace.acquired(GIB, nowNs);
    pace.moved(GIB / 2);
    pass(ShipmentPace.WINDOW.minusNanos(1));
    assertThat(check()).isNull();
    pass(Duration.ofNanos(1));
    assertThat(check()).isNull();
    pass(ShipmentPace.WINDOW);

    assertThat(check())
        .hasMessage(
            "others wait for the 1,073,741,824 bytes that this cargo holds, and only 0 came in 20 s:"
                + " at least 298,261 a second have to");
  }

  @Test
  void aLargeCargoThatWouldTakeAllDayEnds() {
    pace.acquired(8 * GIB, nowNs);
    pass(ShipmentPace.WINDOW);
    pace.moved(2 * ShipmentPace.MIN_BYTES_PER_S * ShipmentPace.WINDOW.toSeconds());

    assertThat(check()).isNotNull();
  }
}
