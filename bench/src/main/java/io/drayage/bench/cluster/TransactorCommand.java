package io.drayage.bench.cluster;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.config.TunedConfig;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.ConfigOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.codec.Serializers;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ReceiverLimits;
import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage transactor}: a transactor until it is told to end. */
@Command(
    name = "transactor",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a transactor: the primary of its cluster, or a standby that takes over.",
      "",
      "Without --zookeeper it runs one inside itself, for a cluster on this machine. SIGTERM ends"
          + " it: what is applied is stored and published first.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage transactor --listen 127.0.0.1:7070 --data /var/lib/drayage/t1",
      "  drayage transactor --listen 127.0.0.1:7071 --data /var/lib/drayage/t2 \\",
      "      --store fs:/var/lib/drayage/t1/store --zookeeper 127.0.0.1:2181"
    })
public final class TransactorCommand implements Callable<Integer> {
  private static final String DEFAULT_TRANSPORT = "netty";
  private static final int MAX_SHIPMENTS = ReceiverLimits.DEFAULT_MAX_SHIPMENTS;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7070",
      description = "Where it takes cargoes; port 0: any (default: ${DEFAULT-VALUE}).")
  private String listen = "";

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description = "The host by which workers reach it (default: that of --listen).")
  private @Nullable String advertise;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "Its own folder; made if it does not exist.")
  private Path data = Path.of("");

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "fs:DIR or s3:BUCKET[/PREFIX][?OPTIONS] (default: fs:DATA/store).")
  private @Nullable String store;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT[,...][/ROOT]",
      description = "The cluster's ZooKeeper (default: one inside this process).")
  private @Nullable String zookeeper;

  @Option(
      names = "--zookeeper-port",
      paramLabel = "PORT",
      defaultValue = "2181",
      description =
          "Where the ZooKeeper inside this process listens; 0: any (default: ${DEFAULT-VALUE}).")
  private int zookeeperPort;

  @Option(
      names = "--session-timeout-ms",
      paramLabel = "MS",
      defaultValue = "4000",
      description =
          "After which it counts as dead if it is not heard of (default: ${DEFAULT-VALUE}).")
  private int sessionTimeoutMs;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Its name in the cluster (default: transactor-PORT).")
  private @Nullable String name;

  @Option(
      names = "--tables",
      paramLabel = "CARGO",
      defaultValue = "thesis",
      description =
          "If the store holds no database: make one with the tables that this cargo changes;"
              + " thesis, tpch[:sf=N] or a file (default: ${DEFAULT-VALUE}).")
  private String tables = "thesis";

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description = "Size of the cargo of --tables (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--transport",
      paramLabel = "TRANSPORT",
      description = "How cargoes come (default: as --config says, else netty).")
  private @Nullable String transport;

  @Option(
      names = "--allow",
      paramLabel = "SERIALIZER",
      description =
          "Also take this serializer; more than once for more (raw, msgpack, columnar and that of"
              + " --config always).")
  private List<String> allowed = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads that decode, apply and load (default: as --config says, else all cores).")
  private @Nullable Integer threads;

  @Mixin private ConfigOptions config;

  @Option(
      names = "--full-every",
      paramLabel = "N",
      defaultValue = "100",
      description = "Write a full snapshot every so many (default: ${DEFAULT-VALUE}).")
  private int fullEvery;

  @Option(names = "--insecure", description = "Listen beyond the loopback interface without TLS.")
  private boolean insecure;

  @Mixin private TlsFiles tls;

  @Option(
      names = "--tls-worker",
      paramLabel = "NAME",
      description =
          "A worker that may ship: a DNS name in its certificate, for which --tls-ca vouches;"
              + " more than once for more (default: whoever reaches it).")
  private List<String> tlsWorkers = new ArrayList<>();

  @Spec private CommandSpec spec;

  private final CountDownLatch ended = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    String transportName = useConfig(config.read(checks), checks);
    NodeAddress address = address(transportName, checks);
    TlsOptions secured = tls.ofTransactor(Set.copyOf(tlsWorkers), transportName, checks);
    requireSafe(address, secured, checks);
    checks.require(
        zookeeperPort >= 0 && zookeeperPort <= NodeAddress.MAX_PORT,
        "--zookeeper-port must be 0 to %d, not %d".formatted(NodeAddress.MAX_PORT, zookeeperPort));
    Files.createDirectories(data);
    String storeName = store == null ? "fs:" + data.resolve("store") : store;
    try (ObjectStore objects = ClusterOptions.open(storeName, checks);
        Cluster cluster = Cluster.join(zookeeper, data, zookeeperPort, sessionTimeoutMs)) {
      TransactorNode node =
          start(options(address, secured, checks), transportName, cluster, objects);
      Thread hook = new Thread(() -> shutDown(node, cluster, objects), "drayage-shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      print(node, storeName, cluster);
      ended.await();
    }
    return 0;
  }

  /** On SIGTERM and SIGINT; the JVM ends when this returns. */
  private void shutDown(TransactorNode node, Cluster cluster, ObjectStore objects) {
    node.close();
    cluster.close();
    objects.close();
    // Not the log, which may have ended before.
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s is closed at snapshot %d%n", node.node().name(), node.snapshot().timestamp());
    out.flush();
    ended.countDown();
  }

  /** What a file of settings says, where the command line says nothing; gives the transport. */
  private String useConfig(TunedConfig tuned, OptionChecks checks) {
    SystemUnderTest system = tuned.system();
    if (threads == null) {
      threads = tuned.transactorThreads();
    }
    if (system == null) {
      return transport == null ? DEFAULT_TRANSPORT : transport;
    }
    checks.require(!system.isPeer(), "--config: %s ships to no transactor".formatted(system));
    if (!allowed.contains(system.serializer())) {
      allowed.add(system.serializer());
    }
    return transport == null ? system.transport() : transport;
  }

  private NodeAddress address(String transportName, OptionChecks checks) {
    try {
      Systems.requireTransport(transportName);
      allowed.forEach(Serializers::ofName);
      return NodeAddress.parse(listen);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** Before anything is made: what would be refused, or could not work. */
  private void requireSafe(NodeAddress address, @Nullable TlsOptions secured, OptionChecks checks) {
    InetAddress host = address.resolve().getAddress();
    checks.require(host != null, "--listen %s: nobody knows this host".formatted(listen));
    if (host == null || host.isLoopbackAddress()) {
      return;
    }
    checks.require(
        secured != null || insecure,
        "--listen %s is beyond the loopback interface: secure it with --tls-cert and --tls-key, or say --insecure"
            .formatted(listen));
    checks.require(
        !host.isAnyLocalAddress() || advertise != null,
        "--listen %s is every address of this host: say by which workers reach it, --advertise HOST"
            .formatted(listen));
  }

  private TransactorOptions options(
      NodeAddress address, @Nullable TlsOptions secured, OptionChecks checks) {
    long bytes = Runtime.getRuntime().maxMemory() / 2;
    ReceiverLimits limits = new ReceiverLimits(bytes, bytes, MAX_SHIPMENTS);
    for (String serializer : allowed) {
      limits = limits.allowing(Serializers.ofName(serializer));
    }
    try {
      return new TransactorOptions(
          name == null ? "transactor-" + address.port() : name,
          address.resolve(),
          advertise == null ? address.host() : advertise,
          initialTables(),
          limits,
          threads == null ? Runtime.getRuntime().availableProcessors() : threads,
          TransportOptions.DEFAULT.withTls(secured).withInsecure(insecure),
          Runtime.getRuntime().maxMemory() / 16,
          fullEvery,
          Duration.ofMinutes(2),
          Duration.ofSeconds(10));
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private List<TransactorOptions.InitialTable> initialTables() {
    return CargoSources.parse(tables, size.bytes(), 1).baseTables().stream()
        .map(table -> new TransactorOptions.InitialTable(table.schema(), table.rowCount()))
        .toList();
  }

  private TransactorNode start(
      TransactorOptions options, String transportName, Cluster cluster, ObjectStore objects)
      throws IOException {
    return TransactorNode.start(
        options,
        cluster.coordination(),
        objects,
        Systems.requireTransport(transportName),
        TransactorCommand::log,
        new DrayageMetrics());
  }

  private static void log(PublishedCommit commit) {
    CommitTimes times = commit.times();
    System.getLogger(TransactorCommand.class.getName())
        .log(
            System.Logger.Level.INFO,
            "snapshot %d: transaction %s, applied in %.1f ms, uploaded %.1f, logged %.1f, published %.1f"
                .formatted(
                    times.timestamp(),
                    times.transactionId(),
                    times.applyNs() / 1e6,
                    times.uploadNs() / 1e6,
                    times.snapshotNs() / 1e6,
                    times.publishNs() / 1e6));
  }

  private void print(TransactorNode node, String storeName, Cluster cluster) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s listens at %s, store %s, zookeeper %s%n",
        node.node().name(), node.node().address(), storeName, cluster.zookeeper());
    out.flush();
  }

  /** The coordination, and the ZooKeeper behind it if that is our own. */
  private record Cluster(
      String zookeeper, Coordination coordination, @Nullable EmbeddedZooKeeper embedded)
      implements AutoCloseable {
    static Cluster join(@Nullable String zookeeper, Path data, int port, int sessionTimeoutMs)
        throws IOException {
      if (zookeeper != null) {
        return new Cluster(zookeeper, ClusterOptions.connect(zookeeper, sessionTimeoutMs), null);
      }
      EmbeddedZooKeeper embedded = EmbeddedZooKeeper.start(data.resolve("zookeeper"), port);
      return new Cluster(
          embedded.servers(),
          ClusterOptions.connect(embedded.servers(), sessionTimeoutMs),
          embedded);
    }

    @Override
    public void close() {
      coordination.close();
      if (embedded != null) {
        embedded.close();
      }
    }
  }
}
