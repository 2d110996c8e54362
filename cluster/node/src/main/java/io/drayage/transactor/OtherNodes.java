package io.drayage.transactor;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeInfo;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The other live nodes, which load the snapshots that this one stores, as of the last query. */
final class OtherNodes {
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

  private final Coordination coordination;
  private final String name;
  private final LongSupplier clockNs;
  private volatile Set<String> names = Set.of();

  /** The time of the last query; null before the first. Only for the thread that refreshes. */
  private @Nullable Long askedNs;

  /**
   * @param name of this node
   * @param clockNs as {@link System#nanoTime}
   */
  OtherNodes(Coordination coordination, String name, LongSupplier clockNs) {
    this.coordination = coordination;
    this.name = name;
    this.clockNs = clockNs;
  }

  /**
   * Queries the cluster, every 10 s at most. Without an answer, the known nodes stay. Called by one
   * thread.
   */
  void refresh() {
    long nowNs = clockNs.getAsLong();
    if (askedNs != null && nowNs - askedNs < PAUSE_NS) {
      return;
    }
    askedNs = nowNs;
    try {
      names =
          coordination.liveNodes().stream()
              .map(NodeInfo::name)
              .filter(other -> !other.equals(name))
              .collect(Collectors.toUnmodifiableSet());
    } catch (CoordinationException e) {
      // The number only helps workers to choose an encoding.
    }
  }

  /** Number of nodes without a worker, which has its own cargo. Called by any thread. */
  int without(String worker) {
    Set<String> known = names;
    return known.size() - (known.contains(worker) ? 1 : 0);
  }
}
