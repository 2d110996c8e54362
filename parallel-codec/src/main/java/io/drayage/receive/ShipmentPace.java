package io.drayage.receive;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How fast a shipment fills the memory that it holds, for those who wait for memory. Thread-safe.
 *
 * <p>One that is too slow would keep them waiting for as long as it likes: it has to fill {@link
 * #MIN_BYTES_PER_S}, or so much that all of it would take {@link #LONGEST}, if that is more.
 */
final class ShipmentPace {
  /** Raw bytes: half of what an uncompressed cargo has over a link of 1 Mbit/s. */
  static final long MIN_BYTES_PER_S = 64 << 10;

  /** No cargo may take longer than this while others wait. */
  static final Duration LONGEST = Duration.ofHours(1);

  /** Over which the pace is taken. */
  static final Duration WINDOW = Duration.ofSeconds(20);

  private final LongAdder movedBytes = new LongAdder();

  // Guarded by this:
  private long heldBytes;
  private long sinceNs;
  private long movedBefore;

  /** So many bytes more are held, and have yet to be filled. */
  synchronized void acquired(long bytes, long nowNs) {
    if (heldBytes == 0) {
      sinceNs = nowNs;
      movedBefore = movedBytes.sum();
    }
    heldBytes += bytes;
  }

  /** So many bytes are filled. */
  void moved(long bytes) {
    movedBytes.add(bytes);
  }

  /**
   * To be called while others wait.
   *
   * @return why the shipment is to end; null if it may go on
   */
  synchronized @Nullable ShipmentException check(long nowNs) {
    long elapsedNs = nowNs - sinceNs;
    if (heldBytes == 0 || elapsedNs < WINDOW.toNanos()) {
      return null;
    }
    long moved = movedBytes.sum() - movedBefore;
    double seconds = elapsedNs / 1e9;
    long least = Math.max(MIN_BYTES_PER_S, heldBytes / LONGEST.toSeconds());
    sinceNs = nowNs;
    movedBefore += moved;
    return moved >= least * seconds
        ? null
        : new ShipmentException(
            Fault.BUSY,
            "others wait for the %,d bytes that this cargo holds, and only %,d came in %.0f s: at least %,d a second have to"
                .formatted(heldBytes, moved, seconds, least));
  }
}
