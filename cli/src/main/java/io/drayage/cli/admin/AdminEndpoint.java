package io.drayage.cli.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.drayage.codec.pool.DaemonThreads;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Maintenance;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ShipmentProgress;
import io.drayage.transport.HostPort;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.netty.tls.PemContext;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's HTTP endpoint, to read only:
 *
 * <ul>
 *   <li>{@code /livez}: 200 while the process answers
 *   <li>{@code /readyz}: 200 if the node does its work, a standby too, else 503; JSON either way
 *   <li>{@code /metrics}: the meters, in the text format of Prometheus
 *   <li>{@code /threads}: the stacks of all threads
 *   <li>{@code /shipments}: the shipments that are being received, as JSON
 * </ul>
 *
 * Two threads answer, and requests that take too long are dropped, so that whoever asks cannot hold
 * up the node. Thread-safe.
 */
public final class AdminEndpoint implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AdminEndpoint.class.getName());
  private static final int THREADS = 2;
  private static final int BACKLOG = 16;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int FAILED = 500;
  private static final int NOT_READY = 503;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON_TYPE = "application/json";
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** The limits of the JDK's server, in seconds, unless they were set. */
  private static final Map<String, String> LIMITS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "5",
          "sun.net.httpserver.maxRspTime", "20",
          "sun.net.httpserver.idleInterval", "30",
          "jdk.httpserver.maxConnections", "64");

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, new DaemonThreads("drayage-admin"));
  private final Reachability reachability;
  private final PrometheusMeterRegistry registry;
  private final Supplier<NodeReport> node;
  private final Supplier<List<ShipmentProgress>> shipments;

  private AdminEndpoint(
      HttpServer server,
      Reachability reachability,
      PrometheusMeterRegistry registry,
      Supplier<NodeReport> node,
      Supplier<List<ShipmentProgress>> shipments) {
    this.server = server;
    this.reachability = reachability;
    this.registry = registry;
    this.node = node;
    this.shipments = shipments;
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /**
   * Starts the endpoint of a node.
   *
   * @param tls the node's own; null for HTTP without TLS
   * @param objects asked whether it answers, as is {@code coordination}; both stay the caller's
   * @param meters stay the caller's
   * @throws IOException if it cannot listen there, or the files of TLS cannot be read
   */
  public static AdminEndpoint start(
      InetSocketAddress address,
      TlsOptions.@Nullable Identity tls,
      ObjectStore objects,
      Coordination coordination,
      NodeMeters meters,
      Supplier<NodeReport> node,
      Supplier<List<ShipmentProgress>> shipments)
      throws IOException {
    LIMITS.forEach((name, value) -> System.setProperty(name, System.getProperty(name, value)));
    HttpServer server;
    try {
      if (tls == null) {
        server = HttpServer.create(address, BACKLOG);
      } else {
        HttpsServer secured = HttpsServer.create(address, BACKLOG);
        secured.setHttpsConfigurator(new HttpsConfigurator(PemContext.ofServer(tls)));
        server = secured;
      }
    } catch (IOException e) {
      throw new IOException("--admin %s: %s".formatted(HostPort.text(address), e.getMessage()), e);
    }
    Reachability reachability = new Reachability(objects, coordination);
    return new AdminEndpoint(server, reachability, meters.registry(), node, shipments);
  }

  /** Where it listens. */
  public URI uri() {
    InetSocketAddress address = server.getAddress();
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return URI.create(scheme + "://" + HostPort.text(address));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        send(exchange, NOT_ALLOWED, TEXT, "only GET and HEAD\n");
        return;
      }
      try {
        show(exchange);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, exchange.getRequestURI() + " cannot be shown", e);
        send(exchange, FAILED, TEXT, e + "\n");
      }
    }
  }

  private void show(HttpExchange exchange) throws IOException {
    switch (exchange.getRequestURI().getPath()) {
      case "/livez" -> send(exchange, OK, TEXT, "alive\n");
      case "/readyz" -> ready(exchange);
      case "/metrics" -> send(exchange, OK, PROMETHEUS, registry.scrape());
      case "/threads" -> send(exchange, OK, TEXT, stacks());
      case "/shipments" -> send(exchange, OK, JSON_TYPE, shipmentsAsJson());
      default -> send(exchange, NOT_FOUND, TEXT, "/livez /readyz /metrics /threads /shipments\n");
    }
  }

  private void ready(HttpExchange exchange) throws IOException {
    Instant now = Instant.now();
    NodeReport report = node.get();
    boolean ready =
        report.failure() == null
            && reachability.store().isRecent(now)
            && reachability.zookeeper().isRecent(now);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("ready", ready);
    fields.put("name", report.name());
    fields.put("role", report.role());
    fields.put("epoch", report.epoch());
    fields.put("snapshot", report.snapshot());
    fields.put("published", report.published());
    fields.put("lag", report.lag());
    fields.put("maintenance", fields(report.maintenance()));
    fields.put("failure", report.failure());
    fields.put("store", fields(reachability.store(), now));
    fields.put("zookeeper", fields(reachability.zookeeper(), now));
    send(exchange, ready ? OK : NOT_READY, JSON_TYPE, json(fields));
  }

  /** Null unless the node refuses cargoes because of it. */
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

  private String shipmentsAsJson() throws IOException {
    return json(shipments.get().stream().map(AdminEndpoint::fields).toList());
  }

  private static Map<String, Object> fields(ShipmentProgress shipment) {
    double seconds = shipment.age().toNanos() / 1e9;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("worker", shipment.worker());
    fields.put("transaction", shipment.transactionId().toString());
    fields.put("wireBytes", shipment.wireBytes());
    fields.put("ageMs", shipment.age().toMillis());
    fields.put("wireBytesPerSecond", Math.round(shipment.wireBytes() / seconds));
    return fields;
  }

  private static String json(Object value) throws IOException {
    return JSON.writeValueAsString(value) + "\n";
  }

  private static String stacks() {
    Map<String, StackTraceElement[]> byName = new TreeMap<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) ->
                byName.put(
                    String.format(
                        Locale.ROOT,
                        "\"%s\" #%d %s",
                        thread.getName(),
                        thread.getId(),
                        thread.getState()),
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

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, hasBody ? bytes.length : -1);
    if (hasBody) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(bytes);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    reachability.close();
  }
}
