package io.drayage.coordination;

/** The entry of a live node in its cluster, until closed. Thread-safe. */
public interface Membership extends Registration {
  /**
   * Reports the progress of the node to the others. Returns at once. After a failure, the next call
   * reports again.
   */
  void report(NodeProgress progress);
}
