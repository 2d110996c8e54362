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
import java.util.stream.Collectors;

/** Draws faults, and ends them. */
final class Faults {
  private static final int SESSION_MS = 4_000;

  private static final int MAX_WAITS = 60;
  private static final int WAIT_MS = 50;

  /** Longer than a session lasts. */
  private static final long LONGEST_DELAY_NS = 8_000_000_000L;

  /** Patience of an operator. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final SimulatedCluster world;
  private final SimScheduler scheduler;
  private final SplittableRandom random;

  private interface Strike {
    void strike() throws InterruptedException;
  }

  private record Kind(String name, Strike strike) {}

  private final List<Kind> kinds;

  private final Strangers strangers;
  private final Victims victims;

  /**
   * @param focus names the faults that are drawn, and their points
   */
  Faults(SimulatedCluster world, SplittableRandom random, Focus focus) {
    this.world = world;
    this.scheduler = world.scheduler;
    this.random = random;
    this.victims = new Victims(world, random, focus);
    focus.requireKinds(all().stream().map(Kind::name).collect(Collectors.toSet()));
    this.kinds = all().stream().filter(kind -> focus.draws(kind.name())).toList();
    this.strangers = new Strangers(world, random.split());
  }

  private List<Kind> all() {
    return List.of(
        new Kind("storeFails", this::storeFails),
        new Kind("diskIsFull", this::diskIsFull),
        new Kind("storeAnswersWrong", this::storeAnswersWrong),
        new Kind("pause", this::pause),
        new Kind("pause", this::pause),
        new Kind("crash", this::crash),
        new Kind("crashAtPoint", this::crashAtPoint),
        new Kind("crashAtPoint", this::crashAtPoint),
        new Kind("crashAtPoint", this::crashAtPoint),
        new Kind("crashAtPoint", this::crashAtPoint),
        new Kind("pauseAtPoint", this::pauseAtPoint),
        new Kind("pauseAtPoint", this::pauseAtPoint),
        new Kind("delayAtPoint", this::delayAtPoint),
        new Kind("delayAtPoint", this::delayAtPoint),
        new Kind("delayAtPoint", this::delayAtPoint),
        new Kind("leadTooLate", this::leadTooLate),
        new Kind("outliveLease", this::outliveLease),
        new Kind("runOutOfMemory", this::runOutOfMemory),
        new Kind("losePower", this::losePower),
        new Kind("cutFromPeers", this::cutFromPeers),
        new Kind("cutFromCoordination", this::cutFromCoordination),
        new Kind("cutFromCoordination", this::cutFromCoordination),
        new Kind("coordinationDoesNotAnswer", this::coordinationDoesNotAnswer),
        new Kind("breakConnections", this::breakConnections),
        new Kind("stepClock", this::stepClock),
        new Kind("passTheNight", this::passTheNight),
        new Kind("handOver", this::handOver),
        new Kind("handOver", this::handOver),
        new Kind("pauseCleaner", this::pauseCleaner),
        new Kind("outrunStandby", this::outrunStandby),
        new Kind("repeatShipments", this::repeatShipments),
        new Kind("repeatShipments", this::repeatShipments),
        new Kind("strayFrames", this::strayFrames),
        new Kind("beginMaintenance", this::beginMaintenance),
        new Kind("strangers", this::strangers));
  }

  /** Runs one fault, from its beginning to its end. */
  void next() throws InterruptedException {
    int kind = random.nextInt(kinds.size());
    scheduler.trace(kind);
    world.struck.add(kind);
    kinds.get(kind).strike().strike();
    end();
  }

  /** Ends all faults, and replaces crashed nodes, before their sessions expire or after. */
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
      replaceIfCrashed(node);
    }
  }

  /** Replaces a node that has crashed. Without memory it may crash after its fault has ended. */
  void replaceIfCrashed(SimNode node) throws InterruptedException {
    if (scheduler.isCrashed(node.host)) {
      replace(node);
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
    last(4_000);
  }

  private void storeAnswersWrong() throws InterruptedException {
    world.store.trouble(0, 5 + random.nextInt(30), false);
    last(1_000);
  }

  private void pause() throws InterruptedException {
    SimNode node = victims.likelyPrimary();
    scheduler.pause(node.host);
    last(50);
    victims.maybeExpire(node);
    last(3_000);
    scheduler.resume(node.host);
  }

  private void crash() throws InterruptedException {
    SimNode node = victims.likelyPrimary();
    scheduler.crash(node.host);
    last(1_000);
  }

  private void crashAtPoint() throws InterruptedException {
    CrashPoint point = victims.anyPoint();
    SimNode node = victims.whoGetsTo(point);
    scheduler.crashAt(node.host, point.name());
    lead(node, point);
    awaitPoint();
    last(1_000);
  }

  /** Pauses a node at a point. It goes on when others may have gone on without it. */
  private void pauseAtPoint() throws InterruptedException {
    CrashPoint point = victims.anyPoint();
    pauseAt(point, victims.whoGetsTo(point));
  }

  /** Makes a node believe that it is the leader, and begin a term when another one leads. */
  private void leadTooLate() throws InterruptedException {
    pauseAt(CrashPoint.LEADING, victims.whoGetsTo(CrashPoint.LEADING));
  }

  private void pauseAt(CrashPoint point, SimNode node) throws InterruptedException {
    scheduler.pauseAt(node.host, point.name());
    lead(node, point);
    awaitPoint();
    last(1_000);
    if (point.isOfTakeover() && node.session != null) {
      node.session.expire();
    } else {
      victims.maybeExpire(node);
    }
    last(6_000);
  }

  /** Delays one thread at a point, until the term in which it began may be over. */
  private void delayAtPoint() throws InterruptedException {
    CrashPoint point = victims.anyPoint();
    SimNode node = victims.whoGetsTo(point);
    scheduler.delayAt(node.host, point.name(), random.nextLong(LONGEST_DELAY_NS));
    lead(node, point);
    awaitPoint();
    switch (random.nextInt(4)) {
      case 0 -> victims.maybeExpire(node);
      case 1 -> handOver();
      case 2 -> storeFails();
      default -> cutFromCoordination();
    }
    last(3_000);
  }

  /** Leads a node to a point of a takeover: the primary loses its lead. */
  private void lead(SimNode node, CrashPoint point) throws InterruptedException {
    SimNode primary = victims.primary();
    if (!point.isOfTakeover() || primary == null || primary.session == null) {
      return;
    }
    switch (random.nextInt(3)) {
      case 0 -> primary.session.expire();
      case 1 -> {
        scheduler.crash(primary.host);
        primary.session.end();
      }
      default -> {
        long epoch = world.zooKeeper.primary().map(PrimaryInfo::epoch).orElse(0L);
        ask(operator -> operator.requestHandOver(epoch, node.host));
      }
    }
  }

  /** Waits for a time until a node reaches its point; a node may not pass the point again. */
  private void awaitPoint() throws InterruptedException {
    for (int i = 0; i < MAX_WAITS && scheduler.isArmed(); i++) {
      Thread.sleep(WAIT_MS);
    }
  }

  /** Makes a coordinator stop renewing for longer than its leases, and then go on. */
  private void outliveLease() throws InterruptedException {
    SimNode node = victims.anyOf(SimNode.Sender.class);
    if (random.nextBoolean()) {
      scheduler.pauseAt(node.host, CrashPoint.COMMITTING.name());
      last(2_000);
    } else {
      world.network.cut(node.host);
    }
    last(15_000);
  }

  private void runOutOfMemory() throws InterruptedException {
    scheduler.limitArrays(victims.likelyPrimary().host, random.nextInt(1_000));
    last(1_000);
  }

  private void losePower() {
    world.nodes.forEach(node -> scheduler.crash(node.host));
    world.store.losePower();
  }

  private void cutFromPeers() throws InterruptedException {
    world.network.cut(victims.likelyPrimary().host);
    last(10_000);
  }

  private void cutFromCoordination() throws InterruptedException {
    SimNode node = victims.likelyPrimary();
    SimSession session = node.session;
    if (session != null) {
      session.trouble(true, 0);
      last(SESSION_MS);
      victims.maybeExpire(node);
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
      world.network.breakAllOf(victims.any().host, Fault.PEER_GONE);
      last(200);
    }
  }

  private void stepClock() {
    scheduler.setClock(victims.likelyPrimary().host, random.nextLong(-7_200_000, 7_200_000));
  }

  private void passTheNight() throws InterruptedException {
    world.isNight = true;
    Thread.sleep(3_600_000L + random.nextInt(3_600_000));
    world.isNight = false;
  }

  private interface Request {
    void of(Coordination operator) throws IOException, InterruptedException;
  }

  /** Sends a request to the coordination, as an operator's command. A failure has no effect. */
  private void ask(Request request) throws InterruptedException {
    try (Coordination operator =
        SimZooKeeper.coordination(world.zooKeeper.connect(random.split()))) {
      request.of(operator);
    } catch (IOException e) {
      scheduler.trace(1);
    }
  }

  /** Hands over to any node, even an unknown or unfit one; another fault may strike meanwhile. */
  private void handOver() throws InterruptedException {
    PrimaryInfo primary = world.zooKeeper.primary().orElse(null);
    if (primary == null) {
      return;
    }
    String to = random.nextInt(8) == 0 ? "nobody" : victims.anyOf(SimNode.Transactor.class).host;
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

  /** Pauses a node that deletes. It goes on hours later with its list, while another deletes. */
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

  /** Pauses a standby, while the log goes on and is deleted. */
  private void outrunStandby() throws InterruptedException {
    SimNode node = victims.anyOf(SimNode.Transactor.class);
    scheduler.pause(node.host);
    leaveBehind(node);
  }

  /** Makes a paused node go on hours later. */
  private void leaveBehind(SimNode node) throws InterruptedException {
    world.network.cut(node.host);
    last(1_000);
    victims.maybeExpire(node);
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
