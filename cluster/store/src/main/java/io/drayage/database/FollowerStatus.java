package io.drayage.database;

import org.jspecify.annotations.Nullable;

/** The progress of a node that follows the published snapshots. */
public interface FollowerStatus {
  /** The newest snapshot in its memory. */
  long snapshot();

  /** The newest published snapshot that the node knows of. */
  long published();

  /** The lag of the node; null if it does not know yet what is published. */
  @Nullable Lag behind();

  /** The reason why the node cannot go on; null if it can. */
  @Nullable String failure();

  /** The number of published snapshots that the node has not loaded. */
  default long lag() {
    return Math.max(0, published() - snapshot());
  }
}
