package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import io.drayage.objectstore.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain LoadingMark marks} of all readers of a store in this process. Each full snapshot
 * has one mark, whatever the number of its readers. One thread renews all marks, while there are
 * any. Thread-safe; marking and its end may block.
 */
public final class LoadingMarks implements AutoCloseable {
  private final ObjectStore store;

  // Guarded by this.

  /** The marks by the timestamps of the full snapshots. */
  private final Map<Long, Counted> marks = new HashMap<>();

  /** The thread that renews the marks; null if there are none. */
  private @Nullable Thread renewing;

  private boolean closed;

  private static final class Counted {
    final LoadingMark mark;
    int readers;

    Counted(LoadingMark mark) {
      this.mark = mark;
    }
  }

  /** The mark of one reader. */
  public interface Marked extends AutoCloseable {
    /** Ends the mark of this reader. Idempotent. */
    @Override
    void close();
  }

  /**
   * @param store not closed by this object
   */
  public LoadingMarks(ObjectStore store) {
    this.store = store;
  }

  /** Marks the full snapshot of a timestamp, before it is read. No effect once closed. */
  public synchronized Marked mark(long full) {
    if (closed) {
      return () -> {};
    }
    Counted counted =
        marks.computeIfAbsent(full, n -> new Counted(new LoadingMark(store, n, false)));
    counted.readers++;
    if (renewing == null) {
      renewing =
          new DaemonThreads("drayage-loading").newThread(() -> Waits.orInterrupted(this::run));
      renewing.start();
    }
    boolean[] ended = {false};
    return () -> {
      synchronized (this) {
        if (!ended[0]) {
          ended[0] = true;
          end(full, counted);
        }
      }
    };
  }

  private synchronized void end(long full, Counted counted) {
    if (--counted.readers == 0 && marks.remove(full, counted)) {
      counted.mark.close();
      endIfUnused();
    }
  }

  private synchronized void endIfUnused() {
    if (marks.isEmpty()) {
      renewing = null;
      notifyAll();
    }
  }

  private void run() throws InterruptedException {
    for (List<LoadingMark> due = awaitDue(); !due.isEmpty(); due = awaitDue()) {
      // Without the monitor: a caller of mark must not wait for a slow store.
      due.forEach(LoadingMark::renew);
    }
  }

  /** Waits until marks are due for renewal, and returns all. Returns none if the thread may end. */
  private synchronized List<LoadingMark> awaitDue() throws InterruptedException {
    long endNs = System.nanoTime() + LoadingMark.RENEWAL_NS;
    Waits.until(this, endNs, () -> renewing != Thread.currentThread());
    List<LoadingMark> due = new ArrayList<>();
    if (renewing == Thread.currentThread()) {
      marks.values().forEach(each -> due.add(each.mark));
    }
    return due;
  }

  /** Ends all marks. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    marks.values().forEach(each -> each.mark.close());
    marks.clear();
    endIfUnused();
  }

  @Override
  public synchronized String toString() {
    return format("LoadingMarks[%s: %s]", store.name(), marks.keySet());
  }
}
