package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.admin.AdminEndpoint;
import io.drayage.admin.AuditLog;
import io.drayage.admin.NodeMeters;
import io.drayage.admin.NodeReport;
import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.system.Transports;
import io.drayage.cli.options.AddressConverter;
import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.database.InitialTable;
import io.drayage.database.TransactionLimits;
import io.drayage.files.FileRights;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.store.MemoryLimit;
import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.transport.HostPort;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.warmup.NodeWarmup;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage transactor}: runs a transactor until a signal ends it. */
@Command(
    name = "transactor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    synopsisSubcommandLabel = "[COMMAND]",
    subcommands = {StepDownCommand.class, MaintenanceCommand.class},
    description = {
      "Runs a transactor: the primary of its cluster, or a standby that takes over.",
      "",
      "Without --zookeeper, it runs a ZooKeeper in its own process, for a cluster on this machine."
          + " SIGTERM ends it, after all applied commits are stored and published.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage transactor --data data",
      "  drayage transactor --listen 127.0.0.1:7071 --data other \\",
      "      --store fs:data/store --zookeeper 127.0.0.1:2181"
    })
public final class TransactorCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  /** The value of {@code --tables} for none. */
  private static final String NO_TABLES = "none";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7070",
      converter = AddressConverter.class,
      description = "The address that receives cargoes; port 0 is any (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress listen;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Its own folder, which is created if it does not exist. Required.")
  private @Nullable Path data;

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

  @Mixin private ZooKeeperLogin login;

  @Option(
      names = "--tables",
      paramLabel = "CARGO",
      defaultValue = "thesis",
      description =
          "The tables of a new database, if the store has none: those of a cargo, which is thesis,"
              + " tpch[:sf=N] or a file; or none for no tables (default: ${DEFAULT-VALUE}).")
  private String tables = "thesis";

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description = "Size of the cargo of --tables (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--max-database",
      paramLabel = "SIZE",
      description = {
        "The limit of the database's memory; commits that would exceed it are refused as FULL",
        "  (default: two thirds of the heap without cargoes, history and a reserve)."
      })
  private @Nullable ByteSize maxDatabase;

  @Option(
      names = "--max-fragments",
      paramLabel = "SIZE",
      description = {
        "The limit of memory for fragments of open transactions, beside the database; further"
            + " fragments are loaded when they are committed",
        "  (default: a sixteenth of the heap)."
      })
  private @Nullable ByteSize maxFragments;

  @Mixin private AdminOption admin;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Append a line of JSON for each commit, for each refused shipment or request, and for"
              + " each transaction of several workers that ends without effect (default: none).")
  private @Nullable Path auditLog;

  @Mixin private WarmUpOption warmUp;

  @ArgGroup(validate = false, heading = "%nSecurity:%n")
  private TlsFiles.OfTransactor tls = new TlsFiles.OfTransactor();

  @ArgGroup(validate = false, heading = "%nCargoes that it receives:%n")
  private ReceivingOptions receiving = new ReceivingOptions();

  @ArgGroup(validate = false, heading = "%nRarely needed:%n")
  private RareOptions rare = new RareOptions();

  @Spec private CommandSpec spec;

  private final CountDownLatch ended = new CountDownLatch(1);

  /** Options that few users need. */
  static final class RareOptions {
    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "Its name in the cluster (default: transactor-PORT).")
    @Nullable String name;

    @Option(
        names = "--advertise",
        paramLabel = "HOST",
        description = "The host by which workers reach it (default: that of --listen).")
    @Nullable String advertise;

    @Option(
        names = "--zookeeper-port",
        paramLabel = "PORT",
        defaultValue = "2181",
        description =
            "The port of the ZooKeeper in this process; 0 is any (default: ${DEFAULT-VALUE}).")
    int zookeeperPort = 2181;

    @Option(
        names = "--session-timeout-ms",
        paramLabel = "MS",
        defaultValue = ClusterOptions.DEFAULT_SESSION_TIMEOUT_MS,
        description =
            "Milliseconds without a heartbeat after which it counts as dead (default:"
                + " ${DEFAULT-VALUE}).")
    int sessionTimeoutMs = Integer.parseInt(ClusterOptions.DEFAULT_SESSION_TIMEOUT_MS);

    @Option(
        names = "--full-every",
        paramLabel = "N",
        defaultValue = "100",
        description =
            "Write a full snapshot after this many commits, or after more if that takes a tenth of"
                + " the time (default: ${DEFAULT-VALUE}).")
    int fullEvery = TransactorOptions.DEFAULT_FULL_SNAPSHOT_EVERY;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    if (data == null) {
      throw checks.usageError("Missing required option: '--data=DIR'");
    }
    String transport = receiving.transport(checks);
    TlsOptions secured = tls.options(transport, checks);
    requireSafe(secured, checks);
    admin.check(tls.identity(), tls.insecure, checks);
    login.check(zookeeper, checks);
    checks.requireCount("--zookeeper-port", rare.zookeeperPort, 0, MAX_PORT);
    TransactionLimits transactions = HeapShares.transactions(maxFragments);
    MemoryLimit memory =
        HeapShares.database(maxDatabase, transactions.cacheBytes(), receiving.limits(), checks);
    TransactorOptions options = options(secured, memory, transactions, checks);
    NodeWarmup warming = warmUp.begin(receiving.expected(transport), receiving.threads(), checks);
    FileRights.PRIVATE.makeFolders(data);
    String storeName = store == null ? "fs:" + data.resolve("store") : store;
    AuditLog audit = auditLog == null ? null : AuditLog.open(auditLog);
    try (NodeMeters meters = new NodeMeters(Duration.ofMillis(rare.sessionTimeoutMs));
        ObjectStore objects = ClusterOptions.open("--store", storeName, checks);
        EmbeddedZooKeeper embedded =
            zookeeper == null
                ? EmbeddedZooKeeper.start(data.resolve("zookeeper"), rare.zookeeperPort)
                : null;
        Coordination coordination =
            login.connect(
                embedded == null ? zookeeper : embedded.servers(), rare.sessionTimeoutMs, checks)) {
      int unused = warming.await();
      DrayageMetrics metrics = new DrayageMetrics();
      meters.addShipments(metrics);
      TransactorMeters commits = meters.addCommits();
      TransactorNode node =
          TransactorNode.start(
              options,
              coordination,
              objects,
              audit == null
                  ? Transports.ofName(transport)
                  : audit.observe(Transports.ofName(transport)),
              commits.andThen(TransactorCommand::log).andThen(AuditLog.published(audit)),
              AuditLog.ended(audit),
              metrics);
      commits.bind(node);
      AdminEndpoint endpoint =
          admin.start(tls.identity(), objects, coordination, meters, () -> NodeReport.of(node));
      Thread hook =
          new Thread(
              () -> shutDown(node, endpoint, audit, coordination, embedded, objects),
              "drayage-shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "%s listens at %s, store %s, zookeeper %s%n",
          node.node().name(),
          node.node().address(),
          storeName,
          embedded == null ? zookeeper : embedded.servers());
      out.print(AdminOption.describe(endpoint));
      out.flush();
      ended.await();
    }
    return 0;
  }

  /** Shuts down at SIGTERM and SIGINT; the JVM ends when this returns. */
  private void shutDown(
      TransactorNode node,
      @Nullable AdminEndpoint endpoint,
      @Nullable AuditLog audit,
      Coordination coordination,
      @Nullable EmbeddedZooKeeper embedded,
      ObjectStore objects) {
    node.close();
    if (endpoint != null) {
      endpoint.close();
    }
    if (audit != null) {
      audit.close();
    }
    coordination.close();
    if (embedded != null) {
      embedded.close();
    }
    objects.close();
    // The log may have ended already.
    PrintWriter out = spec.commandLine().getOut();
    try {
      out.printf(
          Locale.ROOT,
          "%s is closed at snapshot %d%n",
          node.node().name(),
          node.snapshot().timestamp());
      out.flush();
    } catch (UncheckedIOException e) {
      // Nobody reads the output, and this process ends anyway.
    }
    ended.countDown();
  }

  /** Refuses options that are not secure or cannot work, before anything is created. */
  private void requireSafe(@Nullable TlsOptions secured, OptionChecks checks) {
    if (secured != null) {
      TlsFiles.requireCertifiable(
          rare.advertise == null ? "--listen" : "--advertise", advertised(), checks);
    }
    InetAddress host = listen.getAddress();
    if (host == null) {
      throw checks.usageError("--listen %s: this host is unknown".formatted(HostPort.text(listen)));
    }
    if (host.isLoopbackAddress()) {
      return;
    }
    String given = HostPort.text(listen);
    checks.require(
        secured != null || tls.insecure,
        "--listen %s is beyond the loopback interface: secure it with --tls-cert and --tls-key, or add --insecure"
            .formatted(given));
    checks.require(
        !host.isAnyLocalAddress() || rare.advertise != null,
        "--listen %s is every address of this host: name the one by which workers reach it, --advertise HOST"
            .formatted(given));
  }

  private List<InitialTable> initialTables() {
    return tables.equals(NO_TABLES)
        ? List.of()
        : CargoSources.parse(tables, size.bytes(), 1).baseTables();
  }

  private String advertised() {
    return rare.advertise == null ? listen.getHostString() : rare.advertise;
  }

  private TransactorOptions options(
      @Nullable TlsOptions secured,
      MemoryLimit memory,
      TransactionLimits transactions,
      OptionChecks checks) {
    return checks.valid(
        () ->
            TransactorOptions.builder(
                    rare.name == null ? "transactor-" + listen.getPort() : rare.name, listen)
                .advertised(advertised())
                .tables(initialTables())
                .limits(receiving.limits())
                .codecThreads(receiving.threads())
                .transport(TransportOptions.builder().tls(secured).insecure(tls.insecure).build())
                .memory(memory)
                .transactions(transactions)
                .historyBytes(HeapShares.historyBytes())
                .fullSnapshotEvery(rare.fullEvery)
                .build());
  }

  private static void log(PublishedCommit commit) {
    CommitTimes times = commit.times();
    System.getLogger(TransactorCommand.class.getName())
        .log(
            System.Logger.Level.INFO,
            format(
                "snapshot %d: transaction %s, applied in %.1f ms, uploaded %.1f, logged %.1f,"
                    + " published %.1f",
                times.timestamp(),
                times.transactionId(),
                times.applyNs() / 1e6,
                times.uploadNs() / 1e6,
                times.logNs() / 1e6,
                times.publishNs() / 1e6));
  }
}
