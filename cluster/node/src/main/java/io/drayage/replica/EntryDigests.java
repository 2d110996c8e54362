package io.drayage.replica;

import io.drayage.coordination.AppliedReports;
import io.drayage.snapshot.SnapshotEntry;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The digests of what the newest entries of the log changed in this node's memory, and of what they
 * are to change: what the log says, unless other nodes agree that it is wrong. Thread-safe.
 */
public final class EntryDigests {
  /** An entry is not disputed after so many others. */
  private static final int KEPT = 4_096;

  private record Applied(long logged, long found) {}

  /** Guarded by this, as what follows. */
  private final NavigableMap<Long, Applied> applied = new TreeMap<>();

  private AppliedReports reports = AppliedReports.NONE;

  /** The digest that an entry's changes must have; null if it has none. */
  synchronized @Nullable Long expected(SnapshotEntry entry) {
    Long logged = entry.manifest().applied();
    return logged == null ? null : reports.expected(entry.manifest().timestamp(), logged);
  }

  /** Notes an entry that is in memory, with the digest that its changes have. */
  synchronized void add(SnapshotEntry entry, @Nullable Long found) {
    Long logged = entry.manifest().applied();
    if (logged == null || found == null) {
      return;
    }
    applied.put(entry.manifest().timestamp(), new Applied(logged, found));
    if (applied.size() > KEPT) {
      applied.pollFirstEntry();
    }
  }

  /** Memory is about to be loaded anew. */
  synchronized void clear() {
    applied.clear();
  }

  /** Notes the reports; returns the first entry that others agree to be wrong in memory. */
  public synchronized OptionalLong learn(AppliedReports newest) {
    reports = newest;
    for (Map.Entry<Long, Applied> entry : applied.entrySet()) {
      Applied here = entry.getValue();
      if (newest.expected(entry.getKey(), here.logged) != here.found) {
        return OptionalLong.of(entry.getKey());
      }
    }
    return OptionalLong.empty();
  }
}
