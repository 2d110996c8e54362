package io.drayage.coordination;

import io.drayage.database.LogPosition;
import java.util.Optional;
import java.util.UUID;

/**
 * A node's term as primary. It may end without the node noticing; {@link #publish} detects that.
 * Thread-safe.
 */
public interface Term {
  /** Higher than that of every earlier term, and than {@link CandidacyListener#newestEpoch}. */
  long epoch();

  /** The same as {@link Coordination#cluster}. */
  UUID cluster();

  /**
   * What was published when the term began; empty if nothing ever was. No earlier term can publish
   * after that.
   */
  Optional<LogPosition> publishedBefore();

  /**
   * Makes an entry of the log the current snapshot; also if it is already. If the connection is
   * lost, waits a limited time for it.
   *
   * @throws IllegalArgumentException if its timestamp is lower than the last one published, or it
   *     is of another database, or another entry of the same timestamp
   * @throws DeposedException if the term is over: nothing was published
   * @throws CoordinationException if there was no answer in time: it may have been published, and a
   *     retry is safe
   */
  void publish(LogPosition position) throws CoordinationException;

  /** Whether the term is known to be over. */
  boolean isOver();
}
