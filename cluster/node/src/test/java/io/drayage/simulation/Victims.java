package io.drayage.simulation;

import io.drayage.coordination.PrimaryInfo;
import io.drayage.crash.CrashPoint;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Draws the node that a fault strikes. */
final class Victims {
  private final SimulatedCluster world;
  private final SplittableRandom random;
  private final Focus focus;

  /**
   * @param random the generator of the faults
   */
  Victims(SimulatedCluster world, SplittableRandom random, Focus focus) {
    this.world = world;
    this.random = random;
    this.focus = focus;
  }

  SimNode any() {
    return world.nodes.get(random.nextInt(world.nodes.size()));
  }

  /** Returns the primary half of the time. */
  SimNode likelyPrimary() {
    SimNode other = any();
    SimNode primary = primary();
    return random.nextBoolean() && primary != null ? primary : other;
  }

  private SimNode nextPrimary() {
    SimNode primary = primary();
    SimNode next = anyOf(SimNode.Transactor.class);
    while (next == primary) {
      next = anyOf(SimNode.Transactor.class);
    }
    return next;
  }

  /** The primary; null if there is none, or it is gone. */
  @Nullable SimNode primary() {
    String primary = world.zooKeeper.primary().map(Victims::host).orElse("");
    return world.nodes.stream().filter(node -> node.host.equals(primary)).findAny().orElse(null);
  }

  private static String host(PrimaryInfo primary) {
    return primary.node().name();
  }

  SimNode anyOf(Class<? extends SimNode> kind) {
    List<SimNode> all = world.nodes.stream().filter(kind::isInstance).toList();
    return all.get(random.nextInt(all.size()));
  }

  /** Expires a session, always for a primary: it ended long before the primary is notified. */
  void maybeExpire(SimNode node) {
    boolean isPrimary =
        world.zooKeeper.primary().map(Victims::host).filter(node.host::equals).isPresent();
    if (node.session != null && (isPrimary || random.nextInt(3) == 0)) {
      node.session.expire();
    }
  }

  /** Draws a point. Workers of transactions die by themselves. */
  CrashPoint anyPoint() {
    CrashPoint[] points = CrashPoint.values();
    CrashPoint point = points[random.nextInt(points.length)];
    while (point.isOfFragments() || !focus.draws(point)) {
      point = points[random.nextInt(points.length)];
    }
    return point;
  }

  /** The node that reaches a point: for a point of a takeover the next primary. */
  SimNode whoGetsTo(CrashPoint point) {
    if (point.isOfTakeover()) {
      return nextPrimary();
    }
    return point.isOfWorker() ? anyOf(SimNode.Sender.class) : likelyPrimary();
  }
}
