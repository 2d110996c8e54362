package io.drayage.admin;

import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.Lag;
import io.drayage.database.TransactionProgress;
import io.drayage.frame.Fault;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.StoreSpace;
import io.drayage.receive.ShipmentProgress;
import io.drayage.transactor.NodeEvents;
import io.drayage.transport.netty.http.HttpPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The page of a node, for people, and the state that it shows. A browser loads the page once, and
 * then the state every second. Thread-safe.
 */
final class NodePage {
  private static final String RESOURCE = "node.html";
  private static final Pattern PARTS =
      Pattern.compile("<(style|script)>(.*?)</\\1>", Pattern.DOTALL);

  /** Time for which a pause or a refusal counts as present trouble. */
  private static final Duration RECENT = Duration.ofMinutes(1);

  private final NodeMeters meters;
  private final Reachability reachability;
  private final Supplier<NodeReport> node;
  private final HttpPage page = load();

  NodePage(NodeMeters meters, Reachability reachability, Supplier<NodeReport> node) {
    this.meters = meters;
    this.reachability = reachability;
    this.node = node;
  }

  /** Loads the page. A browser runs its own script and style, and nothing else. */
  private static HttpPage load() {
    String html;
    try (InputStream in =
        Objects.requireNonNull(NodePage.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      html = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    StringBuilder policy =
        new StringBuilder(
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'");
    Matcher parts = PARTS.matcher(html);
    while (parts.find()) {
      policy.append("; %s-src 'sha256-%s'".formatted(parts.group(1), sha256(parts.group(2))));
    }
    return new HttpPage(200, "text/html; charset=utf-8", html, policy.toString());
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }

  HttpPage page() {
    return page;
  }

  /** Returns the state as fields of JSON. */
  Map<String, @Nullable Object> state() {
    Instant now = Instant.now();
    NodeReport report = node.get();
    ClusterWatch.View view = reachability.cluster();
    TransactorReport transactor = report.transactor();
    List<NodeEvents.Event> events = events(transactor);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("time", now.toString());
    fields.put("name", report.name());
    fields.put("role", report.role());
    fields.put("health", fields(health(report, view, events, now)));
    fields.put("primary", primary(view));
    fields.put("snapshot", snapshot(view));
    fields.put("nodes", nodes(report, view));
    fields.put("memory", memory(transactor));
    fields.put("store", store());
    fields.put("counters", counters(report, transactor));
    fields.put("refused", refused(events));
    fields.put("transactions", transactor == null ? List.of() : transactions(transactor));
    fields.put(
        "events", events.stream().limit(NodeEvents.MAX_EVENTS).map(NodePage::fields).toList());
    return fields;
  }

  private List<NodeEvents.Event> events(@Nullable TransactorReport transactor) {
    List<NodeEvents.Event> all = new ArrayList<>(meters.events().newest());
    if (transactor != null) {
      all.addAll(transactor.events());
    }
    all.sort(Comparator.comparing(NodeEvents.Event::at).reversed());
    return all;
  }

  private Health health(
      NodeReport report,
      ClusterWatch.@Nullable View view,
      List<NodeEvents.Event> events,
      Instant now) {
    String silence = reachability.zookeeper().silence(now);
    boolean isFull =
        events.stream().anyMatch(e -> e.fault() == Fault.FULL && e.at().isAfter(now.minus(RECENT)));
    Health.Sight sight =
        new Health.Sight(
            report,
            meters.pauseSince(now.minus(RECENT)),
            silence,
            reachability.store().silence(now),
            isFull,
            view == null ? List.of() : view.gone(),
            reachability.space());
    // Without ZooKeeper the last view may be wrong by now.
    return Health.of(view == null || silence != null ? null : view.state(), sight);
  }

  private static Map<String, Object> fields(Health health) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("level", health.level().label());
    fields.put("sentence", health.sentence());
    fields.put("more", health.more());
    return fields;
  }

  private static @Nullable Map<String, Object> primary(ClusterWatch.@Nullable View view) {
    ClusterState.Primary primary = view == null ? null : view.state().primary();
    if (view == null || primary == null) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", primary.node().name());
    fields.put("epoch", primary.epoch());
    fields.put("accepts", primary.isThere() && primary.accepts());
    fields.put("since", view.primarySince().toString());
    fields.put("seen", view.isPrimarySeen());
    return fields;
  }

  private static @Nullable Map<String, Object> snapshot(ClusterWatch.@Nullable View view) {
    PublishedSnapshot published = view == null ? null : view.state().published();
    return view == null || published == null
        ? null
        : new TreeMap<>(
            Map.of("published", published.timestamp(), "since", view.publishedSince().toString()));
  }

  private static List<Map<String, @Nullable Object>> nodes(
      NodeReport own, ClusterWatch.@Nullable View view) {
    if (view == null) {
      return List.of();
    }
    ClusterState.Primary primary = view.state().primary();
    List<Map<String, @Nullable Object>> nodes = new ArrayList<>();
    for (ClusterState.Node each : view.state().nodes()) {
      boolean isOwn = each.name().equals(own.name());
      boolean isPrimary =
          primary != null && primary.accepts() && each.info().isSameNode(primary.node());
      Lag lag = isOwn ? own.behind() : each.lag();
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      fields.put("name", each.name());
      fields.put("own", isOwn);
      fields.put("role", isPrimary ? "primary" : role(each.info()));
      fields.put("address", each.info().acceptsConnections() ? each.info().address() : null);
      fields.put("snapshot", each.progress().loaded());
      fields.put("lag", lag == null ? null : lag.snapshots());
      fields.put("lagMs", lag == null ? null : lag.ageMs());
      fields.put("isBehind", lag != null && !lag.isCaughtUp());
      StoreFailure unwritten = isOwn ? own.storeFailure() : each.progress().storeFailure();
      fields.put("failure", isOwn ? own.failure() : each.progress().failure());
      fields.put("storeFailure", unwritten == null ? null : unwritten.why().label());
      nodes.add(fields);
    }
    return nodes;
  }

  private static String role(NodeInfo info) {
    return info.acceptsConnections() ? "standby" : "follower";
  }

  /** Returns the kinds of memory, each with its limit; null without a limit. */
  private static List<Map<String, @Nullable Object>> memory(@Nullable TransactorReport transactor) {
    List<Map<String, @Nullable Object>> memory = new ArrayList<>();
    if (transactor != null) {
      long limit = transactor.maxDatabaseBytes();
      memory.add(
          used("database", transactor.databaseBytes(), limit == Long.MAX_VALUE ? null : limit));
      long fragments =
          transactor.transactions().stream().mapToLong(TransactionProgress::memoryBytes).sum();
      memory.add(used("fragments", fragments, transactor.maxFragmentBytes()));
    }
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    memory.add(used("heap", heap.getUsed(), heap.getMax() < 0 ? null : heap.getMax()));
    return memory;
  }

  private static Map<String, @Nullable Object> used(String name, long bytes, @Nullable Long limit) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("bytes", bytes);
    fields.put("limitBytes", limit);
    return fields;
  }

  private Map<String, @Nullable Object> store() {
    StoreSpace space = reachability.space();
    return space == null
        ? used("store", 0, null)
        : used("store", space.totalBytes() - space.freeBytes(), space.totalBytes());
  }

  /** Returns sums since the start of the process, from which the page makes rates. */
  private Map<String, @Nullable Object> counters(
      NodeReport report, @Nullable TransactorReport transactor) {
    MetricsSnapshot counted = meters.shipments();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("atMs", System.nanoTime() / 1_000_000);
    fields.put("published", report.published());
    fields.put("receivedBytes", counted == null ? 0 : counted.decode().get(Metric.WIRE_BYTES));
    fields.put("conflicts", counted == null ? 0 : counted.failed(Fault.CONFLICT));
    fields.put("busy", counted == null ? 0 : counted.failed(Fault.BUSY));
    fields.put("failed", counted == null ? 0 : counted.failed());
    List<ShipmentProgress> shipments = transactor == null ? List.of() : transactor.shipments();
    fields.put("receiving", shipments.stream().filter(each -> !each.waits()).count());
    fields.put("waiting", shipments.stream().filter(ShipmentProgress::waits).count());
    fields.put("pendingCommits", transactor == null ? 0 : transactor.pendingCommits());
    return fields;
  }

  /** Returns the faults of shipments, the most frequent first, with the reason of the last one. */
  private List<Map<String, @Nullable Object>> refused(List<NodeEvents.Event> events) {
    MetricsSnapshot counted = meters.shipments();
    if (counted == null) {
      return List.of();
    }
    return counted.failures().entrySet().stream()
        .sorted(Map.Entry.<Fault, Long>comparingByValue().reversed())
        .map(
            each -> {
              Map<String, @Nullable Object> fields = new LinkedHashMap<>();
              fields.put("fault", each.getKey().name());
              fields.put("times", each.getValue());
              events.stream()
                  .filter(event -> event.fault() == each.getKey())
                  .findFirst()
                  .ifPresent(last -> fields.put("last", fields(last)));
              return fields;
            })
        .toList();
  }

  private static List<Map<String, Object>> transactions(TransactorReport transactor) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (TransactionProgress each : transactor.transactions()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("transaction", each.id().toString());
      fields.put("owner", each.owner());
      fields.put("ageMs", each.age().toMillis());
      fields.put("fragments", each.fragments());
      fields.put("bytes", each.bytes());
      fields.put("leaseLeftMs", each.leaseLeft().toMillis());
      fields.put("committing", each.committing());
      all.add(fields);
    }
    return all;
  }

  private static Map<String, Object> fields(NodeEvents.Event event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", event.at().toString());
    fields.put("text", event.text());
    fields.put("times", event.times());
    return fields;
  }
}
