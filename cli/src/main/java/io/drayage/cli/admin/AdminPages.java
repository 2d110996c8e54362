package io.drayage.cli.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.cli.admin.AdminServer.Answer;
import io.drayage.receive.ShipmentProgress;
import java.io.IOException;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pages that do not depend on metrics. Thread-safe. */
final class AdminPages {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final String name;
  private final List<HealthCheck> checks;
  private final Supplier<@Nullable NodeState> state;

  /**
   * @param state null while the node starts
   */
  AdminPages(String name, List<HealthCheck> checks, Supplier<@Nullable NodeState> state) {
    this.name = name;
    this.checks = List.copyOf(checks);
    this.state = state;
  }

  /** Only a deadlock, which nothing but a restart ends, says that it does not live. */
  Answer live() {
    long[] deadlocked = THREADS.findDeadlockedThreads();
    return deadlocked == null
        ? Answer.text(200, "ok\n")
        : Answer.text(
            503, "%d threads are deadlocked: see /threads\n".formatted(deadlocked.length));
  }

  /** Ready for what its role is: a standby follows, and would take over. */
  Answer ready() throws IOException {
    NodeState node = state.get();
    boolean ready =
        node != null && node.isWell() && checks.stream().allMatch(check -> check.health().well());
    Map<String, @Nullable Object> page = new LinkedHashMap<>();
    page.put("ready", ready);
    page.put("name", name);
    page.put("role", node == null ? "starting" : node.role());
    if (node != null) {
      page.put("epoch", node.epoch());
      page.put("snapshot", node.snapshot());
      page.put("published", node.published());
      page.put("lag", node.lag());
      page.put("takeoverFailure", node.takeoverFailure());
      page.put("followFailure", node.followFailure());
    }
    for (HealthCheck check : checks) {
      HealthCheck.Health health = check.health();
      Map<String, @Nullable Object> answer = new LinkedHashMap<>();
      answer.put("well", health.well());
      answer.put(
          "lastSuccess", health.lastSuccess() == null ? null : health.lastSuccess().toString());
      answer.put("failure", health.failure());
      page.put(check.name(), answer);
    }
    return json(ready ? 200 : 503, page);
  }

  /** The shipments under way, by worker, the oldest first. */
  Answer shipments() throws IOException {
    NodeState node = state.get();
    List<ShipmentProgress> all = new ArrayList<>(node == null ? List.of() : node.shipments());
    all.sort(
        Comparator.comparing(ShipmentProgress::worker)
            .thenComparing(Comparator.comparingLong(ShipmentProgress::ageNs).reversed()));
    Map<String, List<Map<String, Object>>> byWorker = new LinkedHashMap<>();
    for (ShipmentProgress shipment : all) {
      double ageS = shipment.ageNs() / 1e9;
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("transaction", shipment.transactionId().toString());
      line.put("ageS", ageS);
      line.put("receivedBytes", shipment.receivedBytes());
      line.put("bytesPerS", ageS > 0 ? Math.round(shipment.receivedBytes() / ageS) : 0);
      line.put("memoryBytes", shipment.memoryBytes());
      byWorker.computeIfAbsent(shipment.worker(), worker -> new ArrayList<>()).add(line);
    }
    return json(200, byWorker);
  }

  /** Every thread with its stack and what it waits for. */
  Answer threads() {
    StringBuilder text = new StringBuilder();
    ThreadInfo[] all = THREADS.dumpAllThreads(true, true);
    text.append("%d threads%n".formatted(all.length));
    for (ThreadInfo thread : all) {
      text.append(
          "%n\"%s\" #%d %s%n"
              .formatted(thread.getThreadName(), thread.getThreadId(), thread.getThreadState()));
      LockInfo lock = thread.getLockInfo();
      if (lock != null) {
        String owner = thread.getLockOwnerName();
        text.append(
            "    waits for %s%s%n".formatted(lock, owner == null ? "" : ", held by " + owner));
      }
      for (StackTraceElement frame : thread.getStackTrace()) {
        text.append("    at %s%n".formatted(frame));
      }
    }
    return Answer.text(200, text.toString());
  }

  private static Answer json(int status, Object page) throws IOException {
    return new Answer(status, "application/json", JSON.writeValueAsString(page) + "\n");
  }
}
