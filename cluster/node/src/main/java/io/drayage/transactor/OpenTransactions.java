package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.database.TransactionLimits;
import io.drayage.database.TransactionProgress;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.MemoryStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongToIntFunction;

/**
 * The transactions of several workers during a term as primary. Thread-safe; methods that are
 * called on event loops do not block.
 *
 * <p>All state that must outlive this term is in the store before a request is answered: as {@code
 * open/T} and {@code fragments/T/F}, or as an entry of the log. This object only has the state of
 * the store, and the times when leases were renewed. A new primary begins with the records that it
 * finds, and full leases. A transaction ends by an entry of the log, which also answers all later
 * requests.
 */
final class OpenTransactions implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(OpenTransactions.class.getName());
  private static final int THREADS = 8;

  /** Interval of the check for expired leases. Records are looked for each minute. */
  private static final long CHECK_MS = 1_000;

  private static final int CHECKS_PER_LOOK = 60;

  /** Limit of requests that wait for a thread, because a client needs no token to wait. */
  static final int MAX_WAITING = 1_000;

  private final TransactionRegistry registry;
  private final FragmentIntake fragments;
  private final TransactionCommitter pipeline;
  private final MemoryStore store;
  private final TransactionLimits limits;
  private final UUID database;
  private final LongToIntFunction checksums;
  private final FragmentCache cache;
  private final TransactionCommits commits;
  private final Runnable whenEnded;
  private final ExecutorService work =
      Executors.newFixedThreadPool(THREADS, new DaemonThreads("drayage-transaction"));
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("drayage-lease"));
  private final AtomicInteger waiting = new AtomicInteger();
  private int checks;

  /** The answers that a client waits for. The end of the term must complete all of them. */
  private final Queue<CompletableFuture<TransactionAnswer>> asked = new ConcurrentLinkedQueue<>();

  /**
   * @param database its id
   * @param checksums of the entries of the log, 0 if unknown; must not block
   * @param commits closed with this
   * @param whenEnded called when a transaction has ended, on any thread; must not block
   */
  public OpenTransactions(
      TransactionRecords records,
      TransactionCommitter pipeline,
      MemoryStore store,
      TransactionLimits limits,
      UUID database,
      LongToIntFunction checksums,
      TransactionCommits commits,
      FragmentCache cache,
      Runnable whenEnded) {
    this.registry = new TransactionRegistry(records, pipeline, store, limits, whenEnded);
    this.fragments = new FragmentIntake(registry, records, cache, limits.maxStoredBytes(), work);
    this.pipeline = pipeline;
    this.store = store;
    this.limits = limits;
    this.database = database;
    this.checksums = checksums;
    this.commits = commits;
    this.cache = cache;
    this.whenEnded = whenEnded;
  }

  /** Begins with the records in the store. Returns at once: earlier requests must be repeated. */
  public void start() {
    // Both tasks end with their executors, and do not throw.
    DaemonThreads.execute(work, registry::adoptAll);
    var unused =
        clock.scheduleWithFixedDelay(this::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
  }

  /** The open transactions, oldest first. */
  public List<TransactionProgress> progress() {
    return registry.all().stream()
        .map(each -> each.progress(cache.bytes(each.record.id())))
        .sorted(Comparator.comparing(TransactionProgress::age).reversed())
        .toList();
  }

  private void check() {
    for (TransactionState each : registry.all()) {
      if (each.isExpired()) {
        DaemonThreads.execute(work, () -> expire(each));
      }
    }
    if (++checks % CHECKS_PER_LOOK == 0) {
      DaemonThreads.execute(work, registry::adoptAll);
      whenEnded.run(); // An earlier run may not have listed all data of ended transactions yet.
    }
  }

  /** Whether it is ending or has ended: a request to end it begins nothing then. Never blocks. */
  public boolean isEnding(UUID id) {
    TransactionState transaction = registry.get(id);
    return transaction == null ? registry.hasEnded(id) : transaction.isEnding();
  }

  /** Receives the fragments of these transactions. */
  FragmentIntake fragments() {
    return fragments;
  }

  static ShipmentException over() {
    return new ShipmentException(Fault.CANCELLED, "this transactor is no longer the primary");
  }

  /** Fails an answer. If the store failed, it is unknown whether the request took effect. */
  static void fail(CompletableFuture<?> answer, String what, Throwable failure) {
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

  /** Answers a request. Called on event loops. */
  public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      answer.completeExceptionally(
          new ShipmentException(
              Fault.BUSY,
              format(
                  "%,d requests for transactions wait already, which is the limit: ask again",
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
              "no transaction can begin on snapshot %d: the known ones are %d to %d",
              base, store.oldestBase(), newest));
    }
    Duration lease =
        begin.lease().compareTo(limits.maxLease()) > 0 ? limits.maxLease() : begin.lease();
    lease = lease.compareTo(TransactionLimits.MIN_LEASE) < 0 ? TransactionLimits.MIN_LEASE : lease;
    int checksum = checksums.applyAsInt(base);
    registry.begin(new OpenTransaction(begin.transaction(), base, checksum, begin.worker(), lease));
    return new TransactionAnswer.Opened(database, base, checksum, lease);
  }

  private TransactionAnswer renew(TransactionRequest.Renew renew) throws IOException {
    TransactionRegistry.requireToken(renew.transaction(), renew.token());
    TransactionState transaction = registry.find(renew.transaction());
    if (transaction == null) {
      registry.requireNotEnded(renew.transaction());
      throw TransactionRegistry.notOpen(renew.transaction());
    }
    transaction.renew();
    return new TransactionAnswer.Renewed(
        transaction.record.lease(), transaction.record.base() < store.oldestBase());
  }

  /** Commits or aborts. The first request decides. Repeated requests get its answer. */
  private void end(
      TransactionRequest request, Token token, CompletableFuture<TransactionAnswer> answer)
      throws IOException {
    UUID id = request.transaction();
    TransactionRegistry.requireToken(id, token);
    TransactionState transaction = registry.find(id);
    if (transaction == null) {
      pass(registry.answerEnded(request), answer);
      return;
    }
    TransactionState.Ending own = new TransactionState.Ending(request, answer);
    TransactionState.Ending before = transaction.begin(own);
    if (before == null) {
      if (request instanceof TransactionRequest.Commit commit) {
        run(transaction, commits.run(transaction, commit), answer);
      } else {
        run(transaction, abort(new SnapshotKind.Abort(transaction.logged(null))), answer);
      }
    } else if (request.isSameAs(before.request())) {
      pass(before.answer(), answer);
    } else {
      // The request is repeated when the first one is decided.
      var unused = before.answer().whenComplete((settled, failure) -> pass(ask(request), answer));
    }
  }

  /** Answers when the end is decided, and forgets the transaction if it has ended. */
  private void run(
      TransactionState transaction,
      CompletableFuture<TransactionAnswer> ending,
      CompletableFuture<TransactionAnswer> answer) {
    UUID id = transaction.record.id();
    var unused =
        ending.whenComplete(
            (settled, failure) -> {
              boolean ended = registry.hasEnded(id);
              if (ended) {
                registry.remove(transaction);
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

  private CompletableFuture<TransactionAnswer> abort(SnapshotKind.End effectless) {
    try {
      return pipeline
          .end(effectless)
          .thenApply(
              end ->
                  end > 0
                      ? new TransactionAnswer.Committed(end, true)
                      : new TransactionAnswer.Aborted());
    } catch (ShipmentException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Ends an expired transaction, unless it was renewed while this task waited for a thread. */
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
      run(transaction, abort(new SnapshotKind.Expired(transaction.logged(null))), answer);
    }
  }

  /** Ends its threads. Tasks that they have begun fail with the term. */
  @Override
  public void close() {
    clock.shutdownNow();
    work.shutdown();
    commits.close();
    // A running commit may be in the log.
    ShipmentException over = over().withOutcome(Outcome.UNKNOWN);
    asked.forEach(answer -> answer.completeExceptionally(over));
  }
}
