package io.drayage.database;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The earlier transactions that a snapshot knows. Immutable.
 *
 * @param ends by transaction. The timestamp of its snapshot if it committed; if an entry of the log
 *     ended the transaction without effect, the negative timestamp of the entry
 * @param apps commits of applications: the newest one of each application and set of tables, and
 *     perhaps earlier ones
 */
public record KnownTransactions(Map<UUID, Long> ends, List<AppCommit> apps) {
  /** No transactions. */
  public static final KnownTransactions NONE = new KnownTransactions(Map.of(), List.of());

  public KnownTransactions {
    ends = Map.copyOf(ends);
    apps = List.copyOf(apps);
  }

  /** Committed transactions, without applications. */
  public static KnownTransactions committed(Map<UUID, Long> timestamps) {
    return new KnownTransactions(timestamps, List.of());
  }

  /**
   * Returns the transactions that ended up to a snapshot; only the newest one of each application
   * and set of tables.
   */
  public KnownTransactions upTo(long timestamp) {
    Map<UUID, Long> earlier = new HashMap<>(ends);
    earlier.values().removeIf(end -> Math.abs(end) > timestamp);
    Map<List<String>, AppCommit> newest = new HashMap<>();
    for (AppCommit commit : apps) {
      if (commit.timestamp() <= timestamp) {
        newest.merge(
            commit.version().series(),
            commit,
            (one, other) -> one.timestamp() > other.timestamp() ? one : other);
      }
    }
    return new KnownTransactions(earlier, List.copyOf(newest.values()));
  }

  /** The committed transactions, with their timestamps. */
  public Map<UUID, Long> committed() {
    return ends.entrySet().stream()
        .filter(end -> end.getValue() > 0)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
