package io.drayage.coordination.zookeeper;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated ensemble: nodes with versions, the queue of an election, and sessions that own some
 * of them. The coordination on top of it is the real code.
 */
public final class SimZooKeeper {
  private static final byte[] NOTHING = new byte[0];

  private final Map<String, Node> nodes = new TreeMap<>();
  private final List<SimSession> sessions = new ArrayList<>();

  /** The queue of the election; the first leads. */
  final List<SimLatch> queue = new ArrayList<>();

  /** The number of changes. */
  long changes;

  /** A node with its current and its previous value. */
  static final class Node {
    NodeTree.Value value;
    NodeTree.Value before;
    long change;

    /** The owner, if the node ends with a session. */
    @Nullable SimSession owner;

    Node(NodeTree.Value value) {
      this.value = value;
      this.before = value;
    }
  }

  /** Connects the calling host. */
  public SimSession connect(SplittableRandom random) {
    SimSession session = new SimSession(this, random);
    sessions.add(session);
    return session;
  }

  /** Returns the coordination of a session, as nodes use it. */
  public static Coordination coordination(SimSession session) {
    return new ZooKeeperCoordination("simulated ZooKeeper", session);
  }

  /** The node elected last, read directly. */
  public Optional<PrimaryInfo> primary() {
    return parsed(ZooKeeperCoordination.PRIMARY);
  }

  /** The published snapshot, read directly. */
  public Optional<PublishedSnapshot> published() {
    return parsed(ZooKeeperCoordination.PUBLISHED).filter(found -> !ZooKeeperTerm.isNothing(found));
  }

  private <T> Optional<T> parsed(NodeValue<T> of) {
    Node node = nodes.get(of.path());
    try {
      return node == null || node.value.data().length == 0
          ? Optional.empty()
          : Optional.of(of.parser().parse(of.path(), node.value.data()));
    } catch (CoordinationException e) {
      throw new AssertionError(e);
    }
  }

  @Nullable Node node(String path) {
    return nodes.get(path);
  }

  void create(String path, byte[] data, @Nullable SimSession owner) {
    Node made = new Node(new NodeTree.Value(data, 0));
    made.before = new NodeTree.Value(NOTHING, 0);
    made.owner = owner;
    nodes.put(path, made);
    changed(path, made);
  }

  void set(String path, Node node, byte[] data) {
    node.before = node.value;
    node.value = new NodeTree.Value(data, node.value.version() + 1);
    changed(path, node);
  }

  private void changed(String path, Node node) {
    node.change = ++changes;
    List.copyOf(sessions).forEach(session -> session.changed(path));
  }

  List<String> children(String path) {
    return nodes.keySet().stream()
        .filter(each -> each.startsWith(path + "/"))
        .map(each -> each.substring(path.length() + 1))
        .toList();
  }

  /** Ends a session, with all that it owns. */
  void expire(SimSession session) {
    nodes.values().removeIf(node -> node.owner == session);
    List.copyOf(session.latches).forEach(this::leave);
  }

  void remove(String path, SimSession owner) {
    nodes.entrySet().removeIf(node -> node.getKey().equals(path) && node.getValue().owner == owner);
  }

  void forget(SimSession session) {
    sessions.remove(session);
  }

  void enter(SimLatch latch) {
    if (!queue.contains(latch)) {
      queue.add(latch);
      tellFirst();
    }
  }

  void leave(SimLatch latch) {
    if (queue.remove(latch)) {
      tellFirst();
    }
  }

  private void tellFirst() {
    if (!queue.isEmpty()) {
      queue.get(0).becameFirst();
    }
  }
}
