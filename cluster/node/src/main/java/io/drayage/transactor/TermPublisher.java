package io.drayage.transactor;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.DeposedException;
import io.drayage.coordination.Term;
import io.drayage.database.LogPosition;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.transport.Backoff;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Publishes logged commits as the cluster's timestamp, on its own thread. Publishes several at once
 * when the log is faster: unless a worker waits for a publication, the next one begins {@link
 * #REST_MS} after the last one, because each costs more than a small commit. Retries while the
 * coordination cannot be reached.
 */
final class TermPublisher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(TermPublisher.class.getName());

  private static final long REST_MS = 25;

  private final Term term;
  private final Consumer<String> whenLost;

  /** Guarded by this. */
  private final Deque<PendingCommit> logged = new ArrayDeque<>();

  /** The end of the rest after the last publication. Guarded by this. */
  private long restUntilNs = System.nanoTime();

  /** Guarded by this. */
  private boolean closed;

  /**
   * @param whenLost receives the reason when the term is over
   */
  TermPublisher(Term term, Consumer<String> whenLost) {
    this.term = term;
    this.whenLost = whenLost;
  }

  void start(Consumer<PendingCommit> whenPublished) {
    new DaemonThreads("drayage-publish").newThread(() -> run(whenPublished)).start();
  }

  /** Queues commits for publication. Must be called in the order of the log. */
  synchronized void publish(List<PendingCommit> commits) {
    logged.addAll(commits);
    notifyAll();
  }

  private void run(Consumer<PendingCommit> whenPublished) {
    try {
      while (true) {
        List<PendingCommit> batch = nextBatch();
        if (batch.isEmpty() || !publishUntilDone(batch.get(batch.size() - 1))) {
          return;
        }
        batch.forEach(whenPublished);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "publishing cannot go on", e);
      FatalErrors.report(e);
      whenLost.accept("publishing cannot go on: " + e);
    }
  }

  private synchronized List<PendingCommit> nextBatch() throws InterruptedException {
    while (!closed) {
      long restMs = TimeUnit.NANOSECONDS.toMillis(restUntilNs - System.nanoTime());
      if (logged.isEmpty()) {
        wait();
      } else if (restMs <= 0 || logged.stream().anyMatch(PendingCommit::isAwaitedPublished)) {
        break;
      } else {
        TimeUnit.MILLISECONDS.timedWait(this, restMs);
      }
    }
    restUntilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MS);
    List<PendingCommit> batch = new ArrayList<>(logged);
    logged.clear();
    return closed ? List.of() : batch;
  }

  private boolean publishUntilDone(PendingCommit newest) throws InterruptedException {
    LogPosition position = Objects.requireNonNull(newest.logged());
    Backoff backoff = Backoff.endless();
    boolean warned = false;
    while (!isClosed()) {
      try {
        term.publish(position);
        return true;
      } catch (DeposedException e) {
        whenLost.accept(String.valueOf(e.getMessage()));
        return false;
      } catch (CoordinationException e) {
        if (!warned) {
          LOG.log(
              Level.WARNING,
              "timestamp {0} cannot be published yet: {1}",
              Long.toString(position.timestamp()),
              e.getMessage());
          warned = true;
        }
        pause(backoff.nextMs());
      }
    }
    return false;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Waits until the next commit is logged, or for a while. */
  private synchronized void pause(long longestMs) throws InterruptedException {
    if (!closed) {
      TimeUnit.MILLISECONDS.timedWait(this, longestMs);
    }
  }

  /** Stops publishing. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
