package io.drayage.bench.cluster;

import io.drayage.bench.OptionChecks;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.transport.TlsOptions;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What commands have in common that hold a copy of the database. */
final class WorkerOptionsGroup {
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
      defaultValue = "netty:raw+zstd:1@cores",
      description = "How cargoes are shipped (default: ${DEFAULT-VALUE}).")
  SystemUnderTest system = Systems.notation().parse("netty:raw+zstd:1@cores");

  @Mixin TlsFiles tls;

  @Option(
      names = "--tls-name",
      paramLabel = "NAME",
      description = "The name in the transactors' certificates (default: the host of each).")
  @Nullable String tlsName;

  /** What is done with a worker. */
  interface Use {
    int with(Worker worker) throws IOException, InterruptedException;
  }

  int run(WorkerOptions options, OptionChecks checks, Use use)
      throws IOException, InterruptedException {
    NodeLog.setUp();
    TlsOptions secured = tls.ofWorker(tlsName, system.transport(), checks);
    try (ObjectStore objects = ClusterOptions.openExisting(store, checks);
        Coordination coordination = cluster.connect();
        Worker worker =
            Worker.open(
                options,
                coordination,
                objects,
                address -> Systems.sender(system, secured, address, name, new DrayageMetrics()))) {
      return use.with(worker);
    }
  }
}
