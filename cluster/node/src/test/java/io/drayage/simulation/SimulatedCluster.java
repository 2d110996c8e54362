package io.drayage.simulation;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.frame.ShipmentHeader;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Two transactors and two workers, for one seed. Must be loaded with simulated threads. */
public final class SimulatedCluster implements Supplier<String> {
  private static final int TRANSACTORS = 2;
  private static final int WORKERS = 2;
  private static final int MAX_FAULTS = 3;
  private static final long MS = 1_000_000;

  /** Time for everything after the faults are over. */
  private static final int CALM_MS = 180_000;

  final SimZooKeeper zooKeeper;
  final SimScheduler scheduler;
  final SplittableRandom random;
  final SimStore store;
  final SimNetwork network;
  final Promises promises;

  final List<SimNode> nodes = new ArrayList<>();

  /** The numbers of the faults so far. */
  final List<Integer> struck = new ArrayList<>();

  /** The strain of the seed; null without one. */
  final @Nullable Strain strain;

  /** Whether no transaction is of several workers, whose leases would wake a primary. */
  final boolean isApart;

  /** Whether no faults will follow. */
  boolean isCalm;

  /** Whether no transaction is begun. */
  boolean isNight;

  /** Average pause of workers before each commit but their last one; 0 for no pause. */
  int paceMs;

  /** Number of commits that were refused, or whose outcome is unknown. */
  int failures;

  /** The last such failure. */
  String lastFailure = "none did";

  final Trials trials;
  private boolean checked;

  interface Step {
    void run() throws Exception;
  }

  private final Focus focus;

  /**
   * @param seed chooses everything
   * @param focus the list that {@link Focus} reads
   */
  public SimulatedCluster(long seed, String focus) {
    scheduler = new SimScheduler(seed);
    this.focus = new Focus(focus);
    random = scheduler.random().split();
    strain = this.focus.strain(seed);
    isApart = random.nextInt(4) == 0 && strain != Strain.SLOW_ADOPTION;
    trials = new Trials(this, new SplittableRandom(~seed).split());
    zooKeeper = new SimZooKeeper();
    promises = new Promises(zooKeeper);
    store = new SimStore(scheduler, random.split(), this::storeChanged);
    network =
        new SimNetwork(
            scheduler,
            random.split(),
            (header, timestamp) -> promises.acknowledge(store, header, timestamp));
  }

  private void storeChanged() {
    promises.checkLog(store);
  }

  /** Runs it and returns its digest and figures; fails if a promise is broken. */
  @Override
  public String get() {
    start("", this::drive);
    scheduler.run(() -> checked || promises.broken() != null, Long.MAX_VALUE);
    Throwable broken = promises.broken() == null ? scheduler.broken() : promises.broken();
    if (broken != null) {
      throw new AssertionError("faults %s: %s".formatted(struck, broken), broken);
    }
    assertThat(checked).as("everything came to an end").isTrue();
    return format(
        "digest %x, %d steps, %d ms, %d failed commits",
        scheduler.digest(), scheduler.steps(), scheduler.nowNs() / MS, failures);
  }

  /** Runs a step on a host. */
  void start(String host, Step step) {
    scheduler
        .newThread(
            host,
            "main-" + host,
            () -> {
              try {
                step.run();
              } catch (OutOfMemoryError e) {
                scheduler.crash(host);
              } catch (Throwable e) {
                promises.fail(e);
              }
            })
        .start();
  }

  /** Creates a sender of cargoes from a host. */
  CargoSender sender(String host, InetSocketAddress address, CodecPool pool) {
    return sender(host, address, pool, "test");
  }

  /** Creates a sender of the cargoes of a worker. */
  CargoSender sender(String host, InetSocketAddress address, CodecPool pool, String worker) {
    return new SegmentsSender(
        network.of(host).client(address, TransportOptions.DEFAULT),
        pool,
        Serializers.ofName("raw"),
        Compressors.ofName("none"),
        named(worker));
  }

  /** The name of a worker, which is as long as allowed under {@link Strain#LONGEST_NAMES}. */
  String named(String name) {
    return strain == Strain.LONGEST_NAMES
        ? name + "\u6c49".repeat(ShipmentHeader.MAX_WORKER_CHARS - name.length())
        : name;
  }

  /** Waits before another look, longer at night. */
  void waitAWhile() throws InterruptedException {
    Thread.sleep(isNight ? 60_000 : 50);
  }

  private void drive() throws Exception {
    for (int i = 1; i <= TRANSACTORS; i++) {
      nodes.add(new SimNode.Transactor(this, "t" + i, random.split()));
    }
    for (int i = 0; i < WORKERS; i++) {
      nodes.add(new SimNode.Sender(this, i, random.split()));
    }
    nodes.forEach(SimNode::start);
    trials.begin();
    Faults faults = new Faults(this, random.split(), focus);
    int drawn = 1 + random.nextInt(MAX_FAULTS);
    for (int left = focus.isEmpty() ? drawn : MAX_FAULTS; left > 0; left--) {
      Thread.sleep(random.nextInt(1_000));
      faults.next();
      nodes.forEach(SimNode::observe);
    }
    isCalm = true;
    trials.run();
    long endNs = scheduler.nowNs() + CALM_MS * MS;
    for (SimNode node : nodes) {
      while (node instanceof SimNode.Sender sender && !sender.isDone) {
        requireBefore(endNs, node.host + " has committed");
        faults.replaceIfCrashed(node);
        waitAWhile();
      }
    }
    check(endNs, faults);
    checked = true;
  }

  void requireBefore(long endNs, String what) {
    if (scheduler.nowNs() >= endNs) {
      throw new AssertionError(
          "not in time: %s; the last commit that failed: %s; threads:%s"
              .formatted(what, lastFailure, scheduler.dump()));
    }
  }

  /** Checks that uncommitted data is deleted after an hour, by a simulated clock. */
  private void requireNothingIsLeft(long endNs) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    long[] nowNs = {0};
    TransactionCleaner transactions = new TransactionCleaner(catalog, () -> nowNs[0]);
    SnapshotCleaner cleaner = new SnapshotCleaner(catalog, () -> nowNs[0]);
    Duration age = Duration.ofHours(1);
    try (Replica log = Replica.open(store, 1, 1 << 20, 0, AllowedCodecs.DATA_ONLY)) {
      long unused = log.advance(Long.MAX_VALUE);
      List<String> left = List.of("not looked for yet");
      while (!left.isEmpty()) {
        requireBefore(endNs, "nothing is left of what did not take effect: " + left);
        try {
          int deleted = transactions.deleteEnded(log, age);
          // An old snapshot may exist again, since a loss of power has undone its deletion.
          int replaced = cleaner.prune(age, log.snapshot().timestamp(), transactions.bases());
          int unreferenced = cleaner.deleteUnreferenced(age, 0, transactions::references);
          scheduler.trace(deleted + replaced + unreferenced);
          left = leftOfTransactions(catalog);
        } catch (ObjectMissingException e) {
          waitAWhile(); // The primary has deleted it meanwhile.
        }
        // Within an hour a full snapshot gets its manifest, and is listed.
        Thread.sleep(2 * SimStore.LISTED_LATE_MS);
        nowNs[0] += age.toNanos() + 1;
      }
    }
  }

  /** Checks that transactions end, except those so old that their end is no longer known. */
  private void requireTransactionsEnd(long endNs) throws Exception {
    TransactionRecords records = new TransactionRecords(store);
    while (true) {
      requireBefore(endNs, "the log is read");
      try (Replica log = Replica.open(store, 1, 1 << 20, 0, AllowedCodecs.DATA_ONLY)) {
        while (isAnyOpen(records, log)) {
          requireBefore(endNs, "every transaction has ended: " + store.keys());
          waitAWhile();
          long unused = log.advance(Long.MAX_VALUE);
        }
        return;
      } catch (ObjectMissingException e) {
        waitAWhile(); // The primary has deleted it meanwhile.
      }
    }
  }

  private boolean isAnyOpen(TransactionRecords records, Replica log) throws IOException {
    for (String key : store.keys()) {
      if (key.startsWith("open/")) {
        OpenTransaction record = records.find(UUID.fromString(key.substring("open/".length())));
        if (record != null && record.base() >= log.knownSince()) {
          return true;
        }
      }
    }
    return false;
  }

  private List<String> leftOfTransactions(SnapshotCatalog catalog) throws IOException {
    List<String> left = store.keys().stream().filter(key -> promises.isOfTransaction(key)).toList();
    Set<String> needed = new HashSet<>();
    for (SnapshotKeys.Place place : catalog.places()) {
      for (SnapshotEntry entry : catalog.read(place)) {
        entry.manifest().references().forEach(bytes -> needed.add(bytes.key()));
      }
    }
    return left.stream().filter(key -> !needed.contains(key)).toList();
  }

  /** Checks that the log is whole, and that acknowledged commits and memory match it. */
  private void check(long endNs, Faults faults) throws Exception {
    requireTransactionsEnd(endNs);
    // A late list may have left a fragment, which is deleted an hour after it was seen.
    Thread.sleep(SimStore.LISTED_LATE_MS);
    requireNothingIsLeft(endNs);
    List<String> findings = new ArrayList<>();
    int unused =
        new SnapshotVerifier(new SnapshotCatalog(store), 1, AllowedCodecs.DATA_ONLY)
            .verify(
                manifest -> {
                  if (!manifest.isOk()) {
                    findings.add(manifest.toString());
                  }
                });
    assertThat(findings).isEmpty();
    long published = zooKeeper.published().orElseThrow().timestamp();
    try (Replica replay = Replica.open(store, 1, 1 << 20, 0, AllowedCodecs.DATA_ONLY)) {
      while (replay.snapshot().timestamp() < published) {
        long reached = replay.advance(replay.snapshot().timestamp() + 1);
        promises.observe("the log", replay.snapshot());
        requireBefore(endNs, format("snapshot %d of %d is replayed", reached, published));
      }
      promises.checkRepeated(store);
      trials.check(replay.snapshot());
      for (int worker = 0; worker < WORKERS; worker++) {
        assertThat(Ledger.committed(replay.snapshot(), worker))
            .as("worker %d was told that this is committed", worker)
            .isGreaterThanOrEqualTo(promises.acknowledged(worker));
      }
    }
    for (SimNode node : nodes) {
      while (node instanceof SimNode.Transactor transactor && transactor.reached() < published) {
        requireBefore(endNs, node.host + " has followed");
        faults.replaceIfCrashed(node);
        waitAWhile();
      }
      node.observe();
    }
  }
}
