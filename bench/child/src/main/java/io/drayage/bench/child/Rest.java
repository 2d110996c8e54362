package io.drayage.bench.child;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Brings this process to rest before a measurement: what an earlier one has left, garbage and code
 * that waits for the JIT compiler, is not to be paid for by the next. Most of what is compiled late
 * belongs to the rig itself.
 */
final class Rest {
  /** {@link OperatingSystemMXBean#getProcessCpuTime} counts ticks of 10 ms: less is no time. */
  private static final int LOOK_EVERY_MS = 20;

  private static final int QUIET_LOOKS = 3;
  private static final long LIMIT_MS = 1_000;

  private Rest() {}

  /**
   * Collects garbage and waits until the process takes no processor time, but at most {@value
   * #LIMIT_MS} ms.
   */
  static void come() throws InterruptedException {
    System.gc();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MS);
    long before = system.getProcessCpuTime();
    int quiet = 0;
    while (quiet < QUIET_LOOKS && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      long now = system.getProcessCpuTime();
      quiet = now == before ? quiet + 1 : 0;
      before = now;
    }
  }
}
