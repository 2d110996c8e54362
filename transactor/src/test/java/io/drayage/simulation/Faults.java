package io.drayage.simulation;

import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.zookeeper.SimSession;
import io.drayage.frame.Fault;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.snapshot.CrashPoint;
import java.util.List;
import java.util.SplittableRandom;

/** Draws faults, and ends them. */
final class Faults {
  private static final int SESSION_MS = 4_000;
  private final SimulatedCluster world;
  private final SimScheduler scheduler;
  private final SplittableRandom random;

  private interface Kind {
    void strike() throws InterruptedException;
  }

  private final List<Kind> kinds =
      List.of(
          this::storeFails,
          this::diskIsFull,
          this::storeAnswersWrong,
          this::pause,
          this::pause,
          this::crash,
          this::crashAtPoint,
          this::crashAtPoint,
          this::runOutOfMemory,
          this::losePower,
          this::cutFromPeers,
          this::cutFromCoordination,
          this::cutFromCoordination,
          this::coordinationDoesNotAnswer,
          this::breakConnections,
          this::stepClock,
          this::passTheNight);

  Faults(SimulatedCluster world, SplittableRandom random) {
    this.world = world;
    this.scheduler = world.scheduler;
    this.random = random;
  }

  /** One fault, from its beginning to its end. */
  void next() throws InterruptedException {
    int kind = random.nextInt(kinds.size());
    scheduler.trace(kind);
    kinds.get(kind).strike();
    end();
  }

  /** All is well again, and whoever crashed is replaced, before its session expires or after. */
  private void end() throws InterruptedException {
    world.store.trouble(0, 0, false);
    world.network.heal();
    scheduler.disarm();
    for (SimNode node : world.nodes) {
      scheduler.resume(node.host);
      if (node.session != null) {
        node.session.trouble(false, 0);
      }
      if (scheduler.isCrashed(node.host)) {
        replace(node);
      }
    }
  }

  private void replace(SimNode node) throws InterruptedException {
    String gone = node.host;
    SimSession session = node.session;
    scheduler.at(
        scheduler.nowNs() + random.nextLong(2_000_000_000),
        () -> world.network.breakAllOf(gone, Fault.PEER_GONE));
    boolean early = random.nextBoolean();
    if (early) {
      node.start();
    }
    Thread.sleep(random.nextInt(SESSION_MS));
    if (session != null) {
      session.end();
    }
    if (!early) {
      node.start();
    }
  }

  private SimNode any() {
    return world.nodes.get(random.nextInt(world.nodes.size()));
  }

  /** Half of the time the primary. */
  private SimNode likelyPrimary() {
    SimNode other = any();
    String primary = world.zooKeeper.primary().map(Faults::host).orElse("");
    return random.nextBoolean()
        ? world.nodes.stream().filter(node -> node.host.equals(primary)).findAny().orElse(other)
        : other;
  }

  private static String host(PrimaryInfo primary) {
    return primary.node().name();
  }

  private void last(int ms) throws InterruptedException {
    Thread.sleep(random.nextInt(ms));
  }

  private void storeFails() throws InterruptedException {
    world.store.trouble(5 + random.nextInt(50), 0, false);
    last(1_000);
    if (random.nextInt(4) == 0) {
      losePower();
    }
  }

  private void diskIsFull() throws InterruptedException {
    world.store.trouble(0, 0, true);
    last(1_000);
  }

  private void storeAnswersWrong() throws InterruptedException {
    world.store.trouble(0, 5 + random.nextInt(30), false);
    last(1_000);
  }

  private void pause() throws InterruptedException {
    SimNode node = likelyPrimary();
    scheduler.pause(node.host);
    last(50);
    maybeExpire(node);
    last(3_000);
    scheduler.resume(node.host);
  }

  /** That of a primary is long over when it learns it. */
  private void maybeExpire(SimNode node) {
    boolean isPrimary =
        world.zooKeeper.primary().map(Faults::host).filter(node.host::equals).isPresent();
    if (node.session != null && (isPrimary || random.nextInt(3) == 0)) {
      node.session.expire();
    }
  }

  private void crash() throws InterruptedException {
    SimNode node = likelyPrimary();
    scheduler.crash(node.host);
    last(1_000);
  }

  private void crashAtPoint() throws InterruptedException {
    CrashPoint[] points = CrashPoint.values();
    scheduler.crashAt(likelyPrimary().host, points[random.nextInt(points.length)].name());
    last(2_000);
  }

  private void runOutOfMemory() throws InterruptedException {
    scheduler.limitArrays(likelyPrimary().host, random.nextInt(1_000));
    last(1_000);
  }

  private void losePower() {
    world.nodes.forEach(node -> scheduler.crash(node.host));
    world.store.losePower();
  }

  private void cutFromPeers() throws InterruptedException {
    world.network.cut(likelyPrimary().host);
    last(10_000);
  }

  private void cutFromCoordination() throws InterruptedException {
    SimNode node = likelyPrimary();
    SimSession session = node.session;
    if (session != null) {
      session.trouble(true, 0);
      last(SESSION_MS);
      maybeExpire(node);
      last(5_000);
      session.trouble(false, 0);
    }
  }

  private void coordinationDoesNotAnswer() throws InterruptedException {
    int percent = random.nextInt(50);
    for (SimNode node : world.nodes) {
      if (node.session != null) {
        node.session.trouble(false, percent);
      }
    }
    last(2_000);
  }

  private void breakConnections() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      world.network.breakAllOf(any().host, Fault.PEER_GONE);
      last(200);
    }
  }

  private void stepClock() {
    scheduler.setClock(likelyPrimary().host, random.nextLong(-7_200_000, 7_200_000));
  }

  private void passTheNight() throws InterruptedException {
    world.isNight = true;
    Thread.sleep(3_600_000L + random.nextInt(3_600_000));
    world.isNight = false;
  }
}
