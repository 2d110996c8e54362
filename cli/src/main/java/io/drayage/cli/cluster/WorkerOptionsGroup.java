package io.drayage.cli.cluster;

import io.drayage.bench.config.TunedConfig;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.ConfigOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.transport.TlsOptions;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of the commands that load a copy of the database. */
final class WorkerOptionsGroup {
  private static final String DEFAULT_SYSTEM = "netty:raw+zstd:1@cores";

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
      description =
          "How cargoes are shipped (default: that of --config, else netty:raw+zstd:1@cores).")
  private @Nullable SystemUnderTest system;

  @Mixin ConfigOptions config;

  @ArgGroup(validate = false, heading = "%nSecurity:%n")
  private TlsFiles.OfWorker tls = new TlsFiles.OfWorker();

  @Spec(Target.MIXEE)
  CommandSpec spec;

  /** Uses a worker. */
  interface Use {
    int with(Worker worker) throws IOException, InterruptedException;
  }

  int run(WorkerOptions options, Use use) throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    TunedConfig tuned = config.read(checks);
    SystemUnderTest shipping = system(tuned);
    checks.require(!shipping.isPeer(), "--system %s ships to no transactor".formatted(shipping));
    SystemOptions set = set(tuned);
    TlsOptions secured = tls.options(shipping.transport(), checks);
    try (ObjectStore objects = ClusterOptions.openExisting(store, checks);
        Coordination coordination = cluster.connect();
        Worker worker =
            Worker.open(
                options,
                coordination,
                objects,
                address ->
                    Systems.sender(shipping, set, secured, address, name, new DrayageMetrics()))) {
      return use.with(worker);
    }
  }

  private SystemUnderTest system(TunedConfig tuned) {
    if (system != null) {
      return system;
    }
    return tuned.system() == null ? Systems.notation().parse(DEFAULT_SYSTEM) : tuned.system();
  }

  /** The threads of --config do not apply to a system that the command line names. */
  private SystemOptions set(TunedConfig tuned) {
    boolean isTuned = system == null || system.equals(tuned.system());
    Integer threads = isTuned ? tuned.workerThreads() : null;
    SystemOptions set = SystemOptions.DEFAULT.withThreads(threads, null);
    if (tuned.segmentSize() != null) {
      set = set.withSegmentBytes((int) tuned.segmentSize().bytes());
    }
    return tuned.connections() == null ? set : set.withConnections(tuned.connections());
  }
}
