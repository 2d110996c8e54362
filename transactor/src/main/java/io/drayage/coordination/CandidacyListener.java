package io.drayage.coordination;

/**
 * Is told when its node becomes primary, and when it is no more. One call at a time, in order;
 * calls may block, and then hold up the next.
 */
public interface CandidacyListener {
  /** The node is primary. */
  void elected(Term term);

  /** The node is not primary any more, as far as is known. Follows {@link #elected}. */
  void deposed(Term term);
}
