package io.drayage.receive;

import io.drayage.frame.ShipmentHeader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Admits waiting transactions by turns, so that small ones do not starve a large one, and a worker
 * that ships a lot does not starve others. No thread waits here: the worker of a transaction that
 * is not admitted asks again, and the transaction keeps its place by its id.
 *
 * <p>Turns alternate between {@linkplain Party parties}, and each party is served in FIFO order.
 * Others may overtake a transaction until it has waited for {@link #PATIENCE}. Then nobody
 * overtakes it while its last request is not older than {@link #ABSENT_AFTER}. An admitted party
 * that holds resources does not overtake a party that holds none. Nothing is kept for a party that
 * does not wait. Thread-safe.
 */
final class AdmissionQueue {
  /** The time in which others may overtake. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /**
   * The time without a request after which no place is kept free for a transaction. It is several
   * pauses of a worker, so the worker may be gone. The transaction keeps its turn.
   */
  static final Duration ABSENT_AFTER = Duration.ofSeconds(1);

  /** The time without a request after which a transaction loses its turn. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(4);

  /** Maximum number of waiting transactions. A further one is refused, and gets no place. */
  static final int MAX_WAITING = 1_024;

  private final LongSupplier clockNs;
  private final Supplier<Set<Party>> holders;

  /** The waiting transactions in the order of arrival. Guarded by this. */
  private final Map<UUID, Waiter> line = new LinkedHashMap<>();

  /** A turn not greater than that of any waiting transaction. Guarded by this. */
  private long turn;

  /**
   * The unit that takes turns: a worker's ordinary commits, or its fragments of transactions of
   * several workers. They are separate so that a commit does not wait until all fragments are sent.
   */
  record Party(String worker, boolean fragments) {
    static Party of(ShipmentHeader header) {
      return new Party(header.worker(), header.options().fragment() != null);
    }
  }

  /**
   * A waiting transaction.
   *
   * @param turn the lowest turn is next; of equal turns, the first arrival
   */
  record Waiter(UUID transactionId, Party party, long turn, long sinceNs, long askedNs) {}

  /**
   * @param holders the parties that have been admitted with a transaction that is not over
   */
  AdmissionQueue(LongSupplier clockNs, Supplier<Set<Party>> holders) {
    this.clockNs = clockNs;
    this.holders = holders;
  }

  /**
   * Admits a transaction, if it is its turn and there is room.
   *
   * @param party the party of the transaction
   * @param free number of transactions that may be admitted now, as far as is known; 1 if their
   *     sizes differ, so that room for a large one can accumulate
   * @param tryEnter acquires the resources of the transaction, if available; does not block
   */
  synchronized boolean admits(UUID transactionId, Party party, int free, BooleanSupplier tryEnter) {
    long nowNs = clockNs.getAsLong();
    forget(nowNs);
    if (line.isEmpty() && free > 0 && tryEnter.getAsBoolean()) {
      return true; // Turns only order those that wait.
    }
    Set<Party> holding = holders.get();
    Waiter before = line.get(transactionId);
    Waiter waiter =
        new Waiter(
            transactionId,
            party,
            before == null ? nextTurn(party, holding) : before.turn,
            before == null ? nowNs : before.sinceNs,
            nowNs);
    if (ahead(waiter, holding, nowNs) < free && tryEnter.getAsBoolean()) {
      line.remove(transactionId);
      long first = line.values().stream().mapToLong(Waiter::turn).min().orElse(waiter.turn);
      turn = Math.max(turn, Math.min(waiter.turn, first));
      return true;
    }
    if (before != null || line.size() < MAX_WAITING) {
      line.put(transactionId, waiter); // Its place is that of its first attempt.
    }
    return false;
  }

  /**
   * Returns the turn of a new transaction: two turns after its party's previous one, so that each
   * other party has one in between. A party that holds nothing comes before parties that do.
   */
  private long nextTurn(Party party, Set<Party> holding) {
    return line.values().stream()
        .filter(waiter -> waiter.party.equals(party))
        .mapToLong(waiter -> waiter.turn + 2)
        .max()
        .orElse(turn + (holding.contains(party) ? 2 : 1));
  }

  /** Number of transactions to admit before this one. There is always a transaction with 0. */
  private long ahead(Waiter waiter, Set<Party> holding, long nowNs) {
    boolean holds = holding.contains(waiter.party);
    boolean isEarlier = true;
    long ahead = 0;
    for (Waiter other : line.values()) {
      if (other.transactionId.equals(waiter.transactionId)) {
        isEarlier = false;
      } else if (!isAbsent(other, nowNs)
          && (other.turn < waiter.turn || (other.turn == waiter.turn && isEarlier))) {
        boolean hasWaited = nowNs - other.sinceNs > PATIENCE.toNanos();
        ahead += hasWaited || (holds && !holding.contains(other.party)) ? 1 : 0;
      }
    }
    return ahead;
  }

  private static boolean isAbsent(Waiter waiter, long nowNs) {
    return nowNs - waiter.askedNs > ABSENT_AFTER.toNanos();
  }

  private void forget(long nowNs) {
    line.values().removeIf(waiter -> nowNs - waiter.askedNs > FORGOTTEN_AFTER.toNanos());
  }

  /** Returns the waiting transactions in the order of arrival. */
  synchronized List<Waiter> waiting() {
    forget(clockNs.getAsLong());
    return List.copyOf(line.values());
  }
}
