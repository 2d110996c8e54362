package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Registration;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * Coordination by ZooKeeper:
 *
 * <pre>
 * /nodes/NAME   ephemeral: a live node
 * /election     the leader latch of the candidates
 * /primary      epoch and address of the node elected last
 * /published    the current snapshot's timestamp, and the epoch of its publisher
 * /handover     the epoch whose primary is to make way
 * /maintenance  whether the primary accepts cargoes, and why not
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
  static final String PRIMARY = "/primary";
  static final String PUBLISHED = "/published";
  static final String HAND_OVER = "/handover";
  static final String MAINTENANCE = "/maintenance";

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
    client.start();
    boolean whole = false;
    try {
      if (!client.blockUntilConnected(
          (int) options.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new CoordinationException(
            String.format(
                Locale.ROOT,
                "ZooKeeper at %s does not answer within %,d s: %s",
                options.servers(),
                options.answerTimeout().toSeconds(),
                ServerCheck.of(options.servers())),
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
  public Registration join(NodeInfo node) throws CoordinationException {
    PersistentNode live = new LiveNode(client, options, node).join();
    return register(() -> Curator.close(live));
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
    ZooKeeperCandidacy candidacy = new ZooKeeperCandidacy(client, node, listener);
    candidacy.start();
    return register(candidacy::close);
  }

  @Override
  public Optional<PrimaryInfo> primary() throws CoordinationException {
    return Curator.latest(client, PRIMARY, NodeText::primary);
  }

  @Override
  public Optional<PublishedSnapshot> published() throws CoordinationException {
    return Curator.latest(client, PUBLISHED, NodeText::published);
  }

  @Override
  public Registration watchPublished(Consumer<PublishedSnapshot> watcher)
      throws CoordinationException {
    return register(
        ValueWatch.start(
                client, PUBLISHED, NodeText::published, PublishedSnapshot::timestamp, watcher)
            ::close);
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException {
    return register(
        ValueWatch.start(client, PRIMARY, NodeText::primary, PrimaryInfo::epoch, watcher)::close);
  }

  @Override
  public void requestHandOver(long epoch) throws CoordinationException {
    ensure(client, HAND_OVER);
    Curator.call(
        "write " + HAND_OVER, () -> client.setData().forPath(HAND_OVER, NodeText.ofEpoch(epoch)));
  }

  @Override
  public Registration watchHandOver(LongConsumer watcher) throws CoordinationException {
    return register(
        ValueWatch.start(client, HAND_OVER, NodeText::epoch, Long::longValue, watcher::accept)
            ::close);
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
