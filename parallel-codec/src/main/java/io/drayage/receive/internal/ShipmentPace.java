package io.drayage.receive.internal;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which a shipment fills its memory, which others may wait for. Thread-safe.
 *
 * <p>A slow shipment would keep others waiting without a limit. So it must fill {@link
 * #MIN_BYTES_PER_S}, or more if the whole would take longer than {@link #LONGEST}. Time counts only
 * while others wait and this node accepts the shipment's bytes.
 */
public final class ShipmentPace {
  /** Minimum raw bytes a second: half the rate of an uncompressed cargo over a link of 1 Mbit/s. */
  static final long MIN_BYTES_PER_S = 64 << 10;

  /** The longest time of a cargo while others wait. */
  static final Duration LONGEST = Duration.ofHours(1);

  /**
   * The longest gap between two checks that counts. Waiting shipments ask several times as often,
   * so in a longer gap this node paused, or nobody waited.
   */
  public static final Duration LONGEST_GAP = Duration.ofSeconds(1);

  /** The time over which the pace is measured. */
  public static final Duration WINDOW = Duration.ofSeconds(20);

  private final LongAdder movedBytes = new LongAdder();

  // Guarded by this:
  private long heldBytes;
  private long checkedNs;
  private long countedNs;
  private long movedBefore;

  /** Counts so many bytes as held and not filled yet. */
  public synchronized void acquired(long bytes, long nowNs) {
    if (heldBytes == 0) {
      checkedNs = nowNs;
      countedNs = 0;
      movedBefore = movedBytes.sum();
    }
    heldBytes += bytes;
  }

  /** Counts so many bytes as filled. */
  public void moved(long bytes) {
    movedBytes.add(bytes);
  }

  /**
   * Checks whether the shipment is too slow. Called while others wait for memory.
   *
   * @param takesBytes whether this node accepts bytes as fast as the shipment sends them
   * @return the reason to end the shipment; null if it may go on
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
                "others wait for the %,d bytes that this cargo holds, but only %,d arrived in %.0f s: the minimum is %,d a second",
                heldBytes, moved, seconds, least));
  }
}
