package io.drayage.snapshot;

import java.util.List;

/**
 * A full snapshot and the log entries that lead from it to the newest snapshot.
 *
 * @param full the full snapshot
 * @param log the entries after it, without gaps
 */
public record SnapshotChain(SnapshotEntry full, List<SnapshotEntry> log) {
  public SnapshotChain {
    log = List.copyOf(log);
  }

  /** The timestamp of the newest snapshot. */
  public long timestamp() {
    return full.manifest().timestamp() + log.size();
  }

  /** The parent checksum of the next log entry. */
  public int checksum() {
    return log.isEmpty() ? full.manifest().parentChecksum() : log.get(log.size() - 1).checksum();
  }
}
