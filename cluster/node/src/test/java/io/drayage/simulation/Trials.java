package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.PublishedSnapshot;
import io.drayage.receive.ShipmentProgress;
import io.drayage.store.StoreSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Runs the tasks of a {@link Strain}, while there are faults, and when they are over and workers go
 * on. Then no sender is refused, no place stays free while a shipment waits for one, and full
 * snapshots are written in time.
 */
final class Trials {
  /** Number of places for shipments, when there are more senders. */
  static final int PLACES = 2;

  private static final long MS = 1_000_000;
  private static final int LOOK_MS = 500;

  /** Time after the last fault until no node is still notified of one. */
  private static final int SETTLED_MS = 10_000;

  private static final int LONGEST_MS = 400_000;

  /** Time after which a waiting sender that is gone no longer occupies a place. */
  private static final long PLACE_IS_FREE_NS = 6_000 * MS;

  /** A full snapshot needs a second. One may be left out while another is written. */
  private static final long FULL_IS_DUE_NS = 15_000 * MS;

  /** Limit for a worker that competes with a stage for places, and stores as slowly. */
  private static final long COMMIT_NS = 20_000 * MS;

  private static final int FULL_EVERY = SimNode.Transactor.FULL_SNAPSHOT_EVERY;

  private static final int SLOWEST_DATA_MS = 2_500;
  private static final int SLOWEST_DELETION_MS = 5_000;

  /** Sufficient time to delete the data of a stage. */
  private static final long DELETIONS_NS = 40_000 * MS;

  private static final int SLOWEST_LIST_MS = 10_000;

  /** Number of fragments with the longest names that certainly fit into an entry. */
  private static final int FIT = 24;

  private static final int DO_NOT_FIT = 36;

  private final SimulatedCluster world;
  private final SplittableRandom random;
  private final List<WideStage> stages = new ArrayList<>();
  private boolean isSettled;
  private long settledNs;
  private long freeSinceNs;
  private long dueSinceNs;
  private long fullBefore;

  Trials(SimulatedCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** Begins the tasks during the faults. */
  void begin() {
    if (world.strain != null) {
      world.scheduler.count("strain " + world.strain);
    }
    if (world.strain == Strain.WIDE_STAGE) {
      WideStage unused = stage(2 + random.nextInt(8), true);
    } else if (world.strain == Strain.SLOW_ADOPTION) {
      world.store.slow(0, 0, SLOWEST_LIST_MS);
      new Impostor(world, random.split()).start();
    } else if (world.strain == Strain.SLOW_DELETIONS) {
      world.store.slow(0, SLOWEST_DELETION_MS, 0);
    }
  }

  /** Runs the tasks after the faults. */
  void run() throws InterruptedException {
    Strain strain = world.strain;
    if (strain == null || strain == Strain.SLOW_ADOPTION) {
      return;
    }
    world.paceMs = 2_000;
    settle();
    isSettled = true;
    settledNs = world.scheduler.nowNs();
    switch (strain) {
      case WIDE_STAGE -> wideStage();
      case LONGEST_NAMES -> longestNames();
      case SLOW_DELETIONS -> slowDeletions();
      case SLOW_READER -> slowReader();
      default -> throw new IllegalStateException(strain.toString());
    }
    isSettled = false;
    world.paceMs = 0;
  }

  private void settle() throws InterruptedException {
    long endNs = world.scheduler.nowNs() + SETTLED_MS * MS;
    long before = published();
    await(
        () -> world.scheduler.nowNs() >= endNs && published() >= before + 2,
        () -> {},
        "workers commit again");
  }

  private long published() {
    return world.zooKeeper.published().map(PublishedSnapshot::timestamp).orElse(0L);
  }

  private WideStage stage(int senders, boolean isCommitted) {
    WideStage stage = new WideStage(world, random.split(), stages.size(), senders, isCommitted);
    stages.add(stage);
    stage.start();
    return stage;
  }

  private void wideStage() throws InterruptedException {
    int senders = random.nextInt(8) == 0 ? 16 + random.nextInt(49) : 8 + random.nextInt(8);
    // So slow that the base of the stage does not become too old.
    world.paceMs = senders * LOOK_MS;
    world.store.slow(SLOWEST_DATA_MS, 0, 0);
    WideStage stage = stage(senders, true);
    await(() -> stage.end() != null, this::requireNoFreePlace, senders + " fragments are prepared");
    world.store.slow(0, 0, 0);
    require(stage, WideStage.End.COMMITTED);
  }

  private static void require(WideStage stage, WideStage.End end) {
    if (stage.end() != end) {
      throw new AssertionError(
          format("%s ended as %s: %s", stage.table, stage.end(), stage.failure()));
    }
  }

  /** Fails if a shipment waits while a place is free. */
  private void requireNoFreePlace() {
    List<ShipmentProgress> waiting = waiting();
    boolean isFree = !waiting.isEmpty() && world.network.underWay() < PLACES;
    long nowNs = world.scheduler.nowNs();
    if (!isFree) {
      freeSinceNs = nowNs;
    } else if (nowNs - freeSinceNs > PLACE_IS_FREE_NS) {
      throw new AssertionError(
          format("%d wait, and a place has been free for long: %s", waiting.size(), waiting));
    }
  }

  private List<ShipmentProgress> waiting() {
    return world.nodes.stream()
        .filter(SimNode.Transactor.class::isInstance)
        .map(SimNode.Transactor.class::cast)
        .flatMap(node -> node.shipments().stream())
        .filter(ShipmentProgress::waits)
        .toList();
  }

  private void longestNames() throws InterruptedException {
    int senders = 16 + random.nextInt(32);
    world.paceMs = senders * LOOK_MS;
    WideStage stage = stage(senders, true);
    await(() -> stage.end() != null, () -> {}, senders + " fragments are prepared");
    boolean isLong = stage.end() == WideStage.End.TOO_LONG;
    if (isLong ? senders <= FIT : senders >= DO_NOT_FIT) {
      throw new AssertionError(
          format("%d fragments of long names: %s", senders, stage.end()), stage.failure());
    }
    if (!isLong) {
      require(stage, WideStage.End.COMMITTED);
    }
    world.scheduler.count("stage " + stage.end());
  }

  private void slowDeletions() throws InterruptedException {
    long first = newestFull();
    await(() -> newestFull() > first, () -> {}, "a full snapshot is written");
    WideStage stage = stage(24 + random.nextInt(16), false);
    await(() -> stage.end() != null, this::requireFull, "fragments are prepared");
    require(stage, WideStage.End.GIVEN_UP);
    world.paceMs = 4_000; // So slow that the end of the stage is still known when it is looked up.
    long endNs = world.scheduler.nowNs() + DELETIONS_NS;
    await(
        () -> world.scheduler.nowNs() >= endNs, this::requireFull, "what was given up is deleted");
    world.store.slow(0, 0, 0);
  }

  /** Fails if an ordinary commit was slow without faults, whatever else runs. */
  void requireInTime(long begunNs) {
    if (isSettled && begunNs > settledNs && world.scheduler.nowNs() - begunNs > COMMIT_NS) {
      throw new AssertionError(
          format("a commit took %,d ms", (world.scheduler.nowNs() - begunNs) / MS));
    }
  }

  private long newestFull() {
    return Promises.newest(world.store, "full");
  }

  /** Fails if a due full snapshot waits for deletions. */
  private void requireFull() {
    long full = Promises.newest(world.store, "full");
    long entry = Promises.newest(world.store, "commit");
    long nowNs = world.scheduler.nowNs();
    if (entry - entry % FULL_EVERY <= full || full > fullBefore) {
      dueSinceNs = nowNs;
      fullBefore = full;
    } else if (nowNs - dueSinceNs > FULL_IS_DUE_NS) {
      throw new AssertionError(
          format(
              "the log is at %d, and the newest full snapshot at %d for long; threads:%s",
              entry, full, world.scheduler.dump()));
    }
  }

  private void slowReader() throws InterruptedException {
    SlowReader reader = new SlowReader(world);
    reader.start();
    await(reader::isOver, () -> {}, "a full snapshot is read");
  }

  private void await(BooleanSupplier done, Runnable check, String what)
      throws InterruptedException {
    long endNs = world.scheduler.nowNs() + LONGEST_MS * MS;
    freeSinceNs = world.scheduler.nowNs();
    dueSinceNs = world.scheduler.nowNs();
    while (!done.getAsBoolean()) {
      world.requireBefore(endNs, what);
      check.run();
      Thread.sleep(LOOK_MS);
    }
  }

  /** Fails unless a snapshot has the stages that took effect. */
  void check(StoreSnapshot snapshot) {
    stages.forEach(stage -> stage.check(snapshot));
  }
}
