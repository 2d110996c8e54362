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
 * A committer that applies each transaction once, however often it is sent: it knows the
 * transactions that another committer has committed or is committing, and answers a repeated one as
 * the first was answered, without calling that committer again. A {@link CargoReceiver} puts one
 * before every {@link CargoCommitter} unless {@linkplain CargoReceiver.Builder#withoutLedger told
 * not to}. Thread-safe: several receivers of one database share one ledger.
 *
 * <ul>
 *   <li>A transaction is its id alone. Who gives two cargoes the same id has one of them applied.
 *   <li>A repeat that comes while the first is being committed waits for it, and gets its answer or
 *       its failure. A commit that failed is forgotten, so that a further repeat is committed anew:
 *       as {@link CargoCommitter#commit} demands, it has applied nothing.
 *   <li>The answer is as durable as the first shipment wanted it, also for a repeat that wants
 *       more.
 *   <li>It remembers the latest {@link #DEFAULT_TRANSACTIONS} that were committed, in about 120
 *       bytes each, for as long as it lives. What is older, or was committed by an earlier process,
 *       is applied again if it is repeated. A database that must not do that stores the id of a
 *       transaction together with its changes and looks it up itself, as {@code drayage-node} does.
 * </ul>
 */
public final class TransactionLedger implements CargoCommitter<ShipmentRecording> {
  /** How many committed transactions are remembered by default. */
  public static final int DEFAULT_TRANSACTIONS = 100_000;

  private final CargoCommitter<ShipmentRecording> committer;
  private final int maxTransactions;

  /** These two are guarded by this. */
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

  /** One before {@code committer}, with {@link #DEFAULT_TRANSACTIONS}; itself if it is one. */
  public static TransactionLedger around(CargoCommitter<ShipmentRecording> committer) {
    return committer instanceof TransactionLedger ledger
        ? ledger
        : around(committer, DEFAULT_TRANSACTIONS);
  }

  /**
   * One before {@code committer}.
   *
   * @param maxTransactions how many committed transactions it remembers
   * @throws IllegalArgumentException if that is less than 1
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
              committer.commit(cargo), "the committer returned no future, but null");
    } catch (Throwable e) {
      end(transactionId, null);
      answer.completeExceptionally(e);
      throw e;
    }
    // Its failure is an argument of the answer.
    CompletableFuture<Long> unused =
        made.whenComplete((timestamp, failure) -> end(transactionId, answer, timestamp, failure));
    return answer.copy();
  }

  /** The answer of a transaction that is committed or under way; null of any other. */
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
    end(transactionId, timestamp); // Before anybody is told, who may then send it again.
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

  /** What the committer did not foresee is logged for the shipment that called it. */
  private static ShipmentException ofRepeated(Throwable failure) {
    Throwable cause = unwrapped(failure);
    return cause instanceof ShipmentException named
        ? named
        : new ShipmentException(Fault.INTERNAL, "the commit failed: %s".formatted(cause), cause)
            .withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  /** The failure itself, where a future has wrapped it. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
