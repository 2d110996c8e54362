package io.drayage.isolation;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The transactions and answers of sessions, and the final log. Kept in memory, and in a file of
 * JSON lines, to which a process appends until it is killed. Thread-safe.
 */
public final class TransactionHistory {
  /** A line of the file; exactly one component is not null. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Line(@Nullable BegunTransaction begun, @Nullable Ended ended, @Nullable Logged logged) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private final @Nullable Path file;
  private final Map<UUID, BegunTransaction> begun = new LinkedHashMap<>();
  private final Map<UUID, Ended> ended = new LinkedHashMap<>();
  private final List<Logged> logged = new ArrayList<>();

  /** Creates a history in memory only. */
  public TransactionHistory() {
    this.file = null;
  }

  /** Creates a history that only appends each line to a file, at once. */
  public TransactionHistory(Path file) {
    this.file = file;
  }

  /** Adds the lines of a file, without an unfinished last line of a killed process. */
  public synchronized void read(Path lines) throws IOException {
    String text = Files.readString(lines);
    int whole = text.lastIndexOf('\n') + 1;
    for (String each : text.substring(0, whole).lines().toList()) {
      add(JSON.readValue(each, Line.class));
    }
  }

  /** Notes that a session is about to commit, or has read. */
  public void begun(BegunTransaction transaction) throws IOException {
    record(new Line(transaction, null, null));
  }

  /** Notes the answer to a session. */
  public void ended(Ended answer) throws IOException {
    record(new Line(null, answer, null));
  }

  /** Notes a transaction in the log. */
  public void logged(Logged entry) throws IOException {
    record(new Line(null, null, entry));
  }

  private synchronized void record(Line line) throws IOException {
    if (file == null) {
      add(line);
    } else {
      byte[] bytes = (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
      Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private synchronized void add(Line line) {
    if (line.begun != null) {
      begun.put(line.begun.id(), line.begun);
      notifyAll();
    }
    if (line.ended != null) {
      ended.put(line.ended.id(), line.ended);
    }
    if (line.logged != null) {
      logged.add(line.logged);
    }
  }

  synchronized List<BegunTransaction> begun() {
    return List.copyOf(begun.values());
  }

  synchronized @Nullable Ended ended(UUID id) {
    return ended.get(id);
  }

  synchronized List<Logged> logged() {
    return List.copyOf(logged);
  }

  /** Waits until this number of transactions have begun. */
  public synchronized void awaitSize(int size) throws InterruptedException {
    while (begun.size() < size) {
      wait();
    }
  }

  /** Number of transactions with this outcome. */
  public synchronized long count(TransactionOutcome outcome) {
    return ended.values().stream().filter(each -> each.outcome() == outcome).count();
  }

  /** Returns the given transactions that the log has. */
  public synchronized List<UUID> inLog(Collection<UUID> some) {
    Set<UUID> all = new HashSet<>(some);
    return logged.stream().map(Logged::id).filter(all::contains).toList();
  }

  /** Describes the answers to some transactions, and how many took effect. */
  public synchronized String fates(Collection<UUID> some) {
    Set<UUID> effective = new HashSet<>(inLog(some));
    Map<String, Integer> counts = new TreeMap<>();
    for (UUID id : some) {
      Ended answer = ended.get(id);
      String told = answer == null ? "without an answer" : answer.outcome().toString();
      counts.merge(told + (effective.contains(id) ? ", in the log" : ""), 1, Integer::sum);
    }
    return format("%,d transactions %s", some.size(), counts);
  }

  /** Number of transactions of each kind. */
  public synchronized String summary() {
    Map<String, Integer> counts = new TreeMap<>();
    for (BegunTransaction each : begun.values()) {
      Ended answer = ended.get(each.id());
      String kind = each.appends().isEmpty() ? "read only" : "without an answer";
      counts.merge(answer == null ? kind : answer.outcome().toString(), 1, Integer::sum);
    }
    return format("%,d transactions %s", begun.size(), counts);
  }
}
