package io.drayage.coordination;

/**
 * Called when a node becomes primary, and when it is deposed. One call runs at a time, in order. A
 * call must not block, because it would delay the end of the term.
 */
public interface CandidacyListener {
  /**
   * Returns the newest epoch that the node knows of, for instance from the log. The epoch of its
   * next term is higher. Called at each election; must not block.
   */
  default long newestEpoch() {
    return 0;
  }

  /** The node has become primary. */
  void elected(Term term);

  /** The node is no longer primary, as far as it knows. Follows {@link #elected}. */
  void deposed(Term term);
}
