package io.drayage.replica;

import io.drayage.database.Lag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Measures a node's {@link Lag}. Thread-safe; never blocks. */
public final class LagMeter {
  /** The resolution of the age. */
  private static final long STEP_NS = 100_000_000;

  /** Maximum number of remembered snapshots. The oldest are kept. */
  private static final int MAX_MARKS = 1_000;

  /** Some published snapshots, ascending, with the time of their notice. Guarded by this. */
  private final Deque<Mark> marks = new ArrayDeque<>();

  /** The newest known published snapshot; negative if there is none. Guarded by this. */
  private long published = -1;

  private record Mark(long timestamp, long heardNs) {}

  /** Notes a published snapshot. */
  public synchronized void publish(long timestamp) {
    if (timestamp <= published) {
      return;
    }
    published = timestamp;
    long nowNs = System.nanoTime();
    Mark last = marks.peekLast();
    if (marks.size() < MAX_MARKS && (last == null || nowNs - last.heardNs() >= STEP_NS)) {
      marks.add(new Mark(timestamp, nowNs));
    }
  }

  /**
   * The lag of a node that has loaded this snapshot; null if the published one is not known yet.
   */
  public synchronized @Nullable Lag of(long loaded) {
    if (published < 0) {
      return null;
    }
    while (!marks.isEmpty() && marks.element().timestamp() <= loaded) {
      marks.remove();
    }
    if (loaded >= published) {
      return Lag.NONE;
    }
    Mark oldest = marks.peek();
    long ageNs = oldest == null ? 0 : System.nanoTime() - oldest.heardNs();
    return new Lag(published - loaded, TimeUnit.NANOSECONDS.toMillis(ageNs));
  }
}
