package io.drayage.receive;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Admits waiting transactions in FIFO order, so that small ones do not starve a large one, and a
 * worker that ships a lot does not starve others. No thread waits here: a transaction that is not
 * admitted asks again.
 *
 * <p>Smaller ones may overtake the first until it has waited for {@link #PATIENCE}, but not after
 * that as long as it keeps asking. A worker that has been admitted already and holds something lets
 * those pass that hold nothing. Thread-safe.
 */
final class AdmissionQueue {
  /** How long later ones may overtake. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** A transaction that has not asked for this long is dropped: longer than a worker's pause. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(4);

  /** The longest queue. Beyond it a transaction is refused, and gets no place. */
  static final int MAX_WAITING = 1_024;

  private final LongSupplier clockNs;
  private final Predicate<String> holdsSomething;

  /** In FIFO order. Guarded by this. */
  private final Map<UUID, Waiter> line = new LinkedHashMap<>();

  private record Waiter(String worker, long sinceNs, long askedNs) {}

  /**
   * @param holdsSomething whether a worker of this name has been admitted with a transaction that
   *     is not over
   */
  AdmissionQueue(LongSupplier clockNs, Predicate<String> holdsSomething) {
    this.clockNs = clockNs;
    this.holdsSomething = holdsSomething;
  }

  /**
   * Admits a transaction, if it is its turn and there is room.
   *
   * @param worker whose it is
   * @param tryEnter acquires what it needs, if available; does not block
   */
  synchronized boolean admits(UUID transactionId, String worker, BooleanSupplier tryEnter) {
    long nowNs = clockNs.getAsLong();
    line.values().removeIf(waiter -> nowNs - waiter.askedNs > FORGOTTEN_AFTER.toNanos());
    if (!mustWait(transactionId, nowNs) && !yields(worker) && tryEnter.getAsBoolean()) {
      line.remove(transactionId);
      return true;
    }
    Waiter before = line.get(transactionId);
    if (before != null || line.size() < MAX_WAITING) {
      // Its place is that of its first attempt.
      line.put(transactionId, new Waiter(worker, before == null ? nowNs : before.sinceNs, nowNs));
    }
    return false;
  }

  /** Whether one before it has waited long enough. */
  private boolean mustWait(UUID transactionId, long nowNs) {
    if (line.isEmpty()) {
      return false;
    }
    Map.Entry<UUID, Waiter> first = line.entrySet().iterator().next();
    return !first.getKey().equals(transactionId)
        && nowNs - first.getValue().sinceNs > PATIENCE.toNanos();
  }

  /** Whether a worker that holds something is not to have more before others have anything. */
  private boolean yields(String worker) {
    return holdsSomething.test(worker)
        && line.values().stream()
            .anyMatch(other -> !other.worker.equals(worker) && !holdsSomething.test(other.worker));
  }
}
