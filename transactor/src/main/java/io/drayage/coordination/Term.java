package io.drayage.coordination;

/**
 * The time in which a node is primary. It may be over without the node's knowing: {@link #publish}
 * finds out. Thread-safe.
 */
public interface Term {
  /** Higher than that of every term before. */
  long epoch();

  /**
   * The timestamp that was published when the term began; 0 if none ever was. Nothing of an earlier
   * term has been published since, or will be.
   */
  long publishedBefore();

  /**
   * Makes {@code timestamp} the current snapshot. Waits, within limits, for a connection that is
   * lost to come back.
   *
   * @throws IllegalArgumentException if it is not higher than what this term published before
   * @throws DeposedException if the term is over: nothing was published
   * @throws CoordinationException if there was no answer in time; whether it was published is not
   *     known, and doing it again is safe
   */
  void publish(long timestamp) throws CoordinationException;

  /** Whether the term is known to be over. */
  boolean isOver();
}
