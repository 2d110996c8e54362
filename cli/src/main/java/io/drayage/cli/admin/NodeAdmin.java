package io.drayage.cli.admin;

import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.micrometer.DrayageMeters;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorStatus;
import io.drayage.transactor.micrometer.CommitTimers;
import io.drayage.transactor.micrometer.FollowerMeters;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.transport.TlsOptions;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.Worker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's endpoint: {@code /livez}, {@code /readyz}, {@code /metrics}, {@code /threads} and {@code
 * /shipments}. It answers as soon as it is started; the node is shown once it has started too.
 * Thread-safe.
 */
public final class NodeAdmin implements AutoCloseable {
  /** Of Prometheus' text format. */
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final List<HealthCheck> checks;
  private final AdminServer server;
  private final boolean secured;
  private volatile Supplier<@Nullable NodeState> state = () -> null;

  /**
   * Starts an endpoint.
   *
   * @param name the node's
   * @param identity for HTTPS; null for HTTP
   * @param objects asked for the database now and then; stays the caller's, as does the
   *     coordination
   * @throws IOException if the address cannot be had, or a file of the identity cannot be used
   */
  NodeAdmin(
      InetSocketAddress address,
      TlsOptions.@Nullable Identity identity,
      String name,
      ObjectStore objects,
      Coordination coordination)
      throws IOException {
    this.secured = identity != null;
    registry.config().commonTags("node", name);
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    this.checks =
        List.of(
            new HealthCheck("store", () -> requireDatabase(catalog)),
            new HealthCheck("zookeeper", coordination::published));
    boolean started = false;
    try {
      bindProcess();
      AdminPages pages = new AdminPages(name, checks, () -> state.get());
      Map<String, AdminServer.Page> paths = new LinkedHashMap<>();
      paths.put("/livez", pages::live);
      paths.put("/readyz", pages::ready);
      paths.put("/metrics", () -> new AdminServer.Answer(200, METRICS_TYPE, registry.scrape()));
      paths.put("/threads", pages::threads);
      paths.put("/shipments", pages::shipments);
      this.server =
          new AdminServer(address, identity == null ? null : PemIdentity.context(identity), paths);
      started = true;
    } finally {
      if (!started) {
        end();
      }
    }
  }

  private static void requireDatabase(SnapshotCatalog catalog) throws IOException {
    if (catalog.fullTimestamps().isEmpty()) {
      throw new IOException("there is no database");
    }
  }

  private void bindProcess() {
    // Their names break Prometheus' rules; process.cpu.usage says the same.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    List.of(
            new JvmMemoryMetrics(),
            collections,
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics())
        .forEach(binder -> binder.bindTo(registry));
    for (HealthCheck check : checks) {
      Gauge.builder("drayage.check.success.age", check::ageS)
          .description("Since the store or ZooKeeper last answered, or since the start")
          .tag("of", check.name())
          .baseUnit("seconds")
          .register(registry);
    }
  }

  /** Where it listens, for the user. */
  public String describe() {
    InetSocketAddress address = server.address();
    return "administration at %s://%s:%d"
        .formatted(
            secured ? "https" : "http", address.getAddress().getHostAddress(), address.getPort());
  }

  /** Receives the commits of the transactor that will be shown. */
  public Consumer<PublishedCommit> commits() {
    return new CommitTimers(registry);
  }

  /** Shows a transactor. */
  public void show(TransactorNode node, DrayageMetrics metrics) {
    DrayageMeters.bind(registry, metrics);
    TransactorMeters.bind(registry, node);
    state = () -> stateOf(node);
  }

  private static NodeState stateOf(TransactorNode node) {
    TransactorStatus status = node.status();
    return new NodeState(
        status.epoch() == null ? "standby" : "primary",
        status.epoch(),
        status.snapshot(),
        status.published(),
        text(status.takeoverFailure()),
        text(status.followFailure()),
        node.shipments());
  }

  private static @Nullable String text(@Nullable Exception failure) {
    return failure == null ? null : failure.toString();
  }

  /** Shows a worker. */
  public void show(Worker worker) {
    showFollower(
        () -> follower(worker.snapshot().timestamp(), worker.published(), text(worker.failure())));
  }

  /** Shows a feed of changes. It ends with its failure. */
  public void show(ChangeFeed feed) {
    showFollower(() -> follower(feed.position(), feed.published(), null));
  }

  private static NodeState follower(long snapshot, long published, @Nullable String failure) {
    return new NodeState("follower", null, snapshot, published, null, failure, List.of());
  }

  private void showFollower(Supplier<NodeState> shown) {
    FollowerMeters.bind(
        registry,
        () -> shown.get().snapshot(),
        () -> shown.get().published(),
        () -> !shown.get().isWell(),
        Tags.empty());
    state = shown;
  }

  @Override
  public void close() {
    server.close();
    end();
  }

  private void end() {
    checks.forEach(HealthCheck::close);
    collections.close();
    registry.close();
  }
}
