package io.drayage.isolation;

import static io.drayage.internal.Texts.format;

import io.drayage.isolation.Anomaly.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Compares the reads and answers of sessions with the log. Not thread-safe. */
final class LogChecker {
  private final TransactionHistory history;
  private final List<BegunTransaction> all;
  private final Map<UUID, BegunTransaction> committed;
  private final Map<UUID, Long> timestamps;
  private final List<Anomaly> anomalies;
  private final boolean faults;

  /** The writers of each list, by timestamp. */
  private final Map<String, TreeMap<Long, BegunTransaction>> writers = new HashMap<>();

  /** Transactions that may have been applied, even for a while, by list. */
  private final Map<String, List<BegunTransaction>> contenders = new HashMap<>();

  LogChecker(
      TransactionHistory history,
      List<BegunTransaction> all,
      Map<UUID, BegunTransaction> committed,
      Map<UUID, Long> timestamps,
      List<Anomaly> anomalies,
      boolean faults) {
    this.history = history;
    this.all = all;
    this.committed = committed;
    this.timestamps = timestamps;
    this.anomalies = anomalies;
    this.faults = faults;
  }

  private void report(Kind kind, String text) {
    anomalies.add(new Anomaly(kind, text));
  }

  void check() {
    Map<UUID, Long> logged = new HashMap<>();
    for (Logged entry : history.logged()) {
      if (logged.put(entry.id(), entry.timestamp()) != null) {
        report(Kind.LOG, "%s is in the log twice".formatted(entry.id()));
      }
    }
    committed.forEach(
        (id, each) -> {
          Long timestamp = logged.get(id);
          if (timestamp == null || !timestamp.equals(timestamps.get(id))) {
            report(
                Kind.LOST, "%s at %s: the log has %s".formatted(id, timestamps.get(id), timestamp));
          } else {
            each.appends()
                .keySet()
                .forEach(
                    list ->
                        writers.computeIfAbsent(list, l -> new TreeMap<>()).put(timestamp, each));
          }
        });
    for (BegunTransaction each : all) {
      Ended ended = history.ended(each.id());
      boolean aborted =
          ended != null
              && ended.outcome() != TransactionOutcome.COMMITTED
              && ended.outcome() != TransactionOutcome.UNKNOWN;
      if (aborted && logged.containsKey(each.id())) {
        report(
            Kind.NOT_ABORTED, "%s, %s: %s".formatted(each.id(), ended.outcome(), ended.message()));
      }
      if (!aborted || (faults && ended.outcome() == TransactionOutcome.CONFLICT)) {
        each.appends()
            .keySet()
            .forEach(list -> contenders.computeIfAbsent(list, l -> new ArrayList<>()).add(each));
      }
    }
    all.forEach(this::check);
  }

  private void check(BegunTransaction each) {
    each.reads().forEach((list, read) -> checkRead(each, list, read));
    Long timestamp = timestamps.get(each.id());
    if (timestamp != null && !each.overwrites()) {
      checkFirstCommitter(each, timestamp);
    }
    Ended ended = history.ended(each.id());
    if (ended != null && ended.outcome() == TransactionOutcome.CONFLICT) {
      checkConflict(each, ended);
    }
  }

  private boolean hadConflictBefore(BegunTransaction other, BegunTransaction each) {
    Ended ended = history.ended(other.id());
    return ended != null
        && ended.outcome() == TransactionOutcome.CONFLICT
        && ended.atNs() < each.atNs();
  }

  private void checkRead(BegunTransaction reader, String list, List<Long> read) {
    Map.Entry<Long, BegunTransaction> writer =
        writers.getOrDefault(list, new TreeMap<>()).floorEntry(reader.base());
    List<Long> expected = new ArrayList<>();
    if (writer != null) {
      expected.addAll(writer.getValue().reads().getOrDefault(list, List.of()));
      expected.addAll(writer.getValue().appends().getOrDefault(list, List.of()));
    }
    if (!expected.equals(read)) {
      report(
          Kind.WRONG_SNAPSHOT,
          format(
              "%s read %s of %s at %d: the log has %s",
              reader.id(), read, list, reader.base(), expected));
    }
  }

  private void checkFirstCommitter(BegunTransaction each, long timestamp) {
    for (String list : each.appends().keySet()) {
      Map<Long, BegunTransaction> between =
          writers.getOrDefault(list, new TreeMap<>()).subMap(each.base(), false, timestamp, false);
      if (!between.isEmpty()) {
        report(
            Kind.FIRST_COMMITTER,
            format(
                "%s wrote %s from %d to %d, as did %s",
                each.id(), list, each.base(), timestamp, between.keySet()));
      }
    }
  }

  /**
   * Checks that a conflict has a reason: another transaction wrote the same list, was sent before
   * the answer, and was not committed in the base. That transaction may have been applied, not
   * stored, and sent again. It may then have had a conflict itself, after this one.
   */
  private void checkConflict(BegunTransaction each, Ended ended) {
    boolean justified =
        !each.overwrites()
            && each.appends().keySet().stream()
                .flatMap(list -> contenders.getOrDefault(list, List.of()).stream())
                .anyMatch(
                    other ->
                        !other.id().equals(each.id())
                            && other.atNs() < ended.atNs()
                            && timestamps.getOrDefault(other.id(), Long.MAX_VALUE) > each.base()
                            && !hadConflictBefore(other, each));
    if (!justified) {
      report(
          Kind.UNJUSTIFIED_CONFLICT,
          format("%s on base %d: %s", each.id(), each.base(), ended.message()));
    }
  }
}
