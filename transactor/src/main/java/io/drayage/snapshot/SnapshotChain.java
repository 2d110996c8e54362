package io.drayage.snapshot;

import java.util.List;

/**
 * What has to be read to have the newest snapshot: a full one, and what was done since.
 *
 * @param full where it begins
 * @param log the entries after it, without a gap
 */
public record SnapshotChain(SnapshotEntry full, List<SnapshotEntry> log) {
  public SnapshotChain {
    log = List.copyOf(log);
  }

  /** The timestamp of the newest snapshot. */
  public long timestamp() {
    return full.manifest().timestamp() + log.size();
  }

  /** What the next entry of the log has to name as its parent. */
  public int checksum() {
    return log.isEmpty() ? full.manifest().parentChecksum() : log.get(log.size() - 1).checksum();
  }
}
