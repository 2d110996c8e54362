package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Maintenance;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.frame.Fault;
import io.drayage.frame.FragmentOf;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoReceiver;
import io.drayage.trace.TraceSpan;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Passes shipments from the transport to the receiver of the current term as primary. The transport
 * listens during the whole life of the node. Outside of a term all shipments are refused. In
 * maintenance only those of committed or running transactions are answered. Thread-safe.
 */
final class TermAcceptor implements ShipmentAcceptor {
  private final Function<UUID, OptionalLong> committed;
  private final UUID database;
  private final LongToIntFunction checksums;
  private final StoreCheck store;
  private final DrayageMetrics metrics;
  private final NodeEvents events;
  private volatile @Nullable CargoReceiver receiver;

  /** Set and unset together with {@link #receiver}. */
  private volatile @Nullable OpenTransactions transactions;

  /** The last elected node that this node knows: event loops must not query the cluster. */
  private volatile @Nullable PrimaryInfo elected;

  private volatile Maintenance maintenance = Maintenance.NEVER;

  /** A check whether the store can be written. */
  interface StoreCheck {
    /** Fails with {@code BUSY} if the store cannot be written for now. Must not block. */
    void require() throws ShipmentException;
  }

  /**
   * @param committed returns the timestamp of a committed transaction; must not block. Called each
   *     time, because the replica of a standby that fell far behind begins with a new store
   * @param database its id; cargoes for another database are refused
   * @param checksums of the entries of its log, by timestamp, 0 if unknown; cargoes made on another
   *     entry are refused. Must not block
   * @param store nothing is received while it cannot be written
   * @param metrics count the shipments that are refused here
   * @param events gets shipments and requests that are refused, or fail later
   */
  TermAcceptor(
      Function<UUID, OptionalLong> committed,
      UUID database,
      LongToIntFunction checksums,
      StoreCheck store,
      DrayageMetrics metrics,
      NodeEvents events) {
    this.committed = committed;
    this.database = database;
    this.checksums = checksums;
    this.store = store;
    this.metrics = metrics;
    this.events = events;
  }

  /** Sets the node to which shipments may be sent. */
  void elected(PrimaryInfo primary) {
    elected = primary;
  }

  void begin(CargoReceiver termReceiver, @Nullable OpenTransactions ofTerm) {
    transactions = ofTerm;
    receiver = termReceiver;
  }

  /** Notes a change of maintenance, unless a later one is known. */
  synchronized void maintain(Maintenance change) {
    if (change.change() > maintenance.change()) {
      maintenance = change;
    }
  }

  Maintenance maintenance() {
    return maintenance;
  }

  /** Accepts no more shipments; those in progress continue. */
  void refuse() {
    receiver = null;
    transactions = null;
  }

  /** The answer outside of a term. The shipment may be sent to the next primary. */
  ShipmentException refusal() {
    PrimaryInfo primary = elected;
    String who =
        primary == null
            ? "none is known"
            : "%s at %s is".formatted(primary.node().name(), primary.node().address());
    return new ShipmentException(Fault.CANCELLED, "this transactor is not the primary now: " + who);
  }

  private ShipmentException counted(ShipmentException refused) {
    metrics.addFailed(refused.fault());
    return refused;
  }

  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    long beganNs = System.nanoTime();
    ShipmentAcceptor admission = this::admit;
    return admission.accept(
        header,
        replies,
        cause -> {
          events.addRefusal(header.worker(), cause.fault(), cause.getMessage());
          if (header.trace() != null) {
            // A published commit records its own trace.
            TraceSpan.ofTransactor(header, beganNs).end(cause);
          }
        });
  }

  private ShipmentHandler admit(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    requireBase(
        header.options().database(),
        header.baseSnapshot(),
        header.options().baseChecksum(),
        "cargo");
    CargoReceiver current = receiver;
    if (current == null) {
      throw counted(refusal());
    }
    FragmentOf fragment = header.options().fragment();
    if (fragment != null) {
      return admit(header, fragment, replies, current);
    }
    UUID id = header.transactionId();
    requireOfOne(id);
    try {
      requireNoMaintenance(Fault.REFUSED);
      store.require();
    } catch (ShipmentException e) {
      // The order matters: a shipment that ended in between is committed by now, or never will be.
      if (!current.isUnderWay(id) && committed.apply(id).isEmpty()) {
        throw counted(e);
      }
    }
    return current.accept(header, replies);
  }

  /** Otherwise a transaction of several workers could be ended by its id, without its token. */
  private void requireOfOne(UUID id) throws ShipmentException {
    if (Token.isTransaction(id)) {
      throw counted(
          new ShipmentException(
              Fault.REJECTED,
              "transaction %s is one of several workers: only its coordinator commits it"
                  .formatted(id)));
    }
  }

  /** Admits a fragment. In maintenance it waits, as the commit does: its transaction exists. */
  private ShipmentHandler admit(
      ShipmentHeader header, FragmentOf fragment, ShipmentReplies replies, CargoReceiver current)
      throws ShipmentException {
    OpenTransactions open = transactions;
    try {
      if (open == null) {
        throw refusal();
      }
      requireNoMaintenance(Fault.BUSY);
      open.fragments().require(header, fragment);
      store.require();
    } catch (ShipmentException e) {
      throw counted(e);
    }
    return current.accept(header, replies);
  }

  private void requireNoMaintenance(Fault fault) throws ShipmentException {
    Maintenance now = maintenance;
    if (now.isOn()) {
      throw new ShipmentException(fault, now.toString());
    }
  }

  @Override
  public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    CompletableFuture<TransactionAnswer> answer = answer(request);
    var unused =
        answer.whenComplete(
            (settled, failure) -> {
              if (settled == null
                  && TransactionAnswer.cause(failure) instanceof ShipmentException refused) {
                events.addRefusal(
                    "transaction " + request.transaction(), refused.fault(), refused.getMessage());
              }
            });
    return answer;
  }

  private CompletableFuture<TransactionAnswer> answer(TransactionRequest request) {
    OpenTransactions open = transactions;
    try {
      if (open == null) {
        throw refusal();
      }
      if (request instanceof TransactionRequest.Begin begin) {
        requireOfSeveral(begin.transaction());
        requireBase(begin.database(), begin.base(), begin.baseChecksum(), "transaction");
        requireNoMaintenance(Fault.REFUSED);
        store.require();
      } else if (request instanceof TransactionRequest.Commit
          && !open.isEnding(request.transaction())) {
        requireNoMaintenance(Fault.BUSY);
        store.require();
      }
    } catch (ShipmentException e) {
      return CompletableFuture.failedFuture(e);
    }
    return open.ask(request);
  }

  /** Otherwise the id could be that of a transaction of one worker. */
  private static void requireOfSeveral(UUID id) throws ShipmentException {
    if (!Token.isTransaction(id)) {
      throw new ShipmentException(
          Fault.REJECTED,
          "transaction %s cannot be one of several workers: its id would be a UUID of version 8"
              .formatted(id));
    }
  }

  /**
   * Refuses a cargo or transaction that was made on another database or history.
   *
   * @param meant the database; null for any
   * @param checksum of the entry of the base where it was read; 0 if unknown
   * @param what the refused thing, for messages
   */
  private void requireBase(@Nullable UUID meant, long base, int checksum, String what)
      throws ShipmentException {
    if (meant != null && !meant.equals(database)) {
      throw counted(
          new ShipmentException(
              Fault.REFUSED,
              "the %s is for database %s, and this transactor has database %s"
                  .formatted(what, meant, database)));
    }
    int here = checksum == 0 ? 0 : checksums.applyAsInt(base);
    if (here != 0 && checksum != here) {
      throw counted(
          new ShipmentException(
              Fault.REFUSED,
              format(
                  "the %s is for another history of database %s: it was made on snapshot %d with"
                      + " checksum %08x, which has %08x here; one of the two is a copy that went"
                      + " its own way",
                  what, database, base, checksum, here)));
    }
  }
}
