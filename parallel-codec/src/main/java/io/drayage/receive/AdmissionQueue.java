package io.drayage.receive;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Admits waiting transactions in FIFO order, so that a large one is not starved by small ones. No
 * thread waits here: a transaction that is not admitted asks again.
 *
 * <p>Smaller ones may overtake the first until it has waited for {@link #PATIENCE}; from then on
 * none does, as long as it keeps asking. Thread-safe.
 */
final class AdmissionQueue {
  /** How long others may overtake. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** A transaction that has not asked for this long is dropped: longer than a worker's pause. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(4);

  /** The longest queue; beyond it a transaction is refused without a place. */
  static final int MAX_WAITING = 1_024;

  private final LongSupplier clockNs;

  /** In FIFO order. Guarded by this. */
  private final Map<UUID, Waiter> line = new LinkedHashMap<>();

  private record Waiter(long sinceNs, long askedNs) {}

  AdmissionQueue(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  /**
   * Admits a transaction, if it is its turn and there is room.
   *
   * @param tryEnter acquires what it needs, if available; does not block
   */
  synchronized boolean admits(UUID transactionId, BooleanSupplier tryEnter) {
    long nowNs = clockNs.getAsLong();
    if (!mustWait(transactionId, nowNs) && tryEnter.getAsBoolean()) {
      line.remove(transactionId);
      return true;
    }
    Waiter before = line.get(transactionId);
    if (before != null || line.size() < MAX_WAITING) {
      // It keeps its first place.
      line.put(transactionId, new Waiter(before == null ? nowNs : before.sinceNs, nowNs));
    }
    return false;
  }

  /** Whether one before it has waited long enough. */
  private boolean mustWait(UUID transactionId, long nowNs) {
    for (Iterator<Map.Entry<UUID, Waiter>> it = line.entrySet().iterator(); it.hasNext(); ) {
      Map.Entry<UUID, Waiter> first = it.next();
      if (first.getKey().equals(transactionId)) {
        return false;
      }
      Waiter waiting = first.getValue();
      if (nowNs - waiting.askedNs > FORGOTTEN_AFTER.toNanos()) {
        it.remove();
      } else {
        return nowNs - waiting.sinceNs > PATIENCE.toNanos();
      }
    }
    return false;
  }
}
