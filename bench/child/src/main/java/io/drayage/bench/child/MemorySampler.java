package io.drayage.bench.child;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds the peak of {@link MemoryInUse} over a period, with a thread that samples every {@value
 * #INTERVAL_MS} ms and sleeps while nothing is measured. A sample costs 20 to 50 microseconds,
 * including the wake-up. So the thread does not sample more often.
 *
 * <p>Used heap only grows between two collections. So the usage at the beginning of a collection is
 * a peak that samples may miss. It counts too, with the direct memory at the moment when the thread
 * notices it. The peaks of the memory pools cannot be used: they are of different moments, and
 * their sum counts memory twice that moved from one pool to another.
 *
 * <p>Thread-safe.
 */
final class MemorySampler {
  private static final int INTERVAL_MS = 10;

  private final MemoryInUse inUse;
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition measuringStarted = lock.newCondition();
  private boolean measuring;
  private long peakBytes;
  private long collectionsSeen;

  MemorySampler(MemoryInUse inUse) {
    this.inUse = inUse;
    Thread thread = new Thread(this::sampleForever, "rig-memory-sampler");
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts to measure, and forgets earlier measurements. */
  void start() {
    lock.lock();
    try {
      peakBytes = 0;
      collectionsSeen = collections();
      sample();
      measuring = true;
      measuringStarted.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes a last sample and stops, if it is measuring. */
  void stop() {
    lock.lock();
    try {
      if (measuring) {
        sample();
        measuring = false;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The peak of the last measured period. */
  long peakBytes() {
    lock.lock();
    try {
      return peakBytes;
    } finally {
      lock.unlock();
    }
  }

  private void sampleForever() {
    lock.lock();
    try {
      while (true) {
        while (!measuring) {
          measuringStarted.await();
        }
        sample();
        // Releases the lock while it waits.
        measuringStarted.await(INTERVAL_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Does as little as possible: it runs during measurements, and is seldom compiled. */
  private void sample() {
    long heapBytes = inUse.heapBytes();
    long directBytes = inUse.directBytes();
    peakBytes = Math.max(peakBytes, heapBytes + directBytes);
    long collections = collections();
    if (collections != collectionsSeen) {
      collectionsSeen = collections;
      peakBytes = Math.max(peakBytes, heapBeforeLastCollection() + directBytes);
    }
  }

  private long collections() {
    long count = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      count += collector.getCollectionCount();
    }
    return count;
  }

  private long heapBeforeLastCollection() {
    GcInfo last = null;
    for (GarbageCollectorMXBean collector : collectors) {
      GcInfo info = collector.getLastGcInfo();
      if (info != null && (last == null || info.getEndTime() > last.getEndTime())) {
        last = info;
      }
    }
    return last == null ? 0 : heapBytes(last);
  }

  private static long heapBytes(GcInfo info) {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(pool -> info.getMemoryUsageBeforeGc().get(pool.getName()))
        .filter(Objects::nonNull)
        .mapToLong(MemoryUsage::getUsed)
        .sum();
  }
}
