package io.drayage.database;

import org.jspecify.annotations.Nullable;

/**
 * How far a node is behind what is published.
 *
 * @param snapshots those published and not loaded
 * @param ageMs for how long the node has known of the oldest of them; 0 if there is none
 */
public record Lag(long snapshots, long ageMs) {
  /** How many snapshots behind a node counts as caught up: a takeover loads them at once. */
  public static final long LIMIT_SNAPSHOTS = 20;

  /** How long it may have known of a snapshot that it has not loaded. */
  public static final long LIMIT_MS = 5_000;

  /** The lag of a node that has loaded everything. */
  public static final Lag NONE = new Lag(0, 0);

  /** The age of a lag in seconds; not a number if it is not known. */
  public static double ageSeconds(@Nullable Lag lag) {
    return lag == null ? Double.NaN : lag.ageMs / 1e3;
  }

  /** Whether it is within both limits. */
  public boolean isCaughtUp() {
    return snapshots <= LIMIT_SNAPSHOTS && ageMs <= LIMIT_MS;
  }
}
