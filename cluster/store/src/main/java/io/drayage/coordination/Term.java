package io.drayage.coordination;

import io.drayage.database.LogPosition;
import java.util.Optional;
import java.util.UUID;

/**
 * A node's term as primary. A term may end before the node notices; {@link #publish} detects that.
 * Thread-safe.
 */
public interface Term {
  /** The epoch: higher than {@link CandidacyListener#newestEpoch} and that of earlier terms. */
  long epoch();

  /** The id of the cluster; see {@link Coordination#cluster}. */
  UUID cluster();

  /**
   * The snapshot that was published when the term began; empty if none ever was. No earlier term
   * can publish another after that.
   */
  Optional<LogPosition> publishedBefore();

  /**
   * Makes an entry of the log the current snapshot; no effect if it already is. If the connection
   * is lost, waits a limited time for it.
   *
   * @throws IllegalArgumentException if its timestamp is lower than the last one published, or it
   *     belongs to another database, or is another entry of the same timestamp
   * @throws DeposedException if the term is over: nothing was published
   * @throws CoordinationException if no answer came in time: the entry may have been published, and
   *     a retry is safe
   */
  void publish(LogPosition position) throws CoordinationException;

  /** Whether the term is known to be over. */
  boolean isOver();
}
