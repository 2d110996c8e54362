package io.drayage.admin;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.Lag;
import io.drayage.replica.LagMeter;
import io.drayage.transactor.NodeEvents;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of a cluster again and again, and notes its changes: a new primary, a transactor
 * that joins or leaves, maintenance. One thread reads; the view is for all.
 */
final class ClusterWatch {
  private final Coordination coordination;
  private final String own;
  private final NodeEvents events;
  private final Map<String, LagMeter> lags = new HashMap<>();
  private final Set<String> gone = new TreeSet<>();
  private volatile @Nullable View view;

  /**
   * A state and its changes.
   *
   * @param state with the lags of all nodes
   * @param primarySince time at which this primary was first seen to accept cargoes
   * @param isPrimarySeen whether its begin was seen; otherwise it began before {@code primarySince}
   * @param publishedSince time at which the published snapshot was first seen
   * @param gone transactors that were seen in the cluster and have left
   */
  record View(
      ClusterState state,
      Instant primarySince,
      boolean isPrimarySeen,
      Instant publishedSince,
      List<String> gone) {}

  /**
   * @param own the name of this node, which notes its own changes itself
   */
  ClusterWatch(Coordination coordination, String own, NodeEvents events) {
    this.coordination = coordination;
    this.own = own;
    this.events = events;
  }

  /** The last view; null before the first. */
  @Nullable View view() {
    return view;
  }

  /** Reads the state. May block. */
  View look() throws CoordinationException {
    ClusterState read = ClusterState.read(coordination);
    ClusterState state =
        new ClusterState(read.published(), read.primary(), read.maintenance(), withAges(read));
    View before = view;
    Instant now = Instant.now();
    boolean isSamePrimary = before != null && primary(before.state).equals(primary(state));
    boolean isSameSnapshot = before != null && snapshot(before.state) == snapshot(state);
    if (before != null) {
      noteNodes(names(before.state), names(state));
      noteRest(before.state, state, isSamePrimary);
    }
    View next =
        new View(
            state,
            before != null && isSamePrimary ? before.primarySince : now,
            before != null && (!isSamePrimary || before.isPrimarySeen),
            before != null && isSameSnapshot ? before.publishedSince : now,
            List.copyOf(gone));
    view = next;
    return next;
  }

  private List<ClusterState.Node> withAges(ClusterState read) {
    Map<String, LagMeter> known = Map.copyOf(lags);
    lags.clear();
    List<ClusterState.Node> nodes = new ArrayList<>();
    for (ClusterState.Node node : read.nodes()) {
      LagMeter meter = known.getOrDefault(node.name(), new LagMeter());
      lags.put(node.name(), meter);
      PublishedSnapshot published = read.published();
      if (published != null) {
        meter.publish(published.timestamp());
      }
      NodeProgress progress = node.progress();
      Lag lag = node.lag();
      boolean isBehind = lag != null && lag.snapshots() > 0;
      nodes.add(
          new ClusterState.Node(
              node.info(), progress, isBehind ? meter.of(progress.loaded()) : lag));
    }
    return nodes;
  }

  private void noteNodes(Set<String> before, Set<String> now) {
    for (String name : before) {
      if (!now.contains(name)) {
        gone.add(name);
        events.add(name + " left the cluster");
      }
    }
    for (String name : now) {
      gone.remove(name);
      if (!before.contains(name)) {
        events.add(name + " joined the cluster");
      }
    }
  }

  private void noteRest(ClusterState before, ClusterState now, boolean isSamePrimary) {
    ClusterState.Primary primary = now.primary();
    if (!isSamePrimary
        && primary != null
        && primary.accepts()
        && !primary.node().name().equals(own)) {
      events.add(format("%s is primary, epoch %d", primary.node().name(), primary.epoch()));
    }
    if (now.maintenance().change() != before.maintenance().change()) {
      events.add("the cluster is " + now.maintenance());
    }
  }

  private static Set<String> names(ClusterState state) {
    return state.transactors().stream().map(ClusterState.Node::name).collect(Collectors.toSet());
  }

  /** The primary as a text that changes with it; empty without one. */
  private static String primary(ClusterState state) {
    ClusterState.Primary primary = state.primary();
    return primary == null || !primary.isThere() || !primary.accepts()
        ? ""
        : format("%s %d", primary.node().name(), primary.epoch());
  }

  private static long snapshot(ClusterState state) {
    PublishedSnapshot published = state.published();
    return published == null ? -1 : published.timestamp();
  }
}
