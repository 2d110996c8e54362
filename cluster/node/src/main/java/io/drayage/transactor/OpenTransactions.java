package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FragmentOf;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.receive.RecordedCargo;
import io.drayage.snapshot.LoggedTransaction;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotRecording;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.AppCommit;
import io.drayage.store.MemoryStore;
import io.drayage.store.column.MemorySize;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of several workers during a term as primary. Thread-safe; what is called on
 * event loops does not block.
 *
 * <p>The idea: whatever must outlive this term is in the store before it is answered, {@code
 * open/T} and {@code fragments/T/F}, or an entry of the log. What is here is only what the store
 * says, and when leases were renewed: a new primary begins with the records that it finds, and full
 * leases. A transaction ends by an entry of the log, by which everything that comes later is
 * answered.
 */
final class OpenTransactions implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(OpenTransactions.class.getName());
  private static final int THREADS = 8;

  /** Looks for leases that are over, and, so many times more rarely, for records: each minute. */
  private static final long CHECK_MS = 1_000;

  private static final int CHECKS_PER_LOOK = 60;

  /** Attempts that no commit will name count, too. */
  private static final int MAX_STORED_FRAGMENTS = 2 * TransactionRequest.MAX_FRAGMENTS;

  private static final int MAX_UNKNOWN = 1_000;

  /** How many requests may wait for a thread: whoever asks needs no token for that. */
  static final int MAX_WAITING = 1_000;

  /** Stands in the log for the owner of a transaction whose record is damaged. */
  private static final String OWNER_UNKNOWN = "unknown";

  private final TransactionRecords records;
  private final CommitPipeline pipeline;
  private final MemoryStore store;
  private final TransactionLimits limits;
  private final UUID database;
  private final LongToIntFunction checksums;
  private final FragmentCache cache;
  private final TransactionCommits commits;
  private final Runnable whenEnded;
  private final Map<UUID, TransactionState> open = new ConcurrentHashMap<>();

  /** Those that were looked for in vain, a few of them, until they are asked for again. */
  private final Set<UUID> unknown = ConcurrentHashMap.newKeySet();

  /** Those that are about to be looked for. */
  private final Set<UUID> looked = ConcurrentHashMap.newKeySet();

  private final ExecutorService work =
      Executors.newFixedThreadPool(THREADS, new DaemonThreads("drayage-transaction"));
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("drayage-lease"));
  private final AtomicInteger waiting = new AtomicInteger();
  private int checks;

  /** The answers that somebody waits for: the end of the term must not leave one open. */
  private final Queue<CompletableFuture<TransactionAnswer>> asked = new ConcurrentLinkedQueue<>();

  /**
   * @param database its id
   * @param checksums of the entries of the log, as {@link TermShipments} asks for them
   * @param commits closed with this
   * @param whenEnded called when a transaction has ended, on any thread; must not block
   */
  OpenTransactions(
      TransactionRecords records,
      CommitPipeline pipeline,
      MemoryStore store,
      TransactionLimits limits,
      UUID database,
      LongToIntFunction checksums,
      TransactionCommits commits,
      FragmentCache cache,
      Runnable whenEnded) {
    this.records = records;
    this.pipeline = pipeline;
    this.store = store;
    this.limits = limits;
    this.database = database;
    this.checksums = checksums;
    this.commits = commits;
    this.cache = cache;
    this.whenEnded = whenEnded;
  }

  /** Begins with what the store has. Returns at once: who comes earlier is asked to come again. */
  void start() {
    // Both tasks end with their executors, and do not throw.
    submit(this::adoptAll);
    var unused =
        clock.scheduleWithFixedDelay(this::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
  }

  /** What is open, oldest first. */
  List<TransactionProgress> progress() {
    return open.values().stream()
        .map(TransactionState::progress)
        .sorted(Comparator.comparing(TransactionProgress::age).reversed())
        .toList();
  }

  private void check() {
    for (TransactionState each : open.values()) {
      if (each.isExpired()) {
        submit(() -> expire(each));
      }
    }
    if (++checks % CHECKS_PER_LOOK == 0) {
      submit(this::adoptAll);
      whenEnded.run(); // What was to be deleted then may not have been listed yet.
    }
  }

  private void submit(Runnable task) {
    try {
      work.execute(task);
    } catch (RejectedExecutionException e) {
      // The term is over.
    }
  }

  private void adoptAll() {
    try {
      for (UUID id : records.open()) {
        adopt(id);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "open transactions cannot be looked for: {0}", e.getMessage());
    }
  }

  /** One that cannot be adopted keeps no other from it. */
  private void adopt(UUID id) {
    try {
      TransactionState unused = find(id);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "{0} cannot be looked for: {1}", id, e.getMessage());
    }
  }

  /**
   * A transaction; null if it is not open. May block.
   *
   * @throws ShipmentException {@code REFUSED} if its record is damaged, by which it ends
   */
  private @Nullable TransactionState find(UUID id) throws IOException {
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
    if (found == null) {
      return null;
    }
    TransactionState adopted = open.computeIfAbsent(id, unused -> new TransactionState(found));
    if (store.endOf(id).isPresent()) { // It ended meanwhile.
      open.remove(id);
      return null;
    }
    return adopted;
  }

  /** Nobody could tell its base or its lease: nothing but its end can come of it. */
  private void endDamaged(UUID id, ObjectCorruptException damage) throws ShipmentException {
    LOG.log(Level.WARNING, "transaction {0} is ended: {1}", id, damage.getMessage());
    LoggedTransaction unknown =
        new LoggedTransaction(id, pipeline.newestStored(), OWNER_UNKNOWN, null);
    var unused = pipeline.end(SnapshotKind.EXPIRED, unknown).thenRun(whenEnded);
  }

  /** Whether it is open here. Does not block. */
  boolean isOpen(UUID id) {
    return open.containsKey(id);
  }

  // Fragments.

  /**
   * Fails if a cargo must not be received: its transaction is not open, or the token is another
   * one. On event loops.
   */
  void require(ShipmentHeader header, FragmentOf fragment) throws ShipmentException {
    requireToken(fragment.transaction(), fragment.token());
    TransactionState transaction = open.get(fragment.transaction());
    if (transaction == null) {
      requireNotEnded(fragment.transaction());
      if (looked.size() < MAX_WAITING && looked.add(fragment.transaction())) {
        submit(() -> look(fragment.transaction()));
      }
      throw new ShipmentException(
          Fault.BUSY,
          "transaction %s is being looked for: send the fragment again"
              .formatted(fragment.transaction()));
    }
    OpenTransaction record = transaction.record;
    if (header.baseSnapshot() != record.base()) {
      throw new ShipmentException(
          Fault.REJECTED,
          format(
              "a fragment was made on snapshot %d, and its transaction %s on %d",
              header.baseSnapshot(), record.id(), record.base()));
    }
    if (transaction.isEnding()) {
      throw refused(record.id(), "is being ended, and takes no more fragments");
    }
    requireRoom(transaction);
  }

  private void requireRoom(TransactionState transaction) throws ShipmentException {
    if (transaction.fragmentCount() >= MAX_STORED_FRAGMENTS) {
      throw refused(
          transaction.record.id(),
          format("has %,d fragments already, as many as it may have", MAX_STORED_FRAGMENTS));
    }
    long stored = open.values().stream().mapToLong(TransactionState::storedBytes).sum();
    if (stored >= limits.maxStoredBytes()) {
      throw new ShipmentException(
          Fault.BUSY,
          format(
              "the fragments of open transactions take %,d bytes in the store, the limit is %,d",
              stored, limits.maxStoredBytes()));
    }
  }

  private void look(UUID id) {
    try {
      looked.remove(id);
      if (find(id) == null) {
        boolean unused = unknown.add(id);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "transaction {0} cannot be looked for: {1}", id, e.getMessage());
    }
  }

  private void requireNotEnded(UUID id) throws ShipmentException {
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

  private static ShipmentException refused(UUID id, String why) {
    return new ShipmentException(Fault.REFUSED, "transaction %s %s".formatted(id, why));
  }

  private static ShipmentException notOpen(UUID id) {
    return refused(id, "is not known: it was never begun here, or has ended long ago");
  }

  /** Also of one that has ended, or was never begun. */
  private static void requireToken(UUID transaction, Token token) throws ShipmentException {
    if (!token.transaction().equals(transaction)) {
      throw refused(transaction, "has another token");
    }
  }

  /**
   * Records a fragment once its data is durable. Does not block.
   *
   * @return completes with {@link ControlFrame#PREPARED}
   */
  CompletableFuture<Long> prepare(RecordedCargo<SnapshotRecording> received) {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    var unused =
        received
            .recording()
            .stored()
            .whenComplete(
                (contents, failure) -> {
                  if (contents == null) {
                    answer.completeExceptionally(failure);
                    return;
                  }
                  try {
                    work.execute(() -> prepare(received, contents, answer));
                  } catch (RejectedExecutionException e) {
                    answer.completeExceptionally(over());
                  }
                });
    return answer;
  }

  private static ShipmentException over() {
    return new ShipmentException(Fault.CANCELLED, "this transactor is no longer the primary");
  }

  private void prepare(
      RecordedCargo<SnapshotRecording> received,
      SnapshotContents contents,
      CompletableFuture<Long> answer) {
    try {
      record(received, contents);
      answer.complete(ControlFrame.PREPARED);
    } catch (IOException | RuntimeException | Error e) {
      fail(answer, "the fragment cannot be recorded: ", e);
    }
  }

  /** Whether a request took effect is unknown if the store failed. */
  private static void fail(CompletableFuture<?> answer, String what, Throwable failure) {
    if (failure instanceof IOException io && !(io instanceof ShipmentException)) {
      answer.completeExceptionally(
          new ShipmentException(Fault.CANCELLED, what + io.getMessage(), io)
              .withOutcome(Outcome.UNKNOWN));
      return;
    }
    if (!(failure instanceof ShipmentException)) {
      FatalErrors.report(failure);
    }
    answer.completeExceptionally(failure);
  }

  private void record(RecordedCargo<SnapshotRecording> received, SnapshotContents contents)
      throws IOException {
    FragmentOf of = received.header().options().fragment();
    TransactionState transaction = of == null ? null : open.get(of.transaction());
    if (of == null || transaction == null || transaction.isEnding()) {
      received.recording().discard();
      throw of == null ? over() : refused(of.transaction(), "has ended, or is being ended");
    }
    ChangeCargo cargo = received.cargo();
    Fragment own = new Fragment(of.transaction(), contents, MemorySize.ofInserted(cargo));
    Fragment first = records.add(own);
    boolean isOwn = first.cargo().data().key().equals(contents.data().key());
    if (!isOwn) {
      received.recording().discard();
    }
    if (!first.cargo().seal().equals(contents.seal())) {
      throw refused(
          of.transaction(),
          format(
              "has a fragment %s already, with %s and not %s: give each attempt an id of its own",
              first.id(), first.cargo().seal(), contents.seal()));
    }
    transaction.add(first);
    cache.offer(of.transaction(), cargo);
    if (!open.containsKey(of.transaction())) { // It ended meanwhile: what it left is deleted.
      cache.drop(of.transaction());
      throw refused(of.transaction(), "has ended");
    }
  }

  // Requests.

  /** Answers a request. On event loops. */
  CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      answer.completeExceptionally(
          new ShipmentException(
              Fault.BUSY,
              format(
                  "%,d requests for transactions wait already, as many as may: ask again",
                  MAX_WAITING)));
      return answer;
    }
    asked.add(answer);
    var unused = answer.whenComplete((settled, failure) -> asked.removeIf(Future::isDone));
    try {
      work.execute(
          () -> {
            waiting.decrementAndGet();
            answer(request, answer);
          });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(over());
    }
    return answer;
  }

  private void answer(TransactionRequest request, CompletableFuture<TransactionAnswer> answer) {
    try {
      if (request instanceof TransactionRequest.Begin begin) {
        answer.complete(begin(begin));
      } else if (request instanceof TransactionRequest.Renew renew) {
        answer.complete(renew(renew));
      } else if (request instanceof TransactionRequest.Abort abort) {
        end(abort, abort.token(), answer);
      } else if (request instanceof TransactionRequest.Commit commit) {
        end(commit, commit.token(), answer);
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(answer, "the store cannot be used now: ", e);
    }
  }

  private TransactionAnswer begin(TransactionRequest.Begin begin) throws IOException {
    long newest = pipeline.newestStored();
    long base = begin.base() == TransactionRequest.Begin.NEWEST ? newest : begin.base();
    if (base > newest || base < store.oldestBase()) {
      throw new ShipmentException(
          Fault.REJECTED,
          format(
              "no transaction can be made on snapshot %d: %d to %d are known",
              base, store.oldestBase(), newest));
    }
    Duration lease =
        begin.lease().compareTo(limits.maxLease()) > 0 ? limits.maxLease() : begin.lease();
    lease = lease.compareTo(TransactionLimits.MIN_LEASE) < 0 ? TransactionLimits.MIN_LEASE : lease;
    int checksum = checksums.applyAsInt(base);
    TransactionState begun =
        new TransactionState(
            new OpenTransaction(
                begin.transaction(),
                base,
                checksum,
                begin.worker(),
                lease));
    add(begun);
    boolean recorded = false;
    try {
      records.open(begun.record);
      recorded = true;
    } catch (ObjectExistsException e) {
      throw refused(begin.transaction(), "exists: begin another one");
    } finally {
      if (!recorded) {
        open.remove(begin.transaction(), begun);
      }
    }
    return new TransactionAnswer.Opened(database, base, checksum, lease);
  }

  /** Within the limits. */
  private synchronized void add(TransactionState begun) throws ShipmentException {
    UUID id = begun.record.id();
    requireNotEnded(id);
    String owner = begun.record.owner();
    long own = open.values().stream().filter(each -> each.record.owner().equals(owner)).count();
    if (open.size() >= limits.maxOpen() || own >= limits.maxOpenOfOne()) {
      throw new ShipmentException(
          Fault.BUSY,
          format(
              "%,d transactions are open, %,d of '%s'; at most %,d may be, and %,d of one",
              open.size(), own, owner, limits.maxOpen(), limits.maxOpenOfOne()));
    }
    if (open.putIfAbsent(id, begun) != null) {
      throw refused(id, "exists: begin another one");
    }
  }

  private TransactionAnswer renew(TransactionRequest.Renew renew) throws IOException {
    requireToken(renew.transaction(), renew.token());
    TransactionState transaction = find(renew.transaction());
    if (transaction == null) {
      requireNotEnded(renew.transaction());
      throw notOpen(renew.transaction());
    }
    transaction.renew();
    return new TransactionAnswer.Renewed(
        transaction.record.lease(), transaction.record.base() < store.oldestBase());
  }

  /** A commit or an abort: whichever comes first decides, and is joined by those that repeat it. */
  private void end(
      TransactionRequest request, Token token, CompletableFuture<TransactionAnswer> answer)
      throws IOException {
    UUID id = request.transaction();
    requireToken(id, token);
    TransactionState transaction = find(id);
    if (transaction == null) {
      answerEnded(request, answer);
      return;
    }
    TransactionState.Ending own = new TransactionState.Ending(request, answer);
    TransactionState.Ending before = transaction.begin(own);
    if (before == null) {
      if (request instanceof TransactionRequest.Commit commit) {
        run(transaction, commits.run(transaction, commit), answer);
      } else {
        run(transaction, abort(transaction, SnapshotKind.ABORT), answer);
      }
    } else if (request.equals(before.request())) {
      pass(before.answer(), answer);
    } else {
      // Then it is decided.
      var unused = before.answer().whenComplete((settled, failure) -> pass(ask(request), answer));
    }
  }

  /** Answers when it is decided, and lets go of it if it has ended. */
  private void run(
      TransactionState transaction,
      CompletableFuture<TransactionAnswer> ending,
      CompletableFuture<TransactionAnswer> answer) {
    UUID id = transaction.record.id();
    var unused =
        ending.whenComplete(
            (settled, failure) -> {
              boolean ended = store.endOf(id).isPresent();
              if (ended) {
                open.remove(id, transaction);
                cache.drop(id);
              }
              transaction.decided(ended);
              if (settled == null) {
                answer.completeExceptionally(TransactionAnswer.cause(failure));
              } else {
                answer.complete(settled);
                whenEnded.run();
              }
            });
  }

  private static void pass(
      CompletableFuture<TransactionAnswer> from, CompletableFuture<TransactionAnswer> to) {
    var unused =
        from.whenComplete(
            (settled, failure) -> {
              if (settled == null) {
                to.completeExceptionally(TransactionAnswer.cause(failure));
              } else {
                to.complete(settled);
              }
            });
  }

  /** By the log, also of one that ended in an earlier term. */
  private void answerEnded(TransactionRequest request, CompletableFuture<TransactionAnswer> answer)
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
    pass(
        end.thenCompose(
            timestamp ->
                timestamp > 0
                    ? CompletableFuture.completedFuture(
                        new TransactionAnswer.Committed(timestamp, true))
                    : answerEndedWithout(request, -timestamp)),
        answer);
  }

  /** A commit may have ended so since another of its application's version was there before it. */
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

  private CompletableFuture<TransactionAnswer> abort(
      TransactionState transaction, SnapshotKind kind) {
    try {
      return pipeline
          .end(kind, transaction.logged())
          .thenApply(
              end ->
                  end > 0
                      ? new TransactionAnswer.Committed(end, true)
                      : new TransactionAnswer.Aborted());
    } catch (ShipmentException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Unless it was renewed while this waited for a thread, as requests do. */
  private void expire(TransactionState transaction) {
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    if (transaction.beginExpiry(new TransactionState.Ending(null, answer))) {
      OpenTransaction record = transaction.record;
      LOG.log(
          Level.WARNING,
          "transaction {0} of {1} has expired: nobody has renewed its lease of {2}",
          record.id(),
          record.owner(),
          record.lease());
      run(transaction, abort(transaction, SnapshotKind.EXPIRED), answer);
    }
  }

  /** Ends its threads; what they have begun fails with the term. */
  @Override
  public void close() {
    clock.shutdownNow();
    work.shutdown();
    commits.close();
    // What was being committed may be in the log.
    ShipmentException over = over().withOutcome(Outcome.UNKNOWN);
    asked.forEach(answer -> answer.completeExceptionally(over));
  }
}
