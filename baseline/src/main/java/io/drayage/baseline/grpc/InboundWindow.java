package io.drayage.baseline.grpc;

import java.util.function.LongSupplier;

/**
 * The number of messages that may still be asked for, so that the frames of one shipment stay
 * within its share of the server's memory. gRPC counts messages, but memory is counted in bytes. So
 * each message that is asked for counts as large as the largest that has arrived. Only a few are
 * asked for at a time: if frames grow, only these few exceed the share. Thread-safe.
 */
final class InboundWindow {
  /** The most messages asked for at a time, once their size is known. */
  static final int MAX_REQUESTED = 32;

  /** The least bytes that a frame counts, for the objects around it. */
  private static final int MIN_FRAME_BYTES = 1 << 10;

  private static final int EXPECTED_FRAME_BYTES = 64 << 10;

  private final LongSupplier shareBytes;
  private int requested;
  private int maxRequested = 2;
  private long heldBytes;
  private int largestBytes = EXPECTED_FRAME_BYTES;

  /**
   * @param shareBytes the bytes of frames that the shipment may have here at the moment of the call
   */
  InboundWindow(LongSupplier shareBytes) {
    this.shareBytes = shareBytes;
  }

  /** Returns the number of messages to ask for at first. */
  synchronized int open() {
    return grant();
  }

  /** Counts a frame until {@link #onReleased}. Returns the number of messages to ask for now. */
  synchronized int onArrived(int frameBytes) {
    requested--;
    maxRequested = Math.min(MAX_REQUESTED, maxRequested * 2);
    largestBytes = Math.max(largestBytes, frameBytes);
    heldBytes += charge(frameBytes);
    return grant();
  }

  /** Releases a frame that is not needed. Returns the number of messages to ask for now. */
  synchronized int onReleased(int frameBytes) {
    heldBytes -= charge(frameBytes);
    return grant();
  }

  /** Bytes of frames that have arrived and are still needed. */
  synchronized long heldBytes() {
    return heldBytes;
  }

  private static int charge(int frameBytes) {
    return Math.max(frameBytes, MIN_FRAME_BYTES);
  }

  private int grant() {
    int more = 0;
    while (mayRequestOneMore()) {
      requested++;
      more++;
    }
    return more;
  }

  private boolean mayRequestOneMore() {
    if (requested == 0 && heldBytes == 0) {
      return true; // A small share still allows one frame, or the shipment would stop.
    }
    return requested < maxRequested
        && heldBytes + (requested + 1L) * largestBytes <= shareBytes.getAsLong();
  }
}
