package io.drayage.isolation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order in which transactions must have happened: a history is possible if and only if this
 * graph has no cycle. Each transaction is two nodes, since under snapshot isolation it reads at its
 * begin and writes at its commit. So two transactions that each read a version that the other
 * replaces (write skew) are no cycle. Not thread-safe.
 */
final class DependencyGraph {
  /** The reason for an order. Cycles are searched in the order of the constants. */
  enum Why {
    /** A transaction begins before it commits. */
    PROGRAM,
    /** The other replaces the version that this one wrote. */
    WW,
    /** The other reads the version that this one wrote. */
    WR,
    /** The other replaces the version that this one read. */
    RW,
    /** The other is later in the same session. */
    SESSION,
    /** The other was sent after this one was acknowledged. */
    REAL_TIME
  }

  private record Edge(String from, String to, Why why) {}

  private final Map<String, List<Edge>> edges = new HashMap<>();

  void add(String from, String to, Why why) {
    edges.computeIfAbsent(from, node -> new ArrayList<>()).add(new Edge(from, to, why));
    edges.computeIfAbsent(to, node -> new ArrayList<>());
  }

  /** The anomaly with the fewest kinds of edges; null if there is none. */
  @Nullable Anomaly findAnomaly() {
    Set<Why> allowed = EnumSet.of(Why.PROGRAM);
    for (Why next : Why.values()) {
      allowed.add(next);
      List<Edge> cycle = findCycle(allowed);
      if (cycle != null) {
        return new Anomaly(kind(next, cycle), text(cycle));
      }
    }
    return null;
  }

  private static Anomaly.Kind kind(Why last, List<Edge> cycle) {
    return switch (last) {
      case PROGRAM, WW -> Anomaly.Kind.G0;
      case WR -> Anomaly.Kind.G1C;
      case RW ->
          cycle.stream().filter(edge -> edge.why == Why.RW).count() == 1
              ? Anomaly.Kind.G_SINGLE
              : Anomaly.Kind.G_NONADJACENT;
      case SESSION -> Anomaly.Kind.SESSION;
      case REAL_TIME -> Anomaly.Kind.REAL_TIME;
    };
  }

  private static String text(List<Edge> cycle) {
    StringBuilder text = new StringBuilder(cycle.get(0).from);
    cycle.forEach(edge -> text.append(" -").append(edge.why).append("-> ").append(edge.to));
    return text.toString();
  }

  private @Nullable List<Edge> findCycle(Set<Why> allowed) {
    Map<String, List<Edge>> into = new HashMap<>();
    Map<String, Integer> left = new HashMap<>();
    edges
        .values()
        .forEach(
            list ->
                list.stream()
                    .filter(edge -> allowed.contains(edge.why))
                    .forEach(
                        edge -> {
                          into.computeIfAbsent(edge.to, node -> new ArrayList<>()).add(edge);
                          left.merge(edge.from, 1, Integer::sum);
                        }));
    // A node without successor is in no cycle. Remove such nodes until none is left.
    Deque<String> ends = new ArrayDeque<>();
    edges.keySet().stream().filter(node -> !left.containsKey(node)).forEach(ends::add);
    while (!ends.isEmpty()) {
      for (Edge edge : into.getOrDefault(ends.remove(), List.of())) {
        if (left.merge(edge.from, -1, Integer::sum) == 0) {
          left.remove(edge.from);
          ends.add(edge.from);
        }
      }
    }
    return left.isEmpty() ? null : shortestCycle(left.keySet(), allowed);
  }

  /** The shortest cycle through a node that is known to be in a cycle. */
  private List<Edge> shortestCycle(Set<String> remaining, Set<Why> allowed) {
    String node = Collections.min(remaining);
    Set<String> seen = new HashSet<>();
    while (seen.add(node)) {
      node = next(node, remaining, allowed).get(0).to;
    }
    String start = node;
    Map<String, Edge> reachedBy = new HashMap<>();
    Deque<String> queue = new ArrayDeque<>(List.of(start));
    while (!reachedBy.containsKey(start)) {
      for (Edge edge : next(queue.remove(), remaining, allowed)) {
        if (reachedBy.putIfAbsent(edge.to, edge) == null) {
          queue.add(edge.to);
        }
      }
    }
    List<Edge> cycle = new ArrayList<>();
    String at = start;
    do {
      Edge edge = reachedBy.get(at);
      cycle.add(0, edge);
      at = edge.from;
    } while (!at.equals(start));
    return cycle;
  }

  private List<Edge> next(String node, Set<String> remaining, Set<Why> allowed) {
    return edges.getOrDefault(node, List.of()).stream()
        .filter(edge -> allowed.contains(edge.why) && remaining.contains(edge.to))
        .toList();
  }
}
