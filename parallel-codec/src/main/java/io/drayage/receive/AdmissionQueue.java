package io.drayage.receive;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Sees to it that whoever is turned away for want of room, and comes back, gets in before long,
 * however many others come meanwhile. Nobody waits inside: those who are turned away ask again.
 *
 * <p>Others may pass who fit in where the first in the line does not, until the first has waited
 * for {@link #PATIENCE}; from then on nobody passes him as long as he goes on asking. Thread-safe.
 */
final class AdmissionQueue {
  /** How long others may pass. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Who has not asked for so long has given up: longer than a worker's pause between attempts. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(4);

  /** The longest line; who comes then is turned away without a place in it. */
  static final int MAX_WAITING = 1_024;

  private final LongSupplier clockNs;

  /** In the order in which they came first. Guarded by this. */
  private final Map<UUID, Waiting> line = new LinkedHashMap<>();

  private record Waiting(long sinceNs, long askedNs) {}

  AdmissionQueue(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  /**
   * Lets a transaction in, if it may go now and there is room.
   *
   * @param tryEnter takes the room, if it is there; does not block
   */
  synchronized boolean admits(UUID transactionId, BooleanSupplier tryEnter) {
    long nowNs = clockNs.getAsLong();
    if (!mustWait(transactionId, nowNs) && tryEnter.getAsBoolean()) {
      line.remove(transactionId);
      return true;
    }
    Waiting before = line.get(transactionId);
    if (before != null || line.size() < MAX_WAITING) {
      // The place in the line stays that of the first time.
      line.put(transactionId, new Waiting(before == null ? nowNs : before.sinceNs, nowNs));
    }
    return false;
  }

  /** Whether somebody is before it who has waited long enough. */
  private boolean mustWait(UUID transactionId, long nowNs) {
    for (Iterator<Map.Entry<UUID, Waiting>> it = line.entrySet().iterator(); it.hasNext(); ) {
      Map.Entry<UUID, Waiting> first = it.next();
      if (first.getKey().equals(transactionId)) {
        return false;
      }
      Waiting waiting = first.getValue();
      if (nowNs - waiting.askedNs > FORGOTTEN_AFTER.toNanos()) {
        it.remove();
      } else {
        return nowNs - waiting.sinceNs > PATIENCE.toNanos();
      }
    }
    return false;
  }
}
