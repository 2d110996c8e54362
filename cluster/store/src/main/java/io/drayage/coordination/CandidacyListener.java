package io.drayage.coordination;

/**
 * Called when a node becomes primary, and when it is deposed. One call at a time, in order, which
 * must not block: the end of a term would be told late.
 */
public interface CandidacyListener {
  /**
   * The newest epoch that the node knows of, for instance from the log: that of its next term is
   * higher. Asked at each election; must not block.
   */
  default long newestEpoch() {
    return 0;
  }

  /** The node has become primary. */
  void elected(Term term);

  /** The node is no longer primary, as far as it knows. Follows {@link #elected}. */
  void deposed(Term term);
}
