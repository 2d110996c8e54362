package io.drayage.simulation;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Two transactors and two workers, for one seed; to be loaded with simulated threads. */
public final class SimulatedCluster implements Supplier<String> {
  private static final int TRANSACTORS = 2;
  private static final int WORKERS = 2;
  private static final int MAX_FAULTS = 3;
  private static final long MS = 1_000_000;

  /** How long everything may take once the faults are over. */
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

  /** No faults will follow. */
  boolean isCalm;

  /** Nobody begins a transaction. */
  boolean isNight;

  /** The commits that were refused, or whose fate their workers do not know. */
  int failures;

  /** Why the last of them did. */
  String lastFailure = "none did";

  private boolean checked;

  interface Step {
    void run() throws Exception;
  }

  /**
   * @param seed chooses everything
   */
  public SimulatedCluster(long seed) {
    scheduler = new SimScheduler(seed);
    random = scheduler.random().split();
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
    promises.checkLog(store.keys());
  }

  /** Runs it; returns its digest and figures; fails if a promise is broken. */
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

  /** Whoever waits for others looks again after that; at night that takes longer. */
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
    Faults faults = new Faults(this, random.split());
    for (int left = 1 + random.nextInt(MAX_FAULTS); left > 0; left--) {
      Thread.sleep(random.nextInt(1_000));
      faults.next();
      nodes.forEach(SimNode::observe);
    }
    isCalm = true;
    long endNs = scheduler.nowNs() + CALM_MS * MS;
    for (SimNode node : nodes) {
      while (node instanceof SimNode.Sender sender && !sender.isDone) {
        requireBefore(endNs, node.host + " has committed");
        waitAWhile();
      }
    }
    check(endNs);
    checked = true;
  }

  private void requireBefore(long endNs, String what) {
    if (scheduler.nowNs() >= endNs) {
      throw new AssertionError(
          "not in time: %s; the last commit that failed: %s; threads:%s"
              .formatted(what, lastFailure, scheduler.dump()));
    }
  }

  /** The log is whole, has what was acknowledged, and memory is what it says. */
  private void check(long endNs) throws Exception {
    // A list that was late may have left a fragment, until that was seen for an hour.
    while (store.keys().stream().anyMatch(key -> key.startsWith("open/"))) {
      requireBefore(endNs, "every transaction has ended: " + store.keys());
      waitAWhile();
    }
    Thread.sleep(SimStore.LISTED_LATE_MS);
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
      for (int worker = 0; worker < WORKERS; worker++) {
        assertThat(Ledger.committed(replay.snapshot(), worker))
            .as("worker %d was told that this is committed", worker)
            .isGreaterThanOrEqualTo(promises.acknowledged(worker));
      }
    }
    for (SimNode node : nodes) {
      while (node instanceof SimNode.Transactor transactor && transactor.reached() < published) {
        requireBefore(endNs, node.host + " has followed");
        waitAWhile();
      }
      node.observe();
    }
  }
}
