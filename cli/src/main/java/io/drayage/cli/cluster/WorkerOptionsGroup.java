package io.drayage.cli.cluster;

import io.drayage.admin.AdminEndpoint;
import io.drayage.admin.NodeMeters;
import io.drayage.admin.NodeReport;
import io.drayage.bench.ByteSize;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.OptionChecks;
import io.drayage.codec.Serializers;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.send.CargoSender;
import io.drayage.transport.TlsOptions;
import io.drayage.warmup.NodeWarmup;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of the commands that load a copy of the database. */
final class WorkerOptionsGroup {
  /** The default of {@code --system}. */
  static final String DEFAULT_SYSTEM = "netty:columnar+none@cores";

  @Mixin ClusterOptions cluster;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      required = true,
      description = "The cluster's object store: fs:DIR or s3:BUCKET[/PREFIX][?OPTIONS].")
  String store = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Its name in the cluster (default: worker-PID).")
  String name = "worker-" + ProcessHandle.current().pid();

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      defaultValue = DEFAULT_SYSTEM,
      description = "The system that ships cargoes (default: ${DEFAULT-VALUE}).")
  private SystemUnderTest system;

  @Option(
      names = "--allow",
      paramLabel = "SERIALIZER",
      description =
          "Also load commits of this serializer; may be repeated (raw, msgpack, columnar and that"
              + " of --system are always loaded).")
  private List<String> allowed = new ArrayList<>();

  @Option(
      names = "--worker-threads",
      paramLabel = "N",
      description = "Codec threads, 1 to 1024 (default: @THREADS of the system).")
  private @Nullable Integer threads;

  @Option(
      names = "--segment-size",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description =
          "Approximate raw bytes of a segment, 64KiB to 4MiB (default: ${DEFAULT-VALUE}).")
  private ByteSize segmentSize = ByteSize.parse("1MiB");

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections for a shipment, 1 to 16 (default: one a core, at most 4).")
  private int connections = SystemOptions.DEFAULT.wire().connections();

  @Mixin private AdminOption admin;

  @ArgGroup(validate = false, heading = "%nSecurity:%n")
  private TlsFiles.OfWorker tls = new TlsFiles.OfWorker();

  @Spec(Target.MIXEE)
  CommandSpec spec;

  WorkerOptions named() {
    return new OptionChecks(spec).valid(() -> new WorkerOptions(name));
  }

  interface Use<T> {
    int with(T used) throws IOException, InterruptedException;
  }

  /**
   * A cluster, and the connection to its primary.
   *
   * @param connect creates a sender to the primary at an address
   */
  record Cluster(Coordination coordination, Function<InetSocketAddress, CargoSender> connect) {}

  interface ClusterUse {
    int with(Worker worker, Cluster cluster) throws IOException, InterruptedException;
  }

  int run(WorkerOptions options, Use<Worker> use) throws IOException, InterruptedException {
    return run(options, null, use);
  }

  /**
   * Runs a worker.
   *
   * @param warmUp done before the worker is ready; null for none
   */
  int run(WorkerOptions options, @Nullable WarmUpOption warmUp, Use<Worker> use)
      throws IOException, InterruptedException {
    return run(options, warmUp, (worker, inCluster) -> use.with(worker));
  }

  int run(WorkerOptions options, @Nullable WarmUpOption warmUp, ClusterUse use)
      throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    checks.require(!system.isPeer(), "--system %s ships to no transactor".formatted(system));
    SystemOptions set = checks.valid(this::set);
    WorkerOptions allowing = checks.valid(() -> allowing(options));
    TlsOptions secured = tls.options(system.transport(), checks);
    NodeWarmup warming =
        warmUp == null ? null : warmUp.begin(system, set.workerThreadsOf(system), checks);
    admin.check(tls.identity(), false, checks);
    DrayageMetrics metrics = new DrayageMetrics();
    Function<InetSocketAddress, CargoSender> connect =
        address -> Systems.sender(system, set, secured, address, name, metrics);
    try (NodeMeters meters = new NodeMeters(cluster.sessionTimeout());
        ObjectStore objects = ClusterOptions.openExisting("--store", store, checks);
        Coordination coordination = cluster.connect(checks);
        Worker worker = Worker.open(allowing, coordination, objects, connect);
        AdminEndpoint endpoint =
            watched(objects, coordination, meters, () -> NodeReport.of(name, worker))) {
      meters.addShipments(metrics);
      tell(endpoint);
      if (warming != null) {
        int unused = warming.await();
      }
      return use.with(worker, new Cluster(coordination, connect));
    }
  }

  /** Sends to the cluster, without a copy of the database and without being a node. */
  int send(Use<Cluster> use) throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    SystemOptions set = checks.valid(this::set);
    TlsOptions secured = tls.options(system.transport(), checks);
    DrayageMetrics metrics = new DrayageMetrics();
    try (Coordination coordination = cluster.connect(checks)) {
      return use.with(
          new Cluster(
              coordination,
              address -> Systems.sender(system, set, secured, address, name, metrics)));
    }
  }

  /**
   * Runs a feed of the changes.
   *
   * @param after the snapshot after which it begins; null for the newest
   */
  int feed(@Nullable Long after, Use<ChangeFeed> use) throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    WorkerOptions options = checks.valid(() -> allowing(named()));
    admin.check(tls.identity(), false, checks);
    try (NodeMeters meters = new NodeMeters(cluster.sessionTimeout());
        ObjectStore objects = ClusterOptions.openExisting("--store", store, checks);
        Coordination coordination = cluster.connect(checks);
        ChangeFeed feed =
            after == null
                ? ChangeFeed.openNewest(options, coordination, objects)
                : ChangeFeed.openAfter(options, coordination, objects, after);
        AdminEndpoint endpoint =
            watched(objects, coordination, meters, () -> NodeReport.of(name, feed))) {
      tell(endpoint);
      return use.with(feed);
    }
  }

  private @Nullable AdminEndpoint watched(
      ObjectStore objects, Coordination coordination, NodeMeters meters, Supplier<NodeReport> node)
      throws IOException {
    meters.addFollower(node);
    return admin.start(tls.identity(), objects, coordination, meters, node);
  }

  /** Prints to standard error, because standard output is for the result. */
  private void tell(@Nullable AdminEndpoint endpoint) {
    PrintWriter err = spec.commandLine().getErr();
    err.print(AdminOption.describe(endpoint));
    err.flush();
  }

  private WorkerOptions allowing(WorkerOptions options) {
    WorkerOptions allowing = options.allowing(Serializers.ofName(system.serializer()));
    for (String serializer : allowed) {
      allowing = allowing.allowing(Serializers.ofName(serializer));
    }
    return allowing;
  }

  private SystemOptions set() {
    return SystemOptions.DEFAULT
        .withThreads(threads, null)
        .withSegmentBytes((int) Math.min(segmentSize.bytes(), Integer.MAX_VALUE))
        .withConnections(connections);
  }
}
