package io.drayage.bench.child;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Quiesces this process, so that a measurement includes no garbage of an earlier one, and no code
 * that waits for the JIT compiler. Most late compilations belong to the rig itself.
 */
final class Quiescence {
  /** {@link OperatingSystemMXBean#getProcessCpuTime} counts in steps of 10 ms. */
  private static final int LOOK_EVERY_MS = 20;

  private static final int QUIET_LOOKS = 3;
  private static final long LIMIT_MS = 6_000;

  private Quiescence() {}

  /**
   * Collects garbage and waits until the process uses no CPU time, but at most {@value #LIMIT_MS}
   * ms.
   */
  static void await() throws InterruptedException {
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
