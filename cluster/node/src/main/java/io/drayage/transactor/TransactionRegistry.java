package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.database.AppCommit;
import io.drayage.database.LoggedTransaction;
import io.drayage.database.TransactionLimits;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.UnwritableStore;
import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.MemoryStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The open transactions of a term, by the store and the log. A transaction that is not here is
 * searched there. Thread-safe.
 */
final class TransactionRegistry {
  private static final System.Logger LOG = System.getLogger(TransactionRegistry.class.getName());

  private static final int MAX_UNKNOWN = 1_000;

  /** Owner in the log of a transaction whose record is damaged. */
  private static final String OWNER_UNKNOWN = "unknown";

  private final TransactionRecords records;
  private final TransactionCommitter pipeline;
  private final MemoryStore store;
  private final TransactionLimits limits;
  private final Runnable whenEnded;
  private final Map<UUID, TransactionState> open = new ConcurrentHashMap<>();

  /** Transactions that were not found, a few of them, until the next request for them. */
  private final Set<UUID> unknown = ConcurrentHashMap.newKeySet();

  /**
   * @param whenEnded called when a transaction has ended here, on any thread; must not block
   */
  TransactionRegistry(
      TransactionRecords records,
      TransactionCommitter pipeline,
      MemoryStore store,
      TransactionLimits limits,
      Runnable whenEnded) {
    this.records = records;
    this.pipeline = pipeline;
    this.store = store;
    this.limits = limits;
    this.whenEnded = whenEnded;
  }

  /** The transactions that are open here. */
  Collection<TransactionState> all() {
    return open.values();
  }

  /** A transaction that is open here; null if it is not. Does not block. */
  @Nullable TransactionState get(UUID id) {
    return open.get(id);
  }

  /** Whether an entry of the log has ended it, or will end it. */
  boolean hasEnded(UUID id) {
    return store.endOf(id).isPresent();
  }

  /** Adopts the transactions in the store. May block. */
  void adoptAll() {
    try {
      for (UUID id : records.open()) {
        adopt(id);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "open transactions cannot be looked for: {0}", e.getMessage());
    }
  }

  /** Adopts a transaction. A failure must not keep others from being adopted. */
  private void adopt(UUID id) {
    try {
      TransactionState unused = find(id);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "{0} cannot be looked for: {1}", id, e.getMessage());
    }
  }

  /**
   * Finds a transaction; null if it is not open. May block.
   *
   * @throws ShipmentException {@code REFUSED} if its record is damaged, which ends it
   */
  @Nullable TransactionState find(UUID id) throws IOException {
    TransactionState known = open.get(id);
    if (known != null || store.endOf(id).isPresent()) {
      return known;
    }
    OpenTransaction found;
    try {
      found = records.find(id);
    } catch (ObjectCorruptException e) {
      endDamaged(id, e);
      throw refused(id, "is ended, since its record is damaged: " + e.getMessage());
    }
    if (found == null || found.base() < store.endsKnownSince()) {
      return null; // It may have ended so long ago that its end is no longer known.
    }
    TransactionState adopted = open.computeIfAbsent(id, unused -> new TransactionState(found));
    if (store.endOf(id).isPresent()) { // It ended meanwhile.
      open.remove(id);
      return null;
    }
    return adopted;
  }

  /** Ends a transaction, because its base and its lease are unknown. */
  private void endDamaged(UUID id, ObjectCorruptException damage) throws ShipmentException {
    LOG.log(Level.WARNING, "transaction {0} is ended: {1}", id, damage.getMessage());
    LoggedTransaction unknown =
        new LoggedTransaction(id, pipeline.newestStored(), OWNER_UNKNOWN, null);
    var unused = pipeline.end(new SnapshotKind.Expired(unknown)).thenRun(whenEnded);
  }

  /** Searches a transaction, and notes if there is none. May block. */
  void look(UUID id) {
    try {
      if (find(id) == null) {
        boolean unused = unknown.add(id);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "transaction {0} cannot be looked for: {1}", id, e.getMessage());
    }
  }

  /** Fails if it has ended, or a search did not find it. Does not block. */
  void requireNotEnded(UUID id) throws ShipmentException {
    OptionalLong end = store.endOf(id);
    if (end.isPresent()) {
      throw refused(
          id,
          end.getAsLong() > 0
              ? format("was committed as snapshot %d", end.getAsLong())
              : format("has ended without effect, by entry %d of the log", -end.getAsLong()));
    }
    if (unknown.size() > MAX_UNKNOWN) {
      unknown.clear();
    }
    if (unknown.remove(id)) {
      throw notOpen(id);
    }
  }

  static ShipmentException refused(UUID id, String why) {
    return new ShipmentException(Fault.REFUSED, "transaction %s %s".formatted(id, why));
  }

  static ShipmentException notOpen(UUID id) {
    return refused(
        id,
        "is not known: it was never begun here, or so long ago that its end is no longer known");
  }

  /** Fails for a wrong token, also if the transaction has ended, or was never begun. */
  static void requireToken(UUID transaction, Token token) throws ShipmentException {
    if (!token.transaction().equals(transaction)) {
      throw refused(transaction, "has another token");
    }
  }

  /**
   * Begins a transaction, within the limits. May block.
   *
   * @throws ShipmentException {@code BUSY} if too many are open, {@code REFUSED} if it exists
   */
  void begin(OpenTransaction record) throws IOException {
    TransactionState state = new TransactionState(record);
    add(state);
    try (Begun begun = new Begun(() -> remove(state))) {
      records.open(record);
      begun.keep(state);
    } catch (ObjectExistsException e) {
      throw refused(record.id(), "exists: begin another one");
    } catch (IOException e) {
      throw UnwritableStore.ofRecord("the transaction cannot be recorded", e);
    }
  }

  private synchronized void add(TransactionState begun) throws ShipmentException {
    UUID id = begun.record.id();
    requireNotEnded(id);
    String owner = begun.record.owner();
    long own = open.values().stream().filter(each -> each.record.owner().equals(owner)).count();
    if (open.size() >= limits.maxOpen() || own >= limits.maxOpenOfOne()) {
      throw new ShipmentException(
          Fault.BUSY,
          format(
              "%,d transactions are open, %,d of '%s'; the limits are %,d, and %,d of one owner",
              open.size(), own, owner, limits.maxOpen(), limits.maxOpenOfOne()));
    }
    if (open.putIfAbsent(id, begun) != null) {
      throw refused(id, "exists: begin another one");
    }
  }

  /** Forgets a transaction. */
  void remove(TransactionState transaction) {
    open.remove(transaction.record.id(), transaction);
  }

  /**
   * The answer about a transaction that is not open, by the log, also from an earlier term.
   *
   * @throws ShipmentException {@code REFUSED} if it is not known
   */
  CompletableFuture<TransactionAnswer> answerEnded(TransactionRequest request)
      throws ShipmentException {
    UUID id = request.transaction();
    Acknowledgement level =
        request instanceof TransactionRequest.Commit commit
            ? commit.acknowledgement()
            : Acknowledgement.STORED;
    CompletableFuture<Long> end = pipeline.answerOfEnd(id, level);
    if (end == null) {
      throw notOpen(id);
    }
    return end.thenCompose(
        timestamp ->
            timestamp > 0
                ? CompletableFuture.completedFuture(
                    new TransactionAnswer.Committed(timestamp, true))
                : answerEndedWithout(request, -timestamp));
  }

  /** Answers after an end without effect. A commit may end so if its version already existed. */
  private CompletableFuture<TransactionAnswer> answerEndedWithout(
      TransactionRequest request, long entry) {
    if (request instanceof TransactionRequest.Abort) {
      return CompletableFuture.completedFuture(new TransactionAnswer.Aborted());
    }
    try {
      if (request instanceof TransactionRequest.Commit commit && commit.app() != null) {
        AppVersion app = commit.app();
        CompletableFuture<AppCommit> newest =
            pipeline.answerOfApp(app, null, commit.acknowledgement());
        if (newest != null) {
          return newest.thenApply(known -> TransactionCommits.committed(known, app));
        }
      }
      throw endedWithout(request.transaction(), entry);
    } catch (ShipmentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static ShipmentException endedWithout(UUID id, long entry) {
    return new ShipmentException(
        Fault.REJECTED,
        format(
            "transaction %s has ended without effect, by entry %d of the log: it was aborted, or its lease was not renewed",
            id, entry));
  }
}
