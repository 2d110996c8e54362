package io.drayage.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.cargo.TableSchema;
import io.drayage.files.FileRights;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transactor.EndedTransaction;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file of JSON lines with commits and their workers, refused shipments and requests, and
 * transactions of several workers that ended without effect. The log appends to the file.
 *
 * <p>No commit waits for the file. Lines are lost if the file cannot be written. A refusal is lost
 * if {@value #MAX_REFUSALS} lines wait, and a commit or an ended transaction if {@value
 * #MAX_WAITING} wait. The log then writes the number of lost lines as soon as it can. Refusals
 * never displace the line of a commit.
 *
 * <p>Only the owner can access a new file, or also the group if the folder has such rights ({@link
 * FileRights#like}). Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());

  /** Number of waiting lines from which on refusals are lost. */
  private static final int MAX_REFUSALS = 10_000;

  /** Number of waiting lines from which on commits and ended transactions are lost. */
  private static final int MAX_WAITING = 2 * MAX_REFUSALS;

  /** Limit of the fragments, and of their senders, in a line. The entry of the log has all. */
  private static final int MAX_NAMED = 16;

  private static final long POLL_MS = 200;
  private static final ObjectMapper JSON = JsonMapper.builder(new PrintableJson()).build();

  private final Path file;
  private final BlockingQueue<Map<String, Object>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread writer;
  private volatile boolean closed;

  /** Guarded by this. */
  private long lost;

  private AuditLog(Path file) {
    this.file = file;
    this.writer = new DaemonThreads("drayage-audit").newThread(this::write);
  }

  /**
   * Opens a log.
   *
   * @throws IOException if the file cannot be written
   */
  public static AuditLog open(Path file) throws IOException {
    try (BufferedWriter probe = append(file)) {
      probe.flush();
    }
    AuditLog log = new AuditLog(file);
    log.writer.start();
    return log;
  }

  private static BufferedWriter append(Path file) throws IOException {
    return new BufferedWriter(
        Channels.newWriter(
            FileRights.like(file.toAbsolutePath().getParent())
                .open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND)),
            StandardCharsets.UTF_8));
  }

  /** Returns a transport that logs the shipments and requests that its server refuses. */
  public Transport observe(Transport transport) {
    return new Observed(transport, this);
  }

  /** Returns a listener that logs published commits; without a log, it does nothing. */
  public static Consumer<PublishedCommit> published(@Nullable AuditLog log) {
    return log == null ? commit -> {} : log::committed;
  }

  /** Returns a listener that logs transactions without effect; without a log, it does nothing. */
  public static Consumer<EndedTransaction> ended(@Nullable AuditLog log) {
    return log == null ? ended -> {} : log::endedWithout;
  }

  private void committed(PublishedCommit commit) {
    Map<String, Object> line = line("committed", commit.changes().transactionId(), commit.worker());
    line.put("snapshot", commit.changes().timestamp());
    List<String> dropped = commit.changes().droppedTables();
    if (!dropped.isEmpty()) {
      line.put("drops", dropped);
    }
    List<String> added = commit.changes().newTables().stream().map(TableSchema::name).toList();
    if (!added.isEmpty()) {
      line.put("adds", added);
    }
    List<UUID> fragments = commit.fragments();
    if (!fragments.isEmpty()) {
      line.put("fragments", fragments.size());
      line.put("fragmentIds", fragments.stream().limit(MAX_NAMED).map(UUID::toString).toList());
      line.put("senders", commit.senders().size());
      line.put("senderNames", commit.senders().stream().limit(MAX_NAMED).toList());
    }
    line.put("tables", commit.changes().rows());
    add(line, MAX_WAITING);
  }

  private void refused(ShipmentHeader header, ShipmentException cause) {
    Map<String, Object> line = line("refused", header.wholeTransaction(), header.worker());
    if (header.options().fragment() != null) {
      line.put("fragment", header.transactionId().toString());
    }
    addRefused(line, cause);
  }

  /** Only a request to begin has the worker's name. The others have the transaction's token. */
  private void refused(TransactionRequest request, ShipmentException cause) {
    Map<String, Object> line =
        line(
            "refused",
            request.transaction(),
            request instanceof TransactionRequest.Begin begin ? begin.worker() : null);
    line.put("request", request.getClass().getSimpleName().toUpperCase(Locale.ROOT));
    addRefused(line, cause);
  }

  /** Skips {@code BUSY}: the worker is not refused, and asks again several times a second. */
  private void addRefused(Map<String, Object> line, ShipmentException cause) {
    if (cause.fault() == Fault.BUSY) {
      return;
    }
    line.put("fault", cause.fault());
    line.put("reason", String.valueOf(cause.getMessage()));
    add(line, MAX_REFUSALS);
  }

  private void endedWithout(EndedTransaction ended) {
    Map<String, Object> line =
        line(ended.expired() ? "expired" : "aborted", ended.transaction(), ended.worker());
    line.put("entry", ended.timestamp());
    add(line, MAX_WAITING);
  }

  private static Map<String, Object> line(
      String outcome, UUID transaction, @Nullable String worker) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.now().toString());
    line.put("outcome", outcome);
    line.put("transaction", transaction.toString());
    if (worker != null) {
      line.put("worker", worker);
    }
    return line;
  }

  /** Adds a line unless {@code limit} lines wait. Adds the number of lost lines before it. */
  private synchronized void add(Map<String, Object> line, int limit) {
    if (lost > 0 && offer(Map.of("time", Instant.now().toString(), "lost", lost), limit)) {
      lost = 0;
    }
    if (lost > 0 || !offer(line, limit)) {
      lost++;
    }
  }

  private boolean offer(Map<String, Object> line, int limit) {
    return waiting.size() < limit && waiting.offer(line);
  }

  private void write() {
    List<Map<String, Object>> lines = new ArrayList<>();
    boolean failed = false;
    while (!closed || !waiting.isEmpty()) {
      try {
        Map<String, Object> first = waiting.poll(POLL_MS, TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        lines.add(first);
        waiting.drainTo(lines);
        write(lines);
        failed = false;
      } catch (IOException e) {
        synchronized (this) {
          lost += lines.size();
        }
        if (!failed) {
          LOG.log(Level.ERROR, "the audit log {0} cannot be written: {1}", file, e.toString());
        }
        failed = true;
      } catch (InterruptedException e) {
        return;
      }
      lines.clear();
    }
  }

  /** Creates the file again if somebody has moved it away. */
  private void write(List<Map<String, Object>> lines) throws IOException {
    try (BufferedWriter out = append(file)) {
      for (Map<String, Object> line : lines) {
        out.write(JSON.writeValueAsString(line));
        out.write('\n');
      }
    }
  }

  /** Writes the waiting lines, then closes the log. */
  @Override
  public void close() {
    closed = true;
    Waits.orInterrupted(() -> writer.join(TimeUnit.SECONDS.toMillis(10)));
  }

  private record Observed(Transport transport, AuditLog log) implements Transport {
    @Override
    public String name() {
      return transport.name();
    }

    @Override
    public TransportClient client(
        InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
      return transport.client(address, options, metrics);
    }

    @Override
    public TransportServer listen(
        InetSocketAddress address,
        ShipmentAcceptor acceptor,
        TransportOptions options,
        DrayageMetrics metrics)
        throws BindException {
      return transport.listen(address, new ObservedAcceptor(acceptor, log), options, metrics);
    }
  }

  private record ObservedAcceptor(ShipmentAcceptor acceptor, AuditLog log)
      implements ShipmentAcceptor {
    @Override
    public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
        throws ShipmentException {
      return acceptor.accept(header, replies, cause -> log.refused(header, cause));
    }

    @Override
    public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
      CompletableFuture<TransactionAnswer> answer = acceptor.ask(request);
      var unused =
          answer.whenComplete(
              (settled, failure) -> {
                if (settled == null
                    && TransactionAnswer.cause(failure) instanceof ShipmentException refused) {
                  log.refused(request, refused);
                }
              });
      return answer;
    }
  }
}
