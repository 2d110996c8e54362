package io.drayage.coordination.zookeeper;

import io.drayage.coordination.AppliedReport;
import io.drayage.coordination.AppliedReports;
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
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

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
 * /handover     the epoch whose primary is to make way, and for whom
 * /maintenance  whether the primary accepts cargoes, and why not
 * /differs      the entries of the log that nodes have applied differently
 * </pre>
 *
 * <p>The latch alone is not enough: a primary that was paused may still rely on it when it resumes.
 * So an elected node first raises the epoch and writes it to {@code /published}. This changes the
 * version of that node, so that ZooKeeper itself rejects whatever an earlier primary publishes.
 *
 * <p>A lost connection has no effect as long as the session lives: a primary stays primary while
 * ZooKeeper restarts.
 */
public final class ZooKeeperCoordination implements Coordination {
  static final String NODES = "/nodes";
  static final String ELECTION = "/election";
  static final String CLUSTER = "/cluster";
  static final String PRIMARY = "/primary";
  static final String PUBLISHED = "/published";
  static final String HAND_OVER = "/handover";
  static final String MAINTENANCE = "/maintenance";
  static final String DIFFERS = "/differs";

  private static final System.Logger LOG = System.getLogger(ZooKeeperCoordination.class.getName());
  static final int RETRY_SLEEP_MS = 200;
  private static final byte[] NOTHING = new byte[0];

  private final ZooKeeperOptions options;
  private final CuratorFramework client;
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

  private ZooKeeperCoordination(ZooKeeperOptions options, CuratorFramework client) {
    this.options = options;
    this.client = client;
  }

  /**
   * Connects.
   *
   * @throws CoordinationException if there is no connection within the answer timeout, or with
   *     credentials of workers if what is there belongs to somebody else
   */
  public static ZooKeeperCoordination connect(ZooKeeperOptions options)
      throws CoordinationException {
    CuratorFramework client = client(options);
    ZooKeeperCoordination coordination = new ZooKeeperCoordination(options, client);
    client.getConnectionStateListenable().addListener((unused, state) -> tell(options, state));
    client.start();
    boolean whole = false;
    try {
      if (!client.blockUntilConnected(
          (int) options.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new CoordinationException(
            "ZooKeeper at %s does not answer within %,d s"
                .formatted(options.servers(), options.answerTimeout().toSeconds()),
            null);
      }
      coordination.claim();
      whole = true;
      return coordination;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    } finally {
      if (!whole) {
        coordination.close();
      }
    }
  }

  private static CuratorFramework client(ZooKeeperOptions options) {
    int answerMs = (int) options.answerTimeout().toMillis();
    int sessionMs = (int) options.sessionTimeout().toMillis();
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(options.servers())
            .namespace(options.root())
            .sessionTimeoutMs(sessionMs)
            .connectionTimeoutMs(Math.min(sessionMs, answerMs))
            .retryPolicy(new RetryUntilElapsed(answerMs, RETRY_SLEEP_MS))
            .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy())
            // Uses the configured servers, not the addresses that they advertise.
            .ensembleTracker(false);
    ZooKeeperTls tls = options.tls();
    if (tls != null) {
      builder.zkClientConfig(tls.configuration());
    }
    String credentials = options.credentials();
    String workers = options.workerCredentials();
    if (credentials != null && workers != null) {
      // As a worker too, since what a worker enters is its own.
      builder
          .authorization(List.of(login(credentials), login(workers)))
          .aclProvider(ZooKeeperRights.of(options.root(), credentials, workers));
    } else if (credentials != null) {
      builder.authorization(List.of(login(credentials))).aclProvider(ZooKeeperRights.ofCreator());
    }
    return builder.build();
  }

  private static void tell(ZooKeeperOptions options, ConnectionState state) {
    if (state == ConnectionState.LOST) {
      LOG.log(
          Level.WARNING,
          "the session with ZooKeeper at {0} is lost: nothing was heard from it, or from this node, for {1} ms",
          options.servers(),
          Long.toString(options.sessionTimeout().toMillis()));
    } else if (state == ConnectionState.RECONNECTED) {
      LOG.log(Level.INFO, "ZooKeeper at {0} answers again", options.servers());
    }
  }

  private static AuthInfo login(String credentials) {
    return new AuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
  }

  private void claim() throws CoordinationException {
    String credentials = options.credentials();
    String workers = options.workerCredentials();
    if (credentials != null && workers != null) {
      ZooKeeperRights.of(options.root(), credentials, workers).claim(client);
    }
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
    return "ZooKeeper at %s/%s".formatted(options.servers(), options.root());
  }

  @Override
  public Optional<UUID> cluster() throws CoordinationException {
    return Curator.latest(client, CLUSTER, NodeText::id);
  }

  @Override
  public Membership join(NodeInfo node) throws CoordinationException {
    PersistentNode live = new NodeEntry(client, options, node).join();
    Registration leaving = register(() -> Curator.close(live));
    return new Membership() {
      @Override
      public void report(NodeProgress progress) {
        try {
          live.setData(NodeText.of(node, progress));
        } catch (Exception e) { // Curator's method declares it.
          LOG.log(Level.DEBUG, "{0} cannot tell how far it is: {1}", node.name(), e.toString());
        }
      }

      @Override
      public void close() {
        leaving.close();
      }
    };
  }

  @Override
  public Optional<NodeProgress> progress(String node) throws CoordinationException {
    return Curator.latest(client, NODES + "/" + node, NodeText::progress);
  }

  @Override
  public List<NodeInfo> liveNodes() throws CoordinationException {
    List<NodeInfo> nodes = new ArrayList<>();
    Curator.sync(client, NODES);
    for (String name : Curator.children(client, NODES)) {
      String path = NODES + "/" + name;
      Curator.read(client, path).ifPresent(value -> addReadable(nodes, path, value.data()));
    }
    nodes.sort((a, b) -> a.name().compareTo(b.name()));
    return nodes;
  }

  /** Workers may enter what they like: one entry must not hide the others. */
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
        new ZooKeeperCandidacy(client, new CuratorLatch(client, node.name()), node, listener);
    boolean stands = false;
    try {
      candidacy.start();
      stands = true;
      return register(candidacy::close);
    } finally {
      if (!stands) {
        candidacy.close();
      }
    }
  }

  @Override
  public Optional<PrimaryInfo> primary() throws CoordinationException {
    return Curator.latest(client, PRIMARY, NodeText::primary);
  }

  @Override
  public Optional<PublishedSnapshot> published() throws CoordinationException {
    return Curator.latest(client, PUBLISHED, NodeText::published)
        .filter(found -> !ZooKeeperTerm.isNothing(found));
  }

  @Override
  public Registration watchPublished(Consumer<PublishedSnapshot> watcher)
      throws CoordinationException {
    return register(
        ValueWatch.start(
                client,
                PUBLISHED,
                NodeText::published,
                PublishedSnapshot::timestamp,
                (PublishedSnapshot found) -> {
                  if (!ZooKeeperTerm.isNothing(found)) {
                    watcher.accept(found);
                  }
                })
            ::close);
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException {
    return register(
        ValueWatch.start(client, PRIMARY, NodeText::primary, PrimaryInfo::epoch, watcher)::close);
  }

  @Override
  public void requestHandOver(long epoch, String to) throws CoordinationException {
    ensure(client, HAND_OVER);
    Curator.sync(client, HAND_OVER);
    Optional<Curator.Value> before = Curator.read(client, HAND_OVER);
    long last = before.isEmpty() ? 0 : NodeText.handOver(HAND_OVER, before.get().data()).change();
    byte[] next = NodeText.of(new HandOver(last + 1, epoch, to));
    int expected = before.map(Curator.Value::version).orElse(0);
    Curator.call(
        "write " + HAND_OVER,
        () -> client.setData().withVersion(expected).forPath(HAND_OVER, next));
  }

  @Override
  public Registration watchHandOver(Consumer<HandOver> watcher) throws CoordinationException {
    return register(
        ValueWatch.start(client, HAND_OVER, NodeText::handOver, HandOver::change, watcher)::close);
  }

  @Override
  public Maintenance maintenance() throws CoordinationException {
    return Curator.latest(client, MAINTENANCE, NodeText::maintenance).orElse(Maintenance.NEVER);
  }

  @Override
  public Maintenance maintain(boolean on, String reason) throws CoordinationException {
    ensure(client, MAINTENANCE);
    Curator.sync(client, MAINTENANCE);
    Optional<Curator.Value> before = Curator.read(client, MAINTENANCE);
    Maintenance last =
        before.isEmpty()
            ? Maintenance.NEVER
            : NodeText.maintenance(MAINTENANCE, before.get().data());
    Maintenance next = last.next(on, reason);
    int expected = before.map(Curator.Value::version).orElse(0);
    Curator.call(
        "write " + MAINTENANCE,
        () -> client.setData().withVersion(expected).forPath(MAINTENANCE, NodeText.of(next)));
    return next;
  }

  @Override
  public Registration watchMaintenance(Consumer<Maintenance> watcher) throws CoordinationException {
    return register(
        ValueWatch.start(client, MAINTENANCE, NodeText::maintenance, Maintenance::change, watcher)
            ::close);
  }

  @Override
  public void report(AppliedReport report) throws CoordinationException {
    ensure(client, DIFFERS);
    boolean written = false;
    while (!written) {
      Curator.sync(client, DIFFERS);
      Optional<Curator.Value> before = Curator.read(client, DIFFERS);
      AppliedReports last =
          before.isEmpty() ? AppliedReports.NONE : NodeText.reports(DIFFERS, before.get().data());
      if (last.reports().contains(report)) {
        return;
      }
      int expected = before.map(Curator.Value::version).orElse(0);
      byte[] next = NodeText.of(last.plus(report));
      written =
          Curator.call(
              "write " + DIFFERS,
              () -> {
                try {
                  client.setData().withVersion(expected).forPath(DIFFERS, next);
                  return true;
                } catch (KeeperException.BadVersionException e) {
                  return false; // Another node was first, or the answer to an attempt was lost.
                }
              });
    }
  }

  @Override
  public AppliedReports reports() throws CoordinationException {
    return Curator.latest(client, DIFFERS, NodeText::reports).orElse(AppliedReports.NONE);
  }

  @Override
  public Registration watchReports(Consumer<AppliedReports> watcher) throws CoordinationException {
    return register(
        ValueWatch.start(client, DIFFERS, NodeText::reports, AppliedReports::change, watcher)
            ::close);
  }

  @Override
  public void close() {
    registrations.forEach(
        registration -> {
          if (registrations.remove(registration)) {
            registration.close();
          }
        });
    client.close();
  }

  /** The client of the current session. */
  ZooKeeper client() throws CoordinationException {
    return Curator.call("show its client", () -> client.getZookeeperClient().getZooKeeper());
  }

  /** Creates an empty node, unless it exists. */
  static void ensure(CuratorFramework client, String path) throws CoordinationException {
    Curator.call(
        "create " + path,
        () -> {
          try {
            return client.create().creatingParentsIfNeeded().forPath(path, NOTHING);
          } catch (KeeperException.NodeExistsException e) {
            return path;
          }
        });
  }
}
