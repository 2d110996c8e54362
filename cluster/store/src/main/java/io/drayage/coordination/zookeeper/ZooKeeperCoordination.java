package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Registration;
import io.drayage.internal.Begun;
import io.drayage.internal.Slf4j;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Coordination by ZooKeeper:
 *
 * <pre>
 * /nodes/NAME   ephemeral: a live node, and how far it is
 * /election     the leader latch of the candidates
 * /cluster      the cluster's id
 * /primary      epoch and address of the node elected last
 * /published    the current snapshot's timestamp, the epoch of its publisher, the database's id,
 *               and the checksum of the snapshot's entry
 * /handover     the epoch of the primary that is to hand over, and its successor; why it does not
 * /maintenance  whether the primary accepts cargoes, and why not
 * </pre>
 *
 * <p>The latch alone is not enough: a primary that was paused may still believe that it leads when
 * it resumes. So an elected node first raises the epoch and writes it to {@code /published}. The
 * write changes the version of that node, so that ZooKeeper rejects the writes of earlier ones.
 *
 * <p>A lost connection has no effect as long as the session lives: a primary stays primary while
 * ZooKeeper restarts.
 */
public final class ZooKeeperCoordination implements Coordination {
  static final String NODES = "/nodes";
  static final String ELECTION = "/election";

  static final NodeValue<UUID> CLUSTER = new NodeValue<>("/cluster", NodeText::id, id -> 0);
  static final NodeValue<PrimaryInfo> PRIMARY =
      new NodeValue<>("/primary", NodeText::primary, PrimaryInfo::epoch);
  static final NodeValue<PublishedSnapshot> PUBLISHED =
      new NodeValue<>("/published", NodeText::published, PublishedSnapshot::timestamp);
  static final NodeValue<HandOver> HAND_OVER =
      new NodeValue<>("/handover", NodeText::handOver, HandOver::change);
  static final NodeValue<Maintenance> MAINTENANCE =
      new NodeValue<>("/maintenance", NodeText::maintenance, Maintenance::change);
  static final List<NodeValue<?>> VALUES =
      List.of(CLUSTER, PRIMARY, PUBLISHED, HAND_OVER, MAINTENANCE);

  private static final System.Logger LOG = System.getLogger(ZooKeeperCoordination.class.getName());

  private final String name;
  private final NodeTree tree;
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

  /**
   * @param tree owned by this object from now on
   */
  ZooKeeperCoordination(String name, NodeTree tree) {
    this.name = name;
    this.tree = tree;
  }

  /**
   * Connects.
   *
   * @throws CoordinationException if there is no connection within the answer timeout, or if
   *     credentials of workers are given and existing nodes belong to another user
   */
  public static ZooKeeperCoordination connect(ZooKeeperOptions options)
      throws CoordinationException {
    Slf4j.prepare();
    String name = "ZooKeeper at %s/%s".formatted(options.servers(), options.root());
    return new ZooKeeperCoordination(name, Curator.connect(options));
  }

  private Registration register(Registration registration) {
    registrations.add(registration);
    return () -> {
      if (registrations.remove(registration)) {
        registration.close();
      }
    };
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<UUID> cluster() throws CoordinationException {
    return CLUSTER.latest(tree);
  }

  @Override
  public Membership join(NodeInfo node) throws CoordinationException {
    Membership live = tree.enter(node);
    Registration leaving = register(live);
    return new Membership() {
      @Override
      public void report(NodeProgress progress) {
        live.report(progress);
      }

      @Override
      public void close() {
        leaving.close();
      }
    };
  }

  @Override
  public Optional<NodeProgress> progress(String node) throws CoordinationException {
    return new NodeValue<>(NODES + "/" + node, NodeText::progress, NodeProgress::loaded)
        .latest(tree);
  }

  @Override
  public List<NodeInfo> liveNodes() throws CoordinationException {
    List<NodeInfo> nodes = new ArrayList<>();
    tree.sync(NODES);
    for (String name : tree.children(NODES)) {
      String path = NODES + "/" + name;
      tree.read(path).ifPresent(value -> addReadable(nodes, path, value.data()));
    }
    nodes.sort((a, b) -> a.name().compareTo(b.name()));
    return nodes;
  }

  /** Adds a node, unless its entry cannot be read: any worker may write an entry. */
  private static void addReadable(List<NodeInfo> nodes, String path, byte[] data) {
    try {
      nodes.add(NodeText.node(path, data));
    } catch (CoordinationException e) {
      LOG.log(Level.WARNING, "a live node is left out: {0}", e.getMessage());
    }
  }

  @Override
  public Registration stand(NodeInfo node, CandidacyListener listener)
      throws CoordinationException {
    ZooKeeperCandidacy candidacy =
        new ZooKeeperCandidacy(tree, tree.latch(node.name()), node, listener);
    try (Begun begun = new Begun(candidacy::close)) {
      candidacy.start();
      return begun.keep(register(candidacy::close));
    }
  }

  @Override
  public Optional<PrimaryInfo> primary() throws CoordinationException {
    return PRIMARY.latest(tree);
  }

  @Override
  public Optional<PublishedSnapshot> published() throws CoordinationException {
    return PUBLISHED.latest(tree).filter(found -> !ZooKeeperTerm.isNothing(found));
  }

  @Override
  public Registration watchPublished(Consumer<PublishedSnapshot> watcher)
      throws CoordinationException {
    return register(
        PUBLISHED.watch(
            tree,
            found -> {
              if (!ZooKeeperTerm.isNothing(found)) {
                watcher.accept(found);
              }
            }));
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException {
    return register(PRIMARY.watch(tree, watcher));
  }

  @Override
  public void requestHandOver(long epoch, String to) throws CoordinationException {
    NodeValue.Versioned<HandOver> before = HAND_OVER.readToReplace(tree, new HandOver(0, 0, to));
    byte[] next = NodeText.of(new HandOver(before.value().change() + 1, epoch, to));
    replace(HAND_OVER.path(), before.version(), next);
  }

  @Override
  public void withdrawHandOver(HandOver request, String reason) throws CoordinationException {
    NodeValue.Versioned<HandOver> last = HAND_OVER.readToReplace(tree, request);
    if (last.value().equals(request)) {
      replace(HAND_OVER.path(), last.version(), NodeText.of(request.withdrawn(reason)));
    }
  }

  @Override
  public Optional<HandOver> handOver() throws CoordinationException {
    return HAND_OVER.latest(tree);
  }

  @Override
  public Registration watchHandOver(Consumer<HandOver> watcher) throws CoordinationException {
    return register(HAND_OVER.watch(tree, watcher));
  }

  @Override
  public Maintenance maintenance() throws CoordinationException {
    return MAINTENANCE.latest(tree).orElse(Maintenance.NEVER);
  }

  @Override
  public Maintenance maintain(boolean on, String reason) throws CoordinationException {
    NodeValue.Versioned<Maintenance> before = MAINTENANCE.readToReplace(tree, Maintenance.NEVER);
    Maintenance next = before.value().next(on, reason);
    replace(MAINTENANCE.path(), before.version(), NodeText.of(next));
    return next;
  }

  @Override
  public Registration watchMaintenance(Consumer<Maintenance> watcher) throws CoordinationException {
    return register(MAINTENANCE.watch(tree, watcher));
  }

  @Override
  public void close() {
    registrations.forEach(
        registration -> {
          if (registrations.remove(registration)) {
            registration.close();
          }
        });
    tree.close();
  }

  private void replace(String path, int expected, byte[] next) throws CoordinationException {
    if (tree.write(path, next, expected) < 0) {
      throw new CoordinationException(
          "%s: %s was changed at the same time, perhaps to the same value".formatted(name, path));
    }
  }

  NodeTree tree() {
    return tree;
  }
}
