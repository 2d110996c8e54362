package io.drayage.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * What was found when a snapshot was verified.
 *
 * @param key of its manifest
 * @param entry null if it cannot be read
 * @param error what is wrong; null if nothing is
 */
public record SnapshotFinding(String key, @Nullable SnapshotEntry entry, @Nullable String error) {
  /** Whether the snapshot is what was stored. */
  public boolean isOk() {
    return error == null;
  }
}
