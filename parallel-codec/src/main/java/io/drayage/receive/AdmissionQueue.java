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
 * Admits waiting transactions in turn, so that small ones do not starve a large one, and a worker
 * that ships a lot does not starve others. No thread waits here: a transaction that is not admitted
 * asks again, and keeps its place by its id.
 *
 * <p>Turns alternate between {@linkplain Party parties}, each of which is served in FIFO order.
 * Others may overtake a transaction until it has waited for {@link #PATIENCE}, but not after that
 * as long as it keeps asking, that is, not later than {@link #ABSENT_AFTER} since it asked last. A
 * party that has been admitted already and holds something does not overtake one that holds
 * nothing. Nothing is kept for a party that does not wait. Thread-safe.
 */
final class AdmissionQueue {
  /** How long others may overtake. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /**
   * No place is kept free for a transaction that has not asked for this long, several of a worker's
   * pauses: its worker may be gone. It keeps its turn.
   */
  static final Duration ABSENT_AFTER = Duration.ofSeconds(1);

  /** A transaction that has not asked for this long loses its turn. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(4);

  /** The most transactions that wait. Beyond it one is refused, and gets no place. */
  static final int MAX_WAITING = 1_024;

  private final LongSupplier clockNs;
  private final Supplier<Set<Party>> holders;

  /** In the order in which they came. Guarded by this. */
  private final Map<UUID, Waiter> line = new LinkedHashMap<>();

  /** No later than that of anybody who waits. Guarded by this. */
  private long turn;

  /**
   * Who takes turns: the ordinary commits of a worker, and its fragments of transactions of several
   * workers, so that a worker's commit does not wait until all of its fragments are sent.
   */
  record Party(String worker, boolean fragments) {
    static Party of(ShipmentHeader header) {
      return new Party(header.worker(), header.options().fragment() != null);
    }
  }

  /**
   * A transaction that waits.
   *
   * @param turn the lowest one is next; of equal ones, whichever came first
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
   * @param party whose it is
   * @param free how many may be admitted now, as far as is known; 1 if their sizes differ, so that
   *     room for a large one comes together
   * @param tryEnter acquires what it needs, if available; does not block
   */
  synchronized boolean admits(UUID transactionId, Party party, int free, BooleanSupplier tryEnter) {
    long nowNs = clockNs.getAsLong();
    forget(nowNs);
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
   * The next one of its party comes two turns later, so that each other party has one in between;
   * the first one of a party that holds nothing comes before those that hold something.
   */
  private long nextTurn(Party party, Set<Party> holding) {
    return line.values().stream()
        .filter(waiter -> waiter.party.equals(party))
        .mapToLong(waiter -> waiter.turn + 2)
        .max()
        .orElse(turn + (holding.contains(party) ? 2 : 1));
  }

  /** How many have to be admitted before it: there is always one that waits for none. */
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

  /** Those who wait, in the order in which they came. */
  synchronized List<Waiter> waiting() {
    forget(clockNs.getAsLong());
    return List.copyOf(line.values());
  }
}
