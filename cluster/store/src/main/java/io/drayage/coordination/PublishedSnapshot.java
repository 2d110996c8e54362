package io.drayage.coordination;

import io.drayage.database.LogPosition;

/**
 * The published state of the database.
 *
 * @param position the entry of the log that is the current snapshot, which every node can load
 * @param epoch the epoch of the primary that published it
 */
public record PublishedSnapshot(LogPosition position, long epoch) {
  /** The timestamp of the current snapshot. */
  public long timestamp() {
    return position.timestamp();
  }
}
