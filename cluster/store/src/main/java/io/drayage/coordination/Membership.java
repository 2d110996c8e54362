package io.drayage.coordination;

/** A live node's place in its cluster, until closed. Thread-safe. */
public interface Membership extends Registration {
  /**
   * Tells the others how far it is, and how full. Returns at once; if it does not come through, the
   * next call does.
   */
  void report(NodeProgress progress);
}
