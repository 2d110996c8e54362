package io.drayage.isolation;

import static io.drayage.internal.Texts.format;

import io.drayage.isolation.Anomaly.Kind;
import io.drayage.isolation.DependencyGraph.Why;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds contradictions to snapshot isolation in a history of lists. The order of versions is
 * inferred from the lists that were read, and from the log only for lists that were overwritten. If
 * the history has the log, every read is also compared with the log. Not thread-safe.
 */
public final class IsolationChecker {
  private record Version(BegunTransaction writer, long element) {}

  private final TransactionHistory history;
  private final List<BegunTransaction> all;
  private final Map<UUID, Long> timestamps = new HashMap<>();
  private final Map<Long, BegunTransaction> writers = new HashMap<>();

  /** Transactions whose effect was seen, acknowledged or logged. */
  private final Map<UUID, BegunTransaction> committed = new LinkedHashMap<>();

  private final List<Anomaly> anomalies = new ArrayList<>();

  private IsolationChecker(TransactionHistory history) {
    this.history = history;
    this.all =
        history.begun().stream().sorted(Comparator.comparingLong(BegunTransaction::atNs)).toList();
  }

  /**
   * Finds all anomalies; of the cycles, only the worst one.
   *
   * @param faults whether a commit may have been applied and then lost: a conflict with it has no
   *     winner then
   */
  public static List<Anomaly> check(TransactionHistory history, boolean faults) {
    IsolationChecker checker = new IsolationChecker(history);
    checker.findCommitted();
    checker.checkReads();
    checker.checkDependencies();
    checker.checkTimestamps();
    if (!history.logged().isEmpty()) {
      new LogChecker(
              history,
              checker.all,
              checker.committed,
              checker.timestamps,
              checker.anomalies,
              faults)
          .check();
    }
    return checker.anomalies;
  }

  private void report(Kind kind, String text) {
    anomalies.add(new Anomaly(kind, text));
  }

  private TransactionOutcome outcome(BegunTransaction transaction) {
    Ended ended = history.ended(transaction.id());
    return ended == null ? TransactionOutcome.UNKNOWN : ended.outcome();
  }

  private void findCommitted() {
    for (BegunTransaction each : all) {
      each.appends().values().forEach(list -> list.forEach(element -> writers.put(element, each)));
      Ended ended = history.ended(each.id());
      if (ended != null && ended.outcome() == TransactionOutcome.COMMITTED) {
        timestamps.put(each.id(), ended.timestamp());
        committed.put(each.id(), each);
      }
    }
    Map<UUID, BegunTransaction> byId = new HashMap<>();
    all.forEach(each -> byId.put(each.id(), each));
    for (Logged entry : history.logged()) {
      BegunTransaction known = byId.get(entry.id());
      if (known != null) {
        timestamps.putIfAbsent(entry.id(), entry.timestamp());
        committed.put(entry.id(), known);
      }
    }
    for (BegunTransaction each : all) {
      for (List<Long> list : each.reads().values()) {
        for (long element : list) {
          BegunTransaction writer = writers.get(element);
          if (writer != null && outcome(writer) == TransactionOutcome.UNKNOWN) {
            committed.put(writer.id(), writer);
          }
        }
      }
    }
  }

  private void checkReads() {
    for (BegunTransaction reader : all) {
      reader.reads().forEach((list, elements) -> checkRead(reader, list, elements));
    }
  }

  private void checkRead(BegunTransaction reader, String list, List<Long> elements) {
    if (new HashSet<>(elements).size() < elements.size()) {
      report(Kind.DUPLICATE, "%s read %s of %s".formatted(reader.id(), elements, list));
    }
    for (int i = 0; i < elements.size(); i++) {
      BegunTransaction writer = writers.get(elements.get(i));
      List<Long> written = writer == null ? null : writer.appends().get(list);
      if (writer == null || written == null) {
        report(Kind.UNWRITTEN, format("%s read %d in %s", reader.id(), elements.get(i), list));
        return;
      }
      if (outcome(writer) != TransactionOutcome.UNKNOWN && !committed.containsKey(writer.id())) {
        report(
            Kind.G1A,
            format("%s read %d of %s, %s", reader.id(), elements.get(i), list, writer.id()));
      }
      int next = written.indexOf(elements.get(i)) + 1;
      if (next < written.size()
          && (i + 1 == elements.size() || !elements.get(i + 1).equals(written.get(next)))) {
        report(
            Kind.G1B,
            format("%s read %d of %s, %s", reader.id(), elements.get(i), list, writer.id()));
      }
    }
  }

  /** The versions of each list, in order. */
  private Map<String, List<Version>> versions() {
    Set<String> overwritten = new HashSet<>();
    committed.values().stream()
        .filter(BegunTransaction::overwrites)
        .forEach(each -> overwritten.addAll(each.appends().keySet()));
    Map<String, List<Long>> longest = new HashMap<>();
    for (BegunTransaction each : all) {
      each.reads()
          .forEach(
              (list, read) -> longest.merge(list, read, (a, b) -> b.size() > a.size() ? b : a));
    }
    Map<String, List<Version>> versions = new HashMap<>();
    longest.forEach(
        (list, elements) -> {
          if (overwritten.contains(list)) {
            versions.put(list, logged(list));
          } else {
            requirePrefixes(list, elements);
            versions.put(list, inferred(list, elements));
          }
        });
    return versions;
  }

  private List<Version> logged(String list) {
    return committed.values().stream()
        .filter(each -> each.appends().containsKey(list) && timestamps.containsKey(each.id()))
        .sorted(Comparator.comparing(each -> timestamps.get(each.id())))
        .map(each -> new Version(each, last(each.appends().getOrDefault(list, List.of()))))
        .toList();
  }

  private List<Version> inferred(String list, List<Long> elements) {
    List<Version> versions = new ArrayList<>();
    for (long element : elements) {
      BegunTransaction writer = writers.get(element);
      if (writer != null && last(writer.appends().getOrDefault(list, List.of())) == element) {
        versions.add(new Version(writer, element));
      }
    }
    return versions;
  }

  private static long last(List<Long> elements) {
    return elements.isEmpty() ? 0 : elements.get(elements.size() - 1);
  }

  private void requirePrefixes(String list, List<Long> longest) {
    for (BegunTransaction each : all) {
      List<Long> read = each.reads().getOrDefault(list, List.of());
      if (!longest.subList(0, read.size()).equals(read)) {
        report(
            Kind.INCOMPATIBLE_ORDER,
            "%s of %s: %s and %s".formatted(list, each.id(), read, longest));
      }
    }
  }

  private void checkDependencies() {
    DependencyGraph graph = new DependencyGraph();
    committed.values().forEach(each -> graph.add(begin(each), commit(each), Why.PROGRAM));
    versions().forEach((list, versions) -> addVersions(graph, list, versions));
    addSessions(graph);
    addRealTime(graph);
    Anomaly cycle = graph.findAnomaly();
    if (cycle != null) {
      anomalies.add(cycle);
    }
  }

  private static String begin(BegunTransaction transaction) {
    return "begin " + transaction.id();
  }

  private static String commit(BegunTransaction transaction) {
    return "commit " + transaction.id();
  }

  private void addVersions(DependencyGraph graph, String list, List<Version> versions) {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < versions.size(); i++) {
      places.put(versions.get(i).element, i);
      if (i > 0) {
        BegunTransaction writer = versions.get(i).writer;
        String before = commit(versions.get(i - 1).writer);
        graph.add(before, writer.overwrites() ? commit(writer) : begin(writer), Why.WW);
      }
    }
    Map<Long, UUID> replacedBy = new HashMap<>();
    for (BegunTransaction reader : all) {
      List<Long> read = reader.reads().get(list);
      Integer place = read == null ? null : places.getOrDefault(last(read), -1);
      if (read == null || place == null || (place < 0 && !read.isEmpty())) {
        continue;
      }
      if (place >= 0 && !versions.get(place).writer.id().equals(reader.id())) {
        graph.add(commit(versions.get(place).writer), begin(reader), Why.WR);
      }
      if (place + 1 < versions.size() && !versions.get(place + 1).writer.id().equals(reader.id())) {
        graph.add(begin(reader), commit(versions.get(place + 1).writer), Why.RW);
      }
      if (committed.containsKey(reader.id())
          && reader.appends().containsKey(list)
          && !reader.overwrites()) {
        UUID other = replacedBy.put(last(read), reader.id());
        if (other != null) {
          report(
              Kind.LOST_UPDATE,
              "%s and %s replaced %s of %s".formatted(other, reader.id(), read, list));
        }
      }
    }
  }

  /** Orders the transactions of a session: it sees all versions that it saw and wrote before. */
  private void addSessions(DependencyGraph graph) {
    Map<String, BegunTransaction> newest = new HashMap<>();
    for (BegunTransaction each : all) {
      BegunTransaction before = newest.put(each.session(), each);
      if (before != null) {
        graph.add(begin(before), begin(each), Why.SESSION);
        if (outcome(before) == TransactionOutcome.COMMITTED) {
          graph.add(commit(before), begin(each), Why.SESSION);
        }
      }
    }
  }

  /** Orders by real time, with a node for each moment of an acknowledgement. */
  private void addRealTime(DependencyGraph graph) {
    TreeMap<Long, String> moments = new TreeMap<>();
    for (BegunTransaction each : committed.values()) {
      Ended ended = acknowledged(each);
      if (ended != null) {
        moments.put(ended.atNs(), "moment " + ended.atNs());
        graph.add(commit(each), "moment " + ended.atNs(), Why.REAL_TIME);
      }
    }
    String before = null;
    for (String moment : moments.values()) {
      if (before != null) {
        graph.add(before, moment, Why.REAL_TIME);
      }
      before = moment;
    }
    for (BegunTransaction each : committed.values()) {
      Map.Entry<Long, String> moment = moments.lowerEntry(each.atNs());
      if (moment != null) {
        graph.add(moment.getValue(), commit(each), Why.REAL_TIME);
      }
    }
  }

  private @Nullable Ended acknowledged(BegunTransaction transaction) {
    Ended ended = history.ended(transaction.id());
    return ended != null && ended.outcome() == TransactionOutcome.COMMITTED ? ended : null;
  }

  /** Checks that timestamps rise with real time, are above the base, and are unique. */
  private void checkTimestamps() {
    TreeMap<Long, Long> newestAt = new TreeMap<>();
    List<Ended> answers = new ArrayList<>();
    committed
        .values()
        .forEach(
            each -> {
              Ended ended = acknowledged(each);
              if (ended != null) {
                answers.add(ended);
              }
            });
    answers.sort(Comparator.comparingLong(Ended::atNs));
    long newest = 0;
    for (Ended each : answers) {
      newest = Math.max(newest, each.timestamp());
      newestAt.put(each.atNs(), newest);
    }
    Map<Long, UUID> owners = new HashMap<>();
    timestamps.forEach(
        (id, timestamp) -> {
          UUID other = owners.put(timestamp, id);
          if (other != null) {
            report(Kind.LOG, format("%s and %s both have timestamp %d", id, other, timestamp));
          }
        });
    for (BegunTransaction each : committed.values()) {
      Long timestamp = timestamps.get(each.id());
      Map.Entry<Long, Long> before = newestAt.lowerEntry(each.atNs());
      if (timestamp != null && before != null && timestamp <= before.getValue()) {
        report(
            Kind.REAL_TIME,
            format(
                "%s got %d, though %d was acknowledged before it was sent",
                each.id(), timestamp, before.getValue()));
      }
      if (timestamp != null && timestamp <= each.base()) {
        report(Kind.LOG, format("%s got %d on base %d", each.id(), timestamp, each.base()));
      }
    }
  }
}
