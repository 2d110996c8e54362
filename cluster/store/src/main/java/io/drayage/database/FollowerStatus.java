package io.drayage.database;

import org.jspecify.annotations.Nullable;

/** How far a node has followed the published snapshots. */
public interface FollowerStatus {
  /** The newest snapshot in its memory. */
  long snapshot();

  /** The newest published one that it knows of. */
  long published();

  /** How far it is behind; null if it does not know yet what is published. */
  @Nullable Lag behind();

  /** Why it cannot go on; null if nothing is wrong. */
  @Nullable String failure();

  /** The published snapshots that it has not loaded. */
  default long lag() {
    return Math.max(0, published() - snapshot());
  }
}
