package io.drayage.simulation;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.zookeeper.SimSession;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.crash.CrashPoint;
import io.drayage.frame.Fault;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.transactor.StepDown;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Draws faults, and ends them. */
final class Faults {
  private static final int SESSION_MS = 4_000;

  /** Of an operator. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

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
          this::passTheNight,
          this::handOver,
          this::handOver,
          this::pauseCleaner,
          this::outrunStandby,
          this::repeatShipments,
          this::repeatShipments,
          this::strayFrames,
          this::beginMaintenance,
          this::strangers);

  private final Strangers strangers;

  Faults(SimulatedCluster world, SplittableRandom random) {
    this.world = world;
    this.scheduler = world.scheduler;
    this.random = random;
    this.strangers = new Strangers(world, random.split());
  }

  /** One fault, from its beginning to its end. */
  void next() throws InterruptedException {
    int kind = random.nextInt(kinds.size());
    scheduler.trace(kind);
    world.struck.add(kind);
    kinds.get(kind).strike();
    end();
  }

  /** All is well again, and whoever crashed is replaced, before its session expires or after. */
  private void end() throws InterruptedException {
    world.store.trouble(0, 0, false);
    world.network.heal();
    world.network.trouble(0, 0);
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

  private interface Request {
    void of(Coordination operator) throws IOException, InterruptedException;
  }

  /** Asks the coordination as an operator's command does; what fails has no effect. */
  private void ask(Request request) throws InterruptedException {
    try (Coordination operator =
        SimZooKeeper.coordination(world.zooKeeper.connect(random.split()))) {
      request.of(operator);
    } catch (IOException e) {
      scheduler.trace(1);
    }
  }

  /** To any node, also one that is none or cannot; something else may happen meanwhile. */
  private void handOver() throws InterruptedException {
    PrimaryInfo primary = world.zooKeeper.primary().orElse(null);
    if (primary == null) {
      return;
    }
    String to = random.nextInt(8) == 0 ? "nobody" : anyTransactor().host;
    if (random.nextBoolean()) {
      ask(
          operator -> {
            StepDown asked = new StepDown(operator, PATIENCE, line -> {}, line -> {});
            PrimaryInfo unused = asked.handOver(primary, to);
          });
      return;
    }
    ask(operator -> operator.requestHandOver(primary.epoch(), to));
    last(200);
    switch (random.nextInt(4)) {
      case 0 -> crash();
      case 1 -> pause();
      default -> last(2_000);
    }
  }

  private SimNode anyTransactor() {
    SimNode node = any();
    while (!(node instanceof SimNode.Transactor)) {
      node = any();
    }
    return node;
  }

  /** It goes on hours later with what it has listed; another is elected and deletes as well. */
  private void pauseCleaner() throws InterruptedException {
    world.store.pauseNextDelete();
    passTheNight();
    last(3_000);
    String paused = world.store.pausedHost();
    for (SimNode node : world.nodes) {
      if (node.host.equals(paused)) {
        leaveBehind(node);
      }
    }
  }

  /** The log goes on and is deleted where a standby has stopped. */
  private void outrunStandby() throws InterruptedException {
    SimNode node = anyTransactor();
    scheduler.pause(node.host);
    leaveBehind(node);
  }

  /** A node that is paused goes on hours later. */
  private void leaveBehind(SimNode node) throws InterruptedException {
    world.network.cut(node.host);
    last(1_000);
    maybeExpire(node);
    last(6_000);
    passTheNight();
    last(2_000);
    scheduler.resume(node.host);
    world.network.heal();
    last(1_000);
  }

  private void repeatShipments() throws InterruptedException {
    world.network.trouble(50, 0);
    switch (random.nextInt(4)) {
      case 0 -> storeFails();
      case 1 -> pause();
      case 2 -> cutFromCoordination();
      default -> last(2_000);
    }
  }

  private void strayFrames() throws InterruptedException {
    world.network.trouble(0, 5 + random.nextInt(30));
    last(2_000);
  }

  private void beginMaintenance() throws InterruptedException {
    world.network.trouble(30, 0);
    ask(operator -> operator.maintain(true, "a fault"));
    last(3_000);
    while (world.promises.broken() == null) {
      boolean[] isOff = {false};
      ask(operator -> isOff[0] = !operator.maintain(false, "it is over").isOn());
      if (isOff[0]) {
        return;
      }
    }
  }

  private void strangers() throws InterruptedException {
    if (random.nextBoolean()) {
      strangers.joinWithForeignStore();
    } else {
      strangers.restoreUnderFreshRoot();
    }
  }
}
