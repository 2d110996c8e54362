package io.drayage.receive;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A committer that applies each transaction once, however often it is sent. The ledger knows the
 * transactions that another committer has committed or is committing. A repeated transaction gets
 * the answer of the first, and the other committer is not called again. A {@link CargoReceiver}
 * puts a ledger before every {@link CargoCommitter}, unless it is built {@linkplain
 * CargoReceiver.Builder#withoutLedger without one}. Thread-safe: several receivers of one database
 * share one ledger.
 *
 * <ul>
 *   <li>Only the id identifies a transaction. Of two cargoes with the same id, one is applied.
 *   <li>A repeat that arrives while the first is being committed waits, and gets the first one's
 *       answer or failure. A failed commit is forgotten, so that a further repeat is committed
 *       anew: {@link CargoCommitter#commit} demands that a failed commit has applied nothing.
 *   <li>The durability of the answer is that of the first shipment, also if a repeat wants more.
 *   <li>A ledger remembers the latest {@link #DEFAULT_TRANSACTIONS} committed transactions while it
 *       lives, in about 120 bytes each. A repeat of an older transaction, or of an earlier
 *       process's transaction, is applied again. To prevent that, a database stores the id of a
 *       transaction together with its changes and looks it up itself, as {@code drayage-node} does.
 * </ul>
 */
public final class TransactionLedger implements CargoCommitter<ShipmentRecording> {
  /** Number of committed transactions that are remembered by default. */
  public static final int DEFAULT_TRANSACTIONS = 100_000;

  private final CargoCommitter<ShipmentRecording> committer;
  private final int maxTransactions;

  /** Both are guarded by this. */
  private final Map<UUID, CompletableFuture<Long>> underWay = new HashMap<>();

  private final Map<UUID, Long> committedOldestFirst = new LinkedHashMap<>();

  private TransactionLedger(CargoCommitter<ShipmentRecording> committer, int maxTransactions) {
    if (maxTransactions < 1) {
      throw new IllegalArgumentException(
          format("a ledger must remember at least 1 transaction, not %,d", maxTransactions));
    }
    this.committer = committer;
    this.maxTransactions = maxTransactions;
  }

  /** Returns a ledger of {@link #DEFAULT_TRANSACTIONS}; {@code committer} itself if it is one. */
  public static TransactionLedger around(CargoCommitter<ShipmentRecording> committer) {
    return committer instanceof TransactionLedger ledger
        ? ledger
        : around(committer, DEFAULT_TRANSACTIONS);
  }

  /**
   * Returns a ledger before {@code committer}.
   *
   * @param maxTransactions number of committed transactions that the ledger remembers
   * @throws IllegalArgumentException if {@code maxTransactions} is less than 1
   */
  public static TransactionLedger around(
      CargoCommitter<ShipmentRecording> committer, int maxTransactions) {
    return new TransactionLedger(committer, maxTransactions);
  }

  @Override
  public void requireRoom(Manifest manifest) throws ShipmentException {
    boolean isKnown;
    synchronized (this) {
      isKnown = known(manifest.transactionId()) != null;
    }
    if (!isKnown) {
      committer.requireRoom(manifest);
    }
  }

  @Override
  public CompletableFuture<Long> commit(ReceivedCargo<ShipmentRecording> cargo)
      throws ShipmentException {
    UUID transactionId = cargo.header().transactionId();
    CompletableFuture<Long> answer = new CompletableFuture<>();
    CompletableFuture<Long> known;
    synchronized (this) {
      known = known(transactionId);
      if (known == null) {
        underWay.put(transactionId, answer);
      }
    }
    if (known != null) {
      return known.exceptionallyCompose(
          failure -> CompletableFuture.failedFuture(ofRepeated(failure)));
    }
    CompletableFuture<Long> made;
    try {
      made =
          Objects.requireNonNull(
              committer.commit(cargo), "the committer returned null, not a future");
    } catch (Throwable e) {
      end(transactionId, null);
      answer.completeExceptionally(e);
      throw e;
    }
    // The failure is an argument of the answer.
    CompletableFuture<Long> unused =
        made.whenComplete((timestamp, failure) -> end(transactionId, answer, timestamp, failure));
    return answer.copy();
  }

  /** Returns the answer of a transaction that is committed or being committed; otherwise null. */
  private @Nullable CompletableFuture<Long> known(UUID transactionId) {
    Long timestamp = committedOldestFirst.get(transactionId);
    return timestamp == null
        ? underWay.get(transactionId)
        : CompletableFuture.completedFuture(timestamp);
  }

  private void end(
      UUID transactionId,
      CompletableFuture<Long> answer,
      @Nullable Long timestamp,
      @Nullable Throwable failure) {
    end(transactionId, timestamp); // Before the answer: the transaction may be sent again then.
    if (failure == null) {
      answer.complete(timestamp);
    } else {
      answer.completeExceptionally(unwrapped(failure));
    }
  }

  private synchronized void end(UUID transactionId, @Nullable Long timestamp) {
    underWay.remove(transactionId);
    if (timestamp != null) {
      committedOldestFirst.put(transactionId, timestamp);
      if (committedOldestFirst.size() > maxTransactions) {
        Iterator<UUID> oldest = committedOldestFirst.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }
  }

  /** Returns the failure of a repeat. An unexpected failure is logged for the first shipment. */
  private static ShipmentException ofRepeated(Throwable failure) {
    Throwable cause = unwrapped(failure);
    return cause instanceof ShipmentException named
        ? named
        : new ShipmentException(Fault.INTERNAL, "the commit failed: %s".formatted(cause), cause)
            .withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /** Returns the failure itself, without a future's wrapper. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
