package io.drayage.baseline.grpc;

import java.util.function.LongSupplier;

/**
 * How many more messages may be asked for, so that the frames of one shipment stay within its share
 * of the server's memory. gRPC counts messages, memory is bytes: a message that is asked for is
 * counted as large as the largest that has come, and they are asked for a few at a time, so that
 * growing frames exceed the share by no more than those few. Thread-safe.
 */
final class InboundWindow {
  /** The most messages asked for at a time, once it is known how large they are. */
  static final int MAX_REQUESTED = 32;

  /** A frame counts as this much at least, for the objects around it. */
  private static final int MIN_FRAME_BYTES = 1 << 10;

  private static final int EXPECTED_FRAME_BYTES = 64 << 10;

  private final LongSupplier shareBytes;
  private int requested;
  private int maxRequested = 2;
  private long heldBytes;
  private int largestBytes = EXPECTED_FRAME_BYTES;

  /**
   * @param shareBytes the bytes of frames that the shipment may have here at this moment
   */
  InboundWindow(LongSupplier shareBytes) {
    this.shareBytes = shareBytes;
  }

  /** How many messages to ask for at first. */
  synchronized int open() {
    return grant();
  }

  /** A message has come; how many to ask for now. Its frame counts until {@link #onReleased}. */
  synchronized int onArrived(int frameBytes) {
    requested--;
    maxRequested = Math.min(MAX_REQUESTED, maxRequested * 2);
    largestBytes = Math.max(largestBytes, frameBytes);
    heldBytes += charge(frameBytes);
    return grant();
  }

  /** A frame is not needed any more; how many messages to ask for now. */
  synchronized int onReleased(int frameBytes) {
    heldBytes -= charge(frameBytes);
    return grant();
  }

  /** Bytes of frames that have come and are still needed. */
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
      return true; // However small the share is, one frame is always under way, or all would stop.
    }
    return requested < maxRequested
        && heldBytes + (requested + 1L) * largestBytes <= shareBytes.getAsLong();
  }
}
