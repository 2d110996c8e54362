package io.drayage.replica;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The checksums of the newest log entries in memory. They show whether a cargo was made on the
 * snapshot that this node has. Thread-safe.
 */
final class EntryChecksums {
  /** Number of kept checksums. A cargo on an older snapshot is not compared. */
  static final int KEPT = 4_096;

  /** Guarded by this. */
  private final NavigableMap<Long, Integer> checksums = new TreeMap<>();

  synchronized void add(long timestamp, int checksum) {
    checksums.put(timestamp, checksum);
    if (checksums.size() > KEPT) {
      checksums.pollFirstEntry();
    }
  }

  /** The checksum of an entry; 0 if it is unknown. */
  synchronized int of(long timestamp) {
    return checksums.getOrDefault(timestamp, 0);
  }
}
