package io.drayage.coordination.zookeeper;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import io.drayage.internal.Begun;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A {@link NodeTree} that uses Curator's client. Failures name the operation. */
final class Curator implements NodeTree {
  private static final System.Logger LOG = System.getLogger(Curator.class.getName());

  /** Longer than the client's own retries. A closed client never answers. */
  private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(1);

  static final int RETRY_SLEEP_MS = 200;
  private static final byte[] NOTHING = new byte[0];

  private final CuratorFramework client;
  private final ZooKeeperOptions options;

  /** The watches by path, until the session ends: Curator also keeps closed watches. */
  private final Map<String, Watched> watched = new ConcurrentHashMap<>();

  private record Watched(CuratorCache cache, List<Runnable> listening) {}

  Curator(CuratorFramework client, ZooKeeperOptions options) {
    this.client = client;
    this.options = options;
  }

  /**
   * Connects.
   *
   * @throws CoordinationException as {@link ZooKeeperCoordination#connect}
   */
  static Curator connect(ZooKeeperOptions options) throws CoordinationException {
    CuratorFramework client = client(options);
    Curator session = new Curator(client, options);
    client.getConnectionStateListenable().addListener((unused, state) -> tell(options, state));
    client.start();
    try (Begun begun = new Begun(session::close)) {
      if (!client.blockUntilConnected(
          (int) options.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new CoordinationException(
            format(
                "ZooKeeper at %s does not answer within %,d s: %s",
                options.servers(),
                options.answerTimeout().toSeconds(),
                ServerCheck.of(options.servers())));
      }
      session.claim();
      return begun.keep(session);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
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
      // The transactor has the rights of a worker too: the entries of workers belong to workers.
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
      ZooKeeperRights.of(options.root(), credentials, workers).claim(this, client);
    }
  }

  interface Call<T> {
    /** Curator's methods declare {@code Exception}. */
    T run() throws Exception;
  }

  static <T> T call(String what, Call<T> call) throws CoordinationException {
    try {
      return call.run();
    } catch (CoordinationException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    } catch (Exception e) {
      throw failure(what, e);
    }
  }

  private static CoordinationException failure(String what, Exception cause) {
    String reason =
        cause instanceof TimeoutException
            ? "no answer"
            : cause instanceof KeeperException.NoAuthException
                ? "NoAuth: only the login of its owner may"
                : cause.getMessage();
    return new CoordinationException("ZooKeeper cannot %s: %s".formatted(what, reason), cause);
  }

  @Override
  public void ensure(String path) throws CoordinationException {
    call(
        "create " + path,
        () -> {
          try {
            return client.create().creatingParentsIfNeeded().forPath(path, NOTHING);
          } catch (KeeperException.NodeExistsException e) {
            return path;
          }
        });
  }

  @Override
  public void sync(String path) throws CoordinationException {
    String what = "sync " + path;
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    int code =
        call(
            what,
            () -> {
              // Curator's other form does not wait, and drops errors.
              client
                  .sync()
                  .inBackground((unused, event) -> answer.complete(event.getResultCode()))
                  .forPath(path);
              return answer.get(SYNC_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            });
    if (code != KeeperException.Code.OK.intValue()) {
      throw failure(what, KeeperException.create(KeeperException.Code.get(code), path));
    }
  }

  @Override
  public Optional<Value> read(String path) throws CoordinationException {
    return call(
        "read " + path,
        () -> {
          try {
            Stat stat = new Stat();
            byte[] data = client.getData().storingStatIn(stat).forPath(path);
            return data.length == 0
                ? Optional.empty()
                : Optional.of(new Value(data, stat.getVersion()));
          } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
          }
        });
  }

  @Override
  public int write(String path, byte[] data, int expected) throws CoordinationException {
    return call(
        "write " + path,
        () -> {
          try {
            return client.setData().withVersion(expected).forPath(path, data).getVersion();
          } catch (KeeperException.BadVersionException e) {
            return -1;
          }
        });
  }

  @Override
  public List<String> children(String path) throws CoordinationException {
    return call(
        "list " + path,
        () -> {
          try {
            return client.getChildren().forPath(path);
          } catch (KeeperException.NoNodeException e) {
            return List.of();
          }
        });
  }

  @Override
  public Registration watch(String path, Runnable whenChanged) {
    List<Runnable> listening = watched.computeIfAbsent(path, this::watched).listening();
    listening.add(whenChanged);
    return () -> listening.remove(whenChanged);
  }

  private Watched watched(String path) {
    List<Runnable> listening = new CopyOnWriteArrayList<>();
    CuratorCache cache = CuratorCache.build(client, path, CuratorCache.Options.SINGLE_NODE_CACHE);
    cache
        .listenable()
        .addListener(
            CuratorCacheListener.builder()
                .forAll((type, before, after) -> listening.forEach(Runnable::run))
                .build());
    client
        .getConnectionStateListenable()
        .addListener(
            (unused, state) -> {
              if (state.isConnected()) {
                listening.forEach(Runnable::run);
              }
            });
    cache.start();
    return new Watched(cache, listening);
  }

  @Override
  public Membership enter(NodeInfo node) throws CoordinationException {
    return new NodeEntry(this, client, options, node).join();
  }

  @Override
  public Latch latch(String candidate) {
    return new CuratorLatch(client, candidate);
  }

  @Override
  public void close() {
    watched.values().forEach(each -> each.cache().close());
    client.close();
  }

  ZooKeeper client() throws CoordinationException {
    return call("show its client", () -> client.getZookeeperClient().getZooKeeper());
  }

  static void close(Closeable closed) {
    try {
      closed.close();
    } catch (IOException | IllegalStateException e) {
      // The session closes it.
    }
  }
}
