package io.drayage.database;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What a snapshot knows of the transactions before it. Immutable.
 *
 * @param ends by transaction: the timestamp of its snapshot if it committed; if an entry of the log
 *     ended it without effect, the negative timestamp of that
 * @param apps commits of applications, of each and a set of tables the newest and perhaps earlier
 *     ones
 */
public record KnownTransactions(Map<UUID, Long> ends, List<AppCommit> apps) {
  /** None. */
  public static final KnownTransactions NONE = new KnownTransactions(Map.of(), List.of());

  public KnownTransactions {
    ends = Map.copyOf(ends);
    apps = List.copyOf(apps);
  }

  /** Those that committed, without applications. */
  public static KnownTransactions committed(Map<UUID, Long> timestamps) {
    return new KnownTransactions(timestamps, List.of());
  }

  /** Those that ended up to a snapshot, of each application and set of tables the newest alone. */
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

  /** Those that committed, with their timestamps. */
  public Map<UUID, Long> committed() {
    return ends.entrySet().stream()
        .filter(end -> end.getValue() > 0)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
