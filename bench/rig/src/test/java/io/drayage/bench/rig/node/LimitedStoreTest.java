package io.drayage.bench.rig.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LimitedStoreTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final LimitedStore.Way way = new LimitedStore.Way(1_000_000, nowNs::get);

  private long passMs(long bytes) {
    return TimeUnit.NANOSECONDS.toMillis(way.passNs(bytes));
  }

  @Test
  void bytesWaitForThoseBefore() {
    assertThat(passMs(100_000)).isEqualTo(100);
    assertThat(passMs(50_000)).isEqualTo(150);
    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(120));
    assertThat(passMs(10_000)).isEqualTo(40);
  }

  @Test
  void littleIsSavedWhileNothingPasses() {
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(passMs(100_000)).isEqualTo(90);
  }
}
