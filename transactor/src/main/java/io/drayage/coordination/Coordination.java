package io.drayage.coordination;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What one node knows of its cluster, and tells it. Thread-safe; methods may block for a network,
 * and fail with {@link CoordinationException} when there is no answer in time.
 */
public interface Coordination extends AutoCloseable {
  /** Is among the live nodes until closed, or until this process dies. */
  Registration join(NodeInfo node) throws CoordinationException;

  /** The nodes that are there, in the order of their names. */
  List<NodeInfo> liveNodes() throws CoordinationException;

  /**
   * Stands for election until closed, which ends a term as well. Of all nodes that stand, one is
   * primary at a time, as far as the cluster knows; what one does that is not aware of its end is
   * refused, by its epoch.
   */
  Registration stand(NodeInfo node, CandidacyListener listener) throws CoordinationException;

  /** Who was elected last; empty if nobody ever was. */
  Optional<PrimaryInfo> primary() throws CoordinationException;

  /** What was published last; empty if nothing ever was. */
  Optional<Published> published() throws CoordinationException;

  /**
   * Tells {@code watcher} what is published now, and then each time it changes. Some values may be
   * skipped; timestamps only rise. One call at a time.
   */
  Registration watchPublished(Consumer<Published> watcher) throws CoordinationException;

  /** Tells {@code watcher} who is primary now, and then each time it changes; epochs only rise. */
  Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException;

  /**
   * Waits until at least {@code timestamp} is published.
   *
   * @return whether it was within {@code timeout}
   */
  default boolean awaitPublished(long timestamp, Duration timeout)
      throws CoordinationException, InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    Registration watch =
        watchPublished(
            published -> {
              if (published.timestamp() >= timestamp) {
                reached.countDown();
              }
            });
    try {
      return reached.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      watch.close();
    }
  }

  /** Leaves the cluster: ends everything that was begun here. */
  @Override
  void close();
}
