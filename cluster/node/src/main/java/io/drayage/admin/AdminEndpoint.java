package io.drayage.admin;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Maintenance;
import io.drayage.database.Lag;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoreFailure;
import io.drayage.receive.ShipmentProgress;
import io.drayage.transactor.TransactorNode;
import io.drayage.transport.HostPort;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.netty.http.HttpPage;
import io.drayage.transport.netty.http.PageServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's read-only HTTP endpoint:
 *
 * <ul>
 *   <li>{@code /}: a page for people, which shows the state and stays up to date
 *   <li>{@code /status}: the state that the page shows, as JSON
 *   <li>{@code /livez}: 200 while the process answers
 *   <li>{@code /readyz}: 200 if the node, also a standby, works and has caught up with the
 *       published snapshot; else 503; JSON in both cases
 *   <li>{@code /metrics}: the meters, in the text format of Prometheus
 *   <li>{@code /threads}: the stacks of all threads
 *   <li>{@code /shipments}: the shipments that are received or wait, as JSON
 * </ul>
 *
 * A client can delay neither the node nor other clients. The endpoint answers {@code /livez} even
 * while other requests wait ({@link PageServer}). Thread-safe.
 */
public final class AdminEndpoint implements AutoCloseable {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int NOT_READY = 503;
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON_TYPE = "application/json";
  private static final ObjectMapper JSON =
      JsonMapper.builder(new PrintableJson()).enable(SerializationFeature.INDENT_OUTPUT).build();

  private final PageServer server;
  private final boolean isSecured;
  private final Reachability reachability;
  private final NodeMeters meters;
  private final Supplier<NodeReport> node;
  private final NodePage shown;

  private AdminEndpoint(
      InetSocketAddress address,
      TlsOptions.@Nullable Identity tls,
      Reachability reachability,
      NodeMeters meters,
      Supplier<NodeReport> node)
      throws IOException {
    this.isSecured = tls != null;
    this.reachability = reachability;
    this.meters = meters;
    this.node = node;
    this.shown = new NodePage(meters, reachability, node);
    this.server =
        PageServer.start(address, "drayage-admin", tls, AdminEndpoint::atOnce, this::page);
  }

  /**
   * Starts the endpoint of a transactor, over HTTP, readable for everybody who reaches the address.
   *
   * @param objects the node's, owned by the caller, as is {@code coordination}
   * @param meters owned by the caller
   * @throws java.net.BindException if it cannot listen there; names the address and the reason
   * @throws IllegalStateException if an artifact that the endpoint needs is missing; names it
   */
  public static AdminEndpoint start(
      InetSocketAddress address,
      ObjectStore objects,
      Coordination coordination,
      NodeMeters meters,
      TransactorNode node)
      throws IOException {
    return start(address, null, objects, coordination, meters, () -> NodeReport.of(node));
  }

  /**
   * Starts the endpoint of a node.
   *
   * @param tls the node's own; null for HTTP without TLS
   * @param objects probed, but owned by the caller, as is {@code coordination}
   * @param meters owned by the caller
   * @throws java.net.BindException if it cannot listen there; names the address and the reason
   * @throws IOException if the files of TLS cannot be read
   * @throws IllegalStateException if an artifact that the endpoint needs is missing; names it
   */
  public static AdminEndpoint start(
      InetSocketAddress address,
      TlsOptions.@Nullable Identity tls,
      ObjectStore objects,
      Coordination coordination,
      NodeMeters meters,
      Supplier<NodeReport> node)
      throws IOException {
    OptionalArtifact.TRANSPORT.require();
    OptionalArtifact.HTTP.require();
    Reachability reachability =
        new Reachability(objects, coordination, node.get().name(), meters.events());
    meters.fullSnapshots(reachability::newestFull);
    try (Begun begun = new Begun(reachability::close)) {
      return begun.keep(new AdminEndpoint(address, tls, reachability, meters, node));
    }
  }

  /** The address of the endpoint. */
  public URI uri() {
    InetSocketAddress address = server.address();
    return URI.create((isSecured ? "https" : "http") + "://" + HostPort.text(address));
  }

  private static @Nullable HttpPage atOnce(String path) {
    return path.equals("/livez") ? HttpPage.text(OK, "alive\n") : null;
  }

  private HttpPage page(String path) {
    return switch (path) {
      case "/" -> shown.page();
      case "/status" -> new HttpPage(OK, JSON_TYPE, json(shown.state()));
      case "/readyz" -> ready();
      case "/metrics" -> new HttpPage(OK, PROMETHEUS, meters.scrape());
      case "/threads" -> HttpPage.text(OK, stacks());
      case "/shipments" -> new HttpPage(OK, JSON_TYPE, shipmentsAsJson());
      default ->
          HttpPage.text(NOT_FOUND, "/ /status /livez /readyz /metrics /threads /shipments\n");
    };
  }

  private HttpPage ready() {
    Instant now = Instant.now();
    NodeReport report = node.get();
    boolean ready =
        report.failure() == null
            && report.storeFailure() == null
            && report.isCaughtUp()
            && reachability.store().isRecent(now)
            && reachability.zookeeper().isRecent(now);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("ready", ready);
    fields.put("name", report.name());
    fields.put("role", report.role());
    fields.put("epoch", report.epoch());
    fields.put("snapshot", report.snapshot());
    fields.put("published", report.published());
    Lag behind = report.behind();
    fields.put("lag", behind == null ? null : behind.snapshots());
    fields.put("lagLimit", Lag.LIMIT_SNAPSHOTS);
    fields.put("lagMs", behind == null ? null : behind.ageMs());
    fields.put("lagLimitMs", Lag.LIMIT_MS);
    fields.put("maintenance", fields(report.maintenance()));
    fields.put("failure", report.failure());
    Map<String, @Nullable Object> store = fields(reachability.store(), now);
    StoreFailure failed = report.storeFailure();
    if (failed != null) {
      store.put("failure", failed.message());
    }
    fields.put("store", store);
    fields.put("zookeeper", fields(reachability.zookeeper(), now));
    return new HttpPage(ready ? OK : NOT_READY, JSON_TYPE, json(fields));
  }

  /** Returns the fields of a maintenance; null unless the node refuses cargoes because of it. */
  private static @Nullable Map<String, String> fields(@Nullable Maintenance maintenance) {
    return maintenance == null || !maintenance.isOn()
        ? null
        : new TreeMap<>(
            Map.of("reason", maintenance.reason(), "since", maintenance.since().toString()));
  }

  private static Map<String, @Nullable Object> fields(Reachability.Answer answer, Instant now) {
    Instant last = answer.lastSuccess();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("lastSuccessAgeMs", last == null ? null : Duration.between(last, now).toMillis());
    fields.put("failure", answer.failure());
    return fields;
  }

  private String shipmentsAsJson() {
    TransactorReport transactor = node.get().transactor();
    List<ShipmentProgress> shipments = transactor == null ? List.of() : transactor.shipments();
    return json(shipments.stream().map(AdminEndpoint::fields).toList());
  }

  private static Map<String, Object> fields(ShipmentProgress shipment) {
    double seconds = shipment.age().toNanos() / 1e9;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("worker", shipment.worker());
    fields.put("transaction", shipment.transactionId().toString());
    fields.put("waits", shipment.waits());
    fields.put("wireBytes", shipment.wireBytes());
    fields.put("ageMs", shipment.age().toMillis());
    fields.put("wireBytesPerSecond", Math.round(shipment.wireBytes() / seconds));
    return fields;
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stacks() {
    Map<String, StackTraceElement[]> byName = new TreeMap<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) ->
                byName.put(
                    format("\"%s\" #%d %s", thread.getName(), thread.getId(), thread.getState()),
                    stack));
    StringBuilder text = new StringBuilder();
    byName.forEach(
        (name, stack) -> {
          text.append(name).append('\n');
          for (StackTraceElement element : stack) {
            text.append("    at ").append(element).append('\n');
          }
          text.append('\n');
        });
    return text.toString();
  }

  @Override
  public void close() {
    server.close();
    reachability.close();
  }
}
