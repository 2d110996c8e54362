package io.drayage.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.LoggedRecords;
import io.drayage.transactor.NodeEvents;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PauseWatchTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final NodeEvents events = new NodeEvents();
  @AutoClose private final LoggedRecords told = new LoggedRecords(PauseWatch.class.getName());

  @Test
  void aPauseOfHalfTheSessionTimeoutIsTold() {
    try (PauseWatch watch = new PauseWatch(registry, Duration.ofSeconds(6), events)) {
      watch.paused(TimeUnit.MILLISECONDS.toNanos(2_999), 2_000);
      assertThat(told.lines()).isEmpty();
      watch.paused(TimeUnit.MILLISECONDS.toNanos(3_000), 2_500);
    }
    assertThat(told.lines())
        .containsExactly(
            "WARNING this node stood still for 3,000 ms, of which the garbage collector took 2,500: after two"
                + " thirds of the session timeout, 6,000 ms, it may count as dead");
    assertThat(events.newest())
        .extracting(NodeEvents.Event::text)
        .containsExactly(
            "this node stood still for 3,000 ms, of which the garbage collector took 2,500");
    Timer pauses = registry.get("drayage.pause").timer();
    assertThat(pauses.count()).isEqualTo(2);
    assertThat(pauses.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(5_999);
    assertThat(pauses.max(TimeUnit.MILLISECONDS)).isEqualTo(3_000);
    assertThat(registry.get("drayage.session.timeout").gauge().value()).isEqualTo(6);
  }
}
