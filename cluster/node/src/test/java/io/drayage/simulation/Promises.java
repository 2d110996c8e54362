package io.drayage.simulation;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.ShipmentHeader;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The promises that must hold at every moment. Keeps the first broken one. */
final class Promises {
  private static final Pattern ENTRY = Pattern.compile("snapshots/0*([0-9]+)\\.(commit|full)");

  private final SimZooKeeper cluster;
  private final Map<Integer, Integer> acknowledged = new HashMap<>();

  /** The digest of the nodes' database at a published snapshot, by timestamp. */
  private final Map<Long, Long> published = new HashMap<>();

  /** The snapshot as which a repeated shipment was acknowledged, by transaction. */
  private final Map<UUID, Long> repeated = new LinkedHashMap<>();

  /** Transactions of several workers. */
  private final Set<UUID> together = new HashSet<>();

  private @Nullable Throwable broken;

  Promises(SimZooKeeper cluster) {
    this.cluster = cluster;
  }

  /** The first broken promise; null if all hold. */
  @Nullable Throwable broken() {
    return broken;
  }

  void fail(Throwable cause) {
    broken = broken == null ? cause : broken;
  }

  /** Number of transactions of a worker that are known to be committed. */
  int acknowledged(int worker) {
    return acknowledged.getOrDefault(worker, 0);
  }

  /** Notes that a transaction of several workers has begun. */
  void begun(UUID transaction) {
    together.add(transaction);
  }

  /** Whether an object belongs only to a transaction of several workers. */
  boolean isOfTransaction(String key) {
    return key.startsWith("open/")
        || key.startsWith("fragments/")
        || together.stream().anyMatch(each -> key.startsWith("data/" + each));
  }

  /** Notes an answer to a worker: its transaction is part of a snapshot. */
  void acknowledge(SimStore store, int worker, int number, long timestamp) {
    assertThat(number)
        .as("what worker %d committed after %d", worker, acknowledged(worker))
        .isEqualTo(acknowledged(worker) + 1);
    acknowledged.put(worker, number);
    requireDurable(store, timestamp);
  }

  /** Checks an answer that a snapshot is stored. */
  void requireStored(SimStore store, long timestamp) {
    requireDurable(store, timestamp);
  }

  private static void requireDurable(SimStore store, long timestamp) {
    assertThat(
            store.keys().stream()
                .anyMatch(key -> store.isDurable(key) && holds(store, key, timestamp)))
        .as("snapshot %d, which was acknowledged, is durable", timestamp)
        .isTrue();
  }

  /** Checks a repeated shipment: all its commits must be acknowledged as the same snapshot. */
  void acknowledge(SimStore store, ShipmentHeader header, long timestamp) {
    if (header.options().acknowledgement() != Acknowledgement.APPLIED) {
      try {
        requireDurable(store, timestamp);
        Long before = repeated.putIfAbsent(header.transactionId(), timestamp);
        assertThat(before == null || before == timestamp)
            .as("%s is snapshot %d, and %s", header.transactionId(), timestamp, before)
            .isTrue();
      } catch (AssertionError e) {
        fail(e);
      }
    }
  }

  /** Checks that remaining entries belong to the transactions that were acknowledged as them. */
  void checkRepeated(SimStore store) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    for (Map.Entry<UUID, Long> each : repeated.entrySet()) {
      // Other entries were deleted for a full snapshot.
      if (timestamps(store, "commit").anyMatch(left -> left == each.getValue())) {
        assertThat(catalog.entry(each.getValue()).manifest().transactionId())
            .as("the transaction of snapshot %d", each.getValue())
            .isEqualTo(each.getKey());
      }
    }
  }

  private static boolean holds(SimStore store, String key, long timestamp) {
    Matcher entry = ENTRY.matcher(key);
    return entry.matches()
        && (entry.group(2).equals("full")
            ? Long.parseLong(entry.group(1)) >= timestamp
            : entries(store, key).anyMatch(each -> each == timestamp));
  }

  /** The timestamps of the manifests of an object. */
  private static LongStream entries(SimStore store, String key) {
    Matcher entry = ENTRY.matcher(key);
    if (!entry.matches()) {
      return LongStream.empty();
    }
    long first = Long.parseLong(entry.group(1));
    return LongStream.range(first, first + store.linesOf(key, "end"));
  }

  /** Notes that a transaction was committed, although its answer was lost. */
  void found(int worker, int number) {
    assertThat(number)
        .as("what a snapshot has of worker %d", worker)
        .isGreaterThanOrEqualTo(acknowledged(worker));
    acknowledged.put(worker, number);
  }

  /** Checks a snapshot in a node's memory: a published snapshot is the same on all nodes. */
  void observe(String node, StoreSnapshot snapshot) {
    long digest = Ledger.check(snapshot);
    long newest = cluster.published().map(PublishedSnapshot::timestamp).orElse(0L);
    if (snapshot.timestamp() <= newest) {
      Long before = published.putIfAbsent(snapshot.timestamp(), digest);
      assertThat(before == null || before == digest)
          .as("%s and another have the same snapshot %d", node, snapshot.timestamp())
          .isTrue();
    }
  }

  /** Checks that the log has no gap since the newest full snapshot, and has the published one. */
  void checkLog(SimStore store) {
    List<String> keys = store.keys();
    long newestFull = newest(store, "full");
    long next = newestFull;
    for (long timestamp : timestamps(store, "commit").filter(t -> t > newestFull).toArray()) {
      if (timestamp != ++next) {
        fail(new AssertionError(format("the log lacks entry %d of %s", next, keys)));
        return;
      }
    }
    long newest = cluster.published().map(PublishedSnapshot::timestamp).orElse(-1L);
    if (newest > Math.max(next, newestFull)) {
      fail(new AssertionError(format("snapshot %d is published, and lost: %s", newest, keys)));
    }
  }

  /** The timestamp of the newest entry of a kind; negative if there is none. */
  static long newest(SimStore store, String kind) {
    return timestamps(store, kind).max().orElse(-1);
  }

  /** The timestamps of the entries of a kind. */
  static LongStream timestamps(SimStore store, String kind) {
    return store.keys().stream()
        .filter(key -> key.endsWith("." + kind))
        .flatMapToLong(key -> entries(store, key));
  }
}
