package io.drayage.coordination;

/**
 * A node's term as primary. It may end without the node noticing; {@link #publish} detects that.
 * Thread-safe.
 */
public interface Term {
  /** Higher than that of every earlier term, and than {@link CandidacyListener#newestEpoch}. */
  long epoch();

  /**
   * The timestamp that was published when the term began; 0 if none ever was. No earlier term can
   * publish after that.
   */
  long publishedBefore();

  /**
   * Makes {@code timestamp} the current snapshot; also if it is already. If the connection is lost,
   * waits a limited time for it.
   *
   * @throws IllegalArgumentException if it is lower than the last one published
   * @throws DeposedException if the term is over: nothing was published
   * @throws CoordinationException if there was no answer in time: it may have been published, and a
   *     retry is safe
   */
  void publish(long timestamp) throws CoordinationException;

  /** Whether the term is known to be over. */
  boolean isOver();
}
