package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Coordination;
import io.drayage.database.LogPosition;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.frame.TraceContext;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import io.drayage.send.CargoSender;
import io.drayage.trace.TraceSpan;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transaction with the changes of many workers, at its coordinator. The coordinator begins it,
 * keeps it open, and commits all of it or nothing. Closing it without a commit aborts it.
 * Thread-safe.
 *
 * <p>Workers get its {@link #handle}, send their changes by a {@link FragmentSender}, and return
 * the ids of their fragments. Only the fragments that the coordinator names take effect, in that
 * order. The fragments of a failed worker, or of a second attempt of a task, have no effect.
 *
 * <pre>{@code
 * try (var transaction = DistributedTransaction.begin(new Options("load"), cluster, connect)) {
 *   // transaction.handle(), serialized, to the worker processes; each answers with ids
 *   transaction.commit(fragments);
 * }
 *
 * // A worker, whose cargo is made on handle.base():
 * try (FragmentSender sender = new FragmentSender(handle, cluster, connect, patience)) {
 *   List<UUID> fragments = sender.send(cargo);
 * }
 * }</pre>
 */
public final class DistributedTransaction implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(DistributedTransaction.class.getName());

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RENEWALS_PER_LEASE = 3;

  /** Timeout of a commit. Until it answers, the transactor shows that it is alive. */
  private static final Duration LONGEST_COMMIT = Duration.ofHours(12);

  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

  private final TransactionHandle handle;
  private final Duration lease;
  private final PrimarySender sender;
  private final PrimaryRequests requests;
  private final Thread renewals;

  /** The span from the begin until it is closed. */
  private final TraceSpan whole;

  /** Guarded by this, as are the following fields. */
  private boolean closed;

  private boolean ended;

  /** Whether a commit has ended without an answer, and may still be running. */
  private boolean unsettled;

  /** The reason why it can no longer be committed; null if it can. */
  private @Nullable ShipmentException lost;

  /**
   * The options of a transaction.
   *
   * @param name of the coordinator; where workers prove their names, the proven name counts
   * @param database its id; null for any
   * @param base the snapshot on which changes are made; -1 for the newest
   * @param baseChecksum of the entry of the log that made the base; 0 for any
   * @param lease time that it stays open if the coordinator dies
   * @param patience how long to retry while no primary answers
   * @param longestWait how long to retry while the primary answers {@code BUSY}, such as in
   *     maintenance; this time does not count against the patience
   */
  public record Options(
      String name,
      @Nullable UUID database,
      long base,
      int baseChecksum,
      Duration lease,
      Duration patience,
      Duration longestWait) {
    /** Creates options for any database. */
    public Options(
        String name, long base, Duration lease, Duration patience, Duration longestWait) {
      this(name, null, base, 0, lease, patience, longestWait);
    }

    /** Creates options with {@link WorkerOptions#DEFAULT_LONGEST_WAIT}. */
    public Options(String name, long base, Duration lease, Duration patience) {
      this(name, base, lease, patience, WorkerOptions.DEFAULT_LONGEST_WAIT);
    }

    /** Creates options for the newest snapshot, with a lease and a patience of a minute. */
    public Options(String name) {
      this(name, TransactionRequest.Begin.NEWEST, Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    /**
     * Returns options on the snapshot that the changes were computed from. A transactor with
     * another entry there, or another database, refuses them.
     *
     * @param read an entry of the log; number -1 for the newest of its database
     */
    public Options on(LogPosition read) {
      return new Options(
          name, read.database(), read.timestamp(), read.checksum(), lease, patience, longestWait);
    }
  }

  /**
   * The options of a commit.
   *
   * @param acknowledgement when it counts as committed: not before it is stored, also with {@code
   *     APPLIED}
   * @param onConflict the reaction if others have changed the same since its base
   * @param serializable whether it is a conflict if others have inserted into a table since that it
   *     inserts into
   * @param app the number that the application gives it for its tables, so that it takes effect
   *     once even if it is run again as another transaction; null for none
   * @param madeUntil it is a conflict if it changes a table, without adding it, that was made after
   *     this snapshot: another one had its name when the changes were planned
   */
  public record How(
      Acknowledgement acknowledgement,
      OnConflict onConflict,
      boolean serializable,
      @Nullable AppVersion app,
      long madeUntil) {
    /** Options for tables that any snapshot made. */
    public How(
        Acknowledgement acknowledgement,
        OnConflict onConflict,
        boolean serializable,
        @Nullable AppVersion app) {
      this(acknowledgement, onConflict, serializable, app, TransactionRequest.Commit.ANY_TABLE);
    }

    /** Stored, rejected on conflicts, under snapshot isolation, without a number. */
    public static final How DEFAULT =
        new How(Acknowledgement.STORED, OnConflict.REJECT, false, null);
  }

  /**
   * The result of a commit.
   *
   * @param snapshot in which it took effect
   * @param exact false if the application has committed a later version for the same tables: then
   *     this one took effect in {@code snapshot} or an earlier one
   */
  public record Committed(long snapshot, boolean exact) {}

  private DistributedTransaction(
      TransactionHandle handle,
      Duration lease,
      PrimarySender sender,
      PrimaryRequests requests,
      TraceSpan whole) {
    this.whole = whole;
    this.handle = handle;
    this.lease = lease;
    this.sender = sender;
    this.requests = requests;
    this.renewals = new DaemonThreads("drayage-renew").newThread(this::renew);
  }

  /**
   * Begins a transaction.
   *
   * @param coordination owned by the caller
   * @param connect creates a sender to the primary at an address; closed by this
   * @throws ShipmentException if no primary begins one; names the reason
   * @throws IOException if the coordination cannot be used
   */
  public static DistributedTransaction begin(
      Options options, Coordination coordination, Function<InetSocketAddress, CargoSender> connect)
      throws IOException, InterruptedException {
    PrimarySender sender = new PrimarySender(coordination, connect);
    try (Begun begun = new Begun(sender::close)) {
      PrimaryRequests requests =
          new PrimaryRequests(sender, options.patience(), options.longestWait());
      // If an answer is lost, the lease ends the transaction that it began.
      DistributedTransaction transaction =
          requests.untilAnswered(
              "the begin of a transaction", () -> begin(options, sender, requests));
      transaction.renewals.start();
      return begun.keep(transaction);
    }
  }

  private static DistributedTransaction begin(
      Options options, PrimarySender sender, PrimaryRequests requests)
      throws IOException, InterruptedException {
    Token token = Token.random(RANDOM);
    UUID id = token.transaction();
    long beganNs = System.nanoTime();
    TransactionAnswer answer =
        sender.ask(
            new TransactionRequest.Begin(
                id,
                options.database(),
                options.base(),
                options.baseChecksum(),
                options.lease(),
                options.name()),
            LONGEST_ANSWER);
    if (answer instanceof TransactionAnswer.Opened opened) {
      TraceSpan whole = TraceSpan.begin("drayage.transaction", beganNs);
      whole.put("drayage.transaction", id.toString());
      whole.phase("begin", beganNs, System.nanoTime());
      TransactionHandle handle = TransactionHandle.of(token, opened, whole.context());
      return new DistributedTransaction(handle, opened.lease(), sender, requests, whole);
    }
    throw unexpected(id, answer);
  }

  private static ShipmentException unexpected(UUID id, TransactionAnswer answer) {
    return new ShipmentException(
        Fault.PROTOCOL_VIOLATION,
        "the transactor answered %s to a request for transaction %s".formatted(answer, id));
  }

  /** The handle for its workers. */
  public TransactionHandle handle() {
    return handle;
  }

  /** The snapshot on which all changes must be made. */
  public long base() {
    return handle.base();
  }

  /**
   * Fails if the last renewal showed that it can no longer be committed: its base is too old, or it
   * has ended.
   */
  public synchronized void requireAlive() throws ShipmentException {
    if (lost != null) {
      throw lost.again();
    }
  }

  private void renew() {
    long periodNs = lease.toNanos() / RENEWALS_PER_LEASE;
    Waits.orInterrupted(
        () -> {
          while (awaitNext(periodNs)) {
            renewOnce();
          }
        });
  }

  private synchronized boolean awaitNext(long periodNs) throws InterruptedException {
    Waits.until(this, System.nanoTime() + periodNs, () -> closed || ended);
    return !closed && !ended;
  }

  private void renewOnce() throws InterruptedException {
    try {
      TransactionAnswer answer =
          sender.ask(
              new TransactionRequest.Renew(handle.transaction(), handle.token()), LONGEST_ANSWER);
      if (answer instanceof TransactionAnswer.Renewed renewed && renewed.baseLost()) {
        lose(
            new ShipmentException(
                Fault.CONFLICT,
                format(
                    "snapshot %d, the base of transaction %s, is too old to commit on",
                    handle.base(), handle.transaction())));
      }
    } catch (ShipmentException e) {
      if (!e.fault().isTransient()) {
        lose(e);
      }
      LOG.log(Level.DEBUG, "{0} is not renewed: {1}", handle, e.getMessage());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "{0} is not renewed: {1}", handle, e.getMessage());
    }
  }

  private synchronized void lose(ShipmentException cause) {
    lost = lost == null ? cause : lost;
  }

  /** Commits as {@link #commit(List, How)} with {@link How#DEFAULT}. */
  public Committed commit(List<UUID> fragments) throws IOException, InterruptedException {
    return commit(fragments, How.DEFAULT);
  }

  /**
   * Commits all named fragments or none. Other fragments have no effect.
   *
   * @param fragments in the order in which they are applied; inserted rows are numbered in it
   * @throws ShipmentException if it is not committed, with the outcome of all attempts together:
   *     {@code CONFLICT}, {@code REJECTED} or {@code FULL} if the database rejected it. {@linkplain
   *     ShipmentException.Outcome#UNKNOWN Unknown} if the patience is over, or the thread was
   *     interrupted ({@code CANCELLED}, with its interrupt status set). Then repeat the call with
   *     the same fragments
   * @throws InterruptedException if the thread was interrupted before anything could take effect
   */
  public Committed commit(List<UUID> fragments, How how) throws IOException, InterruptedException {
    TraceSpan span = TraceSpan.within(handle.trace(), "drayage.commit", System.nanoTime());
    span.put("drayage.transaction", handle.transaction().toString());
    span.put("drayage.fragments", fragments.size());
    try {
      Committed committed = ask(fragments, how, span.context());
      span.put("drayage.snapshot", committed.snapshot());
      span.end(null);
      return committed;
    } catch (Throwable e) {
      noteUnsettled(e);
      span.end(e);
      throw e;
    }
  }

  private synchronized void noteUnsettled(Throwable end) {
    unsettled |=
        end instanceof ShipmentException failure
            && failure.outcome() == ShipmentException.Outcome.UNKNOWN;
  }

  private Committed ask(List<UUID> fragments, How how, @Nullable TraceContext trace)
      throws IOException, InterruptedException {
    TransactionRequest.Commit commit =
        new TransactionRequest.Commit(
            handle.transaction(),
            handle.token(),
            how.acknowledgement(),
            how.onConflict(),
            how.serializable(),
            how.app(),
            how.madeUntil(),
            fragments,
            trace);
    TransactionAnswer answer =
        requests.untilCommitted(
            handle.transaction(), () -> askForCommit(commit), committed -> null);
    if (answer instanceof TransactionAnswer.Committed committed) {
      end();
      return new Committed(committed.timestamp(), committed.exact());
    }
    throw unexpected(handle.transaction(), answer);
  }

  private TransactionAnswer askForCommit(TransactionRequest.Commit commit)
      throws IOException, InterruptedException {
    if (Thread.interrupted()) { // Checked before the request is sent.
      throw new InterruptedException();
    }
    try {
      return sender.ask(commit, LONGEST_COMMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "interrupted", e)
          .withOutcome(ShipmentException.Outcome.UNKNOWN);
    }
  }

  /**
   * Ends it without effect, unless it is committed.
   *
   * @return the commit; null if it has no effect
   * @throws ShipmentException if the end is unknown now: then its lease ends it
   */
  public @Nullable Committed abort() throws IOException, InterruptedException {
    TransactionAnswer answer =
        requests.untilAnswered(
            "the abort of transaction " + handle.transaction(),
            () ->
                sender.ask(
                    new TransactionRequest.Abort(handle.transaction(), handle.token()),
                    LONGEST_ANSWER));
    end();
    return answer instanceof TransactionAnswer.Committed committed
        ? new Committed(committed.timestamp(), committed.exact())
        : null;
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /**
   * Aborts it unless it has ended, also on an interrupted thread, whose interrupt status is kept.
   * On an interrupted thread it does not abort while a commit may be running, which could take
   * long. If the transactor cannot be reached, the lease ends the transaction.
   */
  @Override
  public void close() {
    boolean interrupted;
    boolean aborts;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      interrupted = Thread.interrupted(); // An interrupted thread could not send the request.
      aborts = !ended && !(interrupted && unsettled);
      notifyAll();
    }
    try {
      if (aborts) {
        TransactionAnswer unused =
            sender.ask(
                new TransactionRequest.Abort(handle.transaction(), handle.token()), LONGEST_ANSWER);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "{0} is left to expire: {1}", handle, e.getMessage());
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      sender.close();
      whole.end(null);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
