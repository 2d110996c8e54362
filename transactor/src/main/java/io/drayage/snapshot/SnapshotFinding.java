package io.drayage.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * The result of verifying one snapshot.
 *
 * @param key key of its manifest
 * @param entry its manifest; null if it cannot be read
 * @param error the problem; null if there is none
 */
public record SnapshotFinding(String key, @Nullable SnapshotEntry entry, @Nullable String error) {
  /** Whether the snapshot is intact. */
  public boolean isOk() {
    return error == null;
  }
}
