package io.drayage.receive.internal;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How fast a shipment fills the memory that it holds, for those who wait for memory. Thread-safe.
 *
 * <p>One that is too slow would keep them waiting for as long as it likes: it has to fill {@link
 * #MIN_BYTES_PER_S}, or so much that all of it would take {@link #LONGEST}, if that is more. Only
 * time in which others ask, and this node takes what comes, counts against it.
 */
public final class ShipmentPace {
  /** Raw bytes: half of what an uncompressed cargo has over a link of 1 Mbit/s. */
  static final long MIN_BYTES_PER_S = 64 << 10;

  /** No cargo may take longer than this while others wait. */
  static final Duration LONGEST = Duration.ofHours(1);

  /**
   * Who waits asks several times as often. What is longer between two checks is a pause of this
   * node, or nobody waited.
   */
  public static final Duration LONGEST_GAP = Duration.ofSeconds(1);

  /** Over which the pace is taken. */
  public static final Duration WINDOW = Duration.ofSeconds(20);

  private final LongAdder movedBytes = new LongAdder();

  // Guarded by this:
  private long heldBytes;
  private long checkedNs;
  private long countedNs;
  private long movedBefore;

  /** So many bytes more are held, and have yet to be filled. */
  public synchronized void acquired(long bytes, long nowNs) {
    if (heldBytes == 0) {
      checkedNs = nowNs;
      countedNs = 0;
      movedBefore = movedBytes.sum();
    }
    heldBytes += bytes;
  }

  /** So many bytes are filled. */
  public void moved(long bytes) {
    movedBytes.add(bytes);
  }

  /**
   * To be called while others wait.
   *
   * @param takesBytes whether this node keeps up with what the shipment sends
   * @return why the shipment is to end; null if it may go on
   */
  public synchronized @Nullable ShipmentException check(long nowNs, boolean takesBytes) {
    if (takesBytes) {
      countedNs += Math.min(nowNs - checkedNs, LONGEST_GAP.toNanos());
    }
    checkedNs = nowNs;
    if (heldBytes == 0 || countedNs < WINDOW.toNanos()) {
      return null;
    }
    long moved = movedBytes.sum() - movedBefore;
    double seconds = countedNs / 1e9;
    long least = Math.max(MIN_BYTES_PER_S, heldBytes / LONGEST.toSeconds());
    countedNs = 0;
    movedBefore += moved;
    return moved >= least * seconds
        ? null
        : new ShipmentException(
            Fault.BUSY,
            format(
                "others wait for the %,d bytes that this cargo holds, and only %,d came in %.0f s: at least %,d a second have to",
                heldBytes, moved, seconds, least));
  }
}
