package io.drayage.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StageUseTest {
  @Test
  void threadsThatDidNothingAreNotActive() {
    StageUse use = new StageUse(Map.of(1L, 990L, 2L, 10L, 3L, 0L, 4L, 9L), 0);
    assertThat(use.cpuNs()).isEqualTo(1_009);
    assertThat(use.activeThreads()).isEqualTo(1);
    assertThat(new StageUse(Map.of(1L, 500L, 2L, 400L), 0).activeThreads()).isEqualTo(2);
    assertThat(new StageUse(Map.of(), 700).activeThreads()).isEqualTo(1);
    assertThat(new StageUse(Map.of(), 0).activeThreads()).isZero();
  }

  @Test
  void theTimeOfAThreadThatEndsIsNotCountedTwice() {
    StageUse before = new StageUse(Map.of(1L, 100L, 2L, 50L), 7);
    StageUse after = new StageUse(Map.of(1L, 130L, 3L, 5L), 7 + 50);
    StageUse since = after.minus(before);
    assertThat(since.cpuNsByThread()).containsOnly(Map.entry(1L, 30L), Map.entry(3L, 5L));
    assertThat(since.endedCpuNs()).isZero();
  }

  @Test
  void keepsTheTimeOfThreadsThatHaveEnded() throws Exception {
    StageThreads threads = new StageThreads();
    AtomicLong whileAlive = new AtomicLong();
    Thread thread =
        new Thread(
            () -> {
              threads.join(Stage.ENCODE);
              long sum = 0;
              for (int i = 0; i < 5_000_000; i++) {
                sum += Long.hashCode(i * 31L + sum);
              }
              assertThat(sum).isNotEqualTo(1);
              whileAlive.set(threads.snapshot().get(Stage.ENCODE).cpuNs());
            });
    thread.start();
    thread.join();
    assertThat(whileAlive.get()).isPositive();
    StageUse after = threads.snapshot().get(Stage.ENCODE);
    assertThat(after.cpuNsByThread()).isEmpty();
    assertThat(after.endedCpuNs()).isEqualTo(whileAlive.get());
  }
}
