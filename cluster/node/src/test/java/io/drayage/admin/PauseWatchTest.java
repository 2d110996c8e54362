package io.drayage.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PauseWatchTest {
  private static final Logger LOGGER = Logger.getLogger(PauseWatch.class.getName());

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          told.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stop() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void aPauseOfHalfTheSessionTimeoutIsTold() {
    try (PauseWatch watch = new PauseWatch(registry, Duration.ofSeconds(6))) {
      watch.paused(TimeUnit.MILLISECONDS.toNanos(2_999), 2_000);
      assertThat(told).isEmpty();
      watch.paused(TimeUnit.MILLISECONDS.toNanos(3_000), 2_500);
    }
    assertThat(told)
        .containsExactly(
            "this node stood still for 3,000 ms, of which the garbage collector took 2,500: after two"
                + " thirds of the session timeout, 6,000 ms, it may count as dead");
    Timer pauses = registry.get("drayage.pause").timer();
    assertThat(pauses.count()).isEqualTo(2);
    assertThat(pauses.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(5_999);
    assertThat(pauses.max(TimeUnit.MILLISECONDS)).isEqualTo(3_000);
    assertThat(registry.get("drayage.session.timeout").gauge().value()).isEqualTo(6);
  }
}
