package io.drayage.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.database.Lag;
import io.drayage.testing.Waiting;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LagMeterTest {
  private final LagMeter meter = new LagMeter();

  private Lag of(long loaded) {
    return Objects.requireNonNull(meter.of(loaded));
  }

  @Test
  void knowsNothingBeforeAnythingIsPublished() {
    assertThat(meter.of(5)).isNull();
    meter.publish(0);
    assertThat(meter.of(5)).isEqualTo(Lag.NONE);
  }

  @Test
  void countsWhatIsNotLoadedAndForHowLong() {
    meter.publish(10);
    Waiting.await(() -> of(7).ageMs() > 0);
    meter.publish(12);
    assertThat(of(7).snapshots()).isEqualTo(5);
    assertThat(of(12)).isEqualTo(Lag.NONE);
    meter.publish(11); // A late notice.
    assertThat(of(12)).isEqualTo(Lag.NONE);
  }

  /** Otherwise a node that is always a little behind would look stuck. */
  @Test
  void theAgeIsThatOfTheOldestThatIsNotLoaded() {
    meter.publish(1);
    Waiting.await(() -> of(0).ageMs() >= 200);
    meter.publish(2);
    assertThat(of(0).ageMs()).isGreaterThanOrEqualTo(200);
    long atMost = of(0).ageMs();
    assertThat(of(1).ageMs()).isLessThan(atMost);
  }

  @Test
  void forgetsNotTheOldestHoweverLongItIsBehind() {
    for (long timestamp = 1; timestamp <= 100_000; timestamp++) {
      meter.publish(timestamp);
    }
    Waiting.await(() -> of(0).ageMs() > 0);
    assertThat(of(0).snapshots()).isEqualTo(100_000);
    assertThat(of(99_999).snapshots()).isOne();
  }
}
