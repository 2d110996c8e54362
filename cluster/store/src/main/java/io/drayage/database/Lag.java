package io.drayage.database;

import org.jspecify.annotations.Nullable;

/**
 * The lag of a node behind the published snapshots.
 *
 * @param snapshots the number of published snapshots that it has not loaded
 * @param ageMs the time for which the node has known of the oldest of them; 0 if there is none
 */
public record Lag(long snapshots, long ageMs) {
  /** The most snapshots that a caught-up node may lack: a takeover loads them at once. */
  public static final long LIMIT_SNAPSHOTS = 20;

  /** The longest time for which a caught-up node may have known of a snapshot that it lacks. */
  public static final long LIMIT_MS = 5_000;

  /** The lag of a node that has loaded everything. */
  public static final Lag NONE = new Lag(0, 0);

  /** Returns the age of a lag in seconds; not a number if it is not known. */
  public static double ageSeconds(@Nullable Lag lag) {
    return lag == null ? Double.NaN : lag.ageMs / 1e3;
  }

  /** Whether the lag is within both limits. */
  public boolean isCaughtUp() {
    return snapshots <= LIMIT_SNAPSHOTS && ageMs <= LIMIT_MS;
  }
}
