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
 * Does what belongs to a {@link Strain}: while there are faults, and when they are over and workers
 * go on. Then nobody who sends is refused, no place stays free for which somebody waits, and full
 * snapshots are written in time.
 */
final class Trials {
  /** For shipments, where there are more senders. */
  static final int PLACES = 2;

  private static final long MS = 1_000_000;
  private static final int LOOK_MS = 500;

  /** So long after the last fault no node learns of one any more. */
  private static final int SETTLED_MS = 10_000;

  private static final int LONGEST_MS = 400_000;

  /** After that whoever waits and is gone keeps nobody from a place. */
  private static final long PLACE_IS_FREE_NS = 6_000 * MS;

  /** A full snapshot takes a second, and one may be left out while another is written. */
  private static final long FULL_IS_DUE_NS = 15_000 * MS;

  /** Of a worker that takes turns with a stage for places, and stores its data as slowly. */
  private static final long COMMIT_NS = 20_000 * MS;

  private static final int FULL_EVERY = SimNode.Transactor.FULL_SNAPSHOT_EVERY;

  private static final int SLOWEST_DATA_MS = 2_500;
  private static final int SLOWEST_DELETION_MS = 5_000;

  /** How long the deletion of what a stage has left takes, or longer. */
  private static final long DELETIONS_NS = 40_000 * MS;

  private static final int SLOWEST_LIST_MS = 10_000;

  /** With the longest names fewer fit into an entry for certain, and more certainly do not. */
  private static final int FIT = 24;

  private static final int DO_NOT_FIT = 36;

  private final SimulatedCluster world;
  private final SplittableRandom random;
  private final List<Stage> stages = new ArrayList<>();
  private boolean isSettled;
  private long settledNs;
  private long freeSinceNs;
  private long dueSinceNs;
  private long fullBefore;

  Trials(SimulatedCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** Begins what goes on while there are faults. */
  void begin() {
    if (world.strain != null) {
      world.scheduler.count("strain " + world.strain);
    }
    if (world.strain == Strain.WIDE_STAGE) {
      Stage unused = stage(2 + random.nextInt(8), true);
    } else if (world.strain == Strain.SLOW_ADOPTION) {
      world.store.slow(0, 0, SLOWEST_LIST_MS);
      new Impostor(world, random.split()).start();
    } else if (world.strain == Strain.SLOW_DELETIONS) {
      world.store.slow(0, SLOWEST_DELETION_MS, 0);
    }
  }

  /** Does what is left when the faults are over. */
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

  private Stage stage(int senders, boolean isCommitted) {
    Stage stage = new Stage(world, random.split(), stages.size(), senders, isCommitted);
    stages.add(stage);
    stage.start();
    return stage;
  }

  private void wideStage() throws InterruptedException {
    int senders = random.nextInt(8) == 0 ? 16 + random.nextInt(49) : 8 + random.nextInt(8);
    // So slowly that its base is not too old in the end.
    world.paceMs = senders * LOOK_MS;
    world.store.slow(SLOWEST_DATA_MS, 0, 0);
    Stage stage = stage(senders, true);
    await(() -> stage.end() != null, this::requireNoFreePlace, senders + " fragments are prepared");
    world.store.slow(0, 0, 0);
    require(stage, Stage.End.COMMITTED);
  }

  private static void require(Stage stage, Stage.End end) {
    if (stage.end() != end) {
      throw new AssertionError(
          format("%s ended as %s: %s", stage.table, stage.end(), stage.failure()));
    }
  }

  /** Nobody waits for a place that is free. */
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
    Stage stage = stage(senders, true);
    await(() -> stage.end() != null, () -> {}, senders + " fragments are prepared");
    boolean isLong = stage.end() == Stage.End.TOO_LONG;
    if (isLong ? senders <= FIT : senders >= DO_NOT_FIT) {
      throw new AssertionError(
          format("%d fragments of long names: %s", senders, stage.end()), stage.failure());
    }
    if (!isLong) {
      require(stage, Stage.End.COMMITTED);
    }
    world.scheduler.count("stage " + stage.end());
  }

  private void slowDeletions() throws InterruptedException {
    long first = newestFull();
    await(() -> newestFull() > first, () -> {}, "a full snapshot is written");
    Stage stage = stage(24 + random.nextInt(16), false);
    await(() -> stage.end() != null, this::requireFull, "fragments are prepared");
    require(stage, Stage.End.GIVEN_UP);
    world.paceMs = 4_000; // So slowly that the end of the stage is known until it is looked for.
    long endNs = world.scheduler.nowNs() + DELETIONS_NS;
    await(
        () -> world.scheduler.nowNs() >= endNs, this::requireFull, "what was given up is deleted");
    world.store.slow(0, 0, 0);
  }

  /** When nothing fails, an ordinary commit gets through beside whatever there is. */
  void requireInTime(long begunNs) {
    if (isSettled && begunNs > settledNs && world.scheduler.nowNs() - begunNs > COMMIT_NS) {
      throw new AssertionError(
          format("a commit took %,d ms", (world.scheduler.nowNs() - begunNs) / MS));
    }
  }

  private long newestFull() {
    return Promises.newest(world.store.keys(), "full");
  }

  /** When one is due, it does not wait for what is deleted. */
  private void requireFull() {
    List<String> keys = world.store.keys();
    long full = Promises.newest(keys, "full");
    long entry = Promises.newest(keys, "commit");
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
