package io.drayage.frame;

/**
 * The flow control of bulk frames: a sender may have as many bytes under way or undecoded as the
 * receiver has granted. A frame is charged when it is sent.
 */
public final class Credit {
  /** What the smallest frame is charged: bounds how many frames a credit is good for. */
  public static final int MIN_CHARGE_BYTES = 1_024;

  /** What the largest frame is charged: less credit than this could never move it. */
  public static final int MAX_CHARGE_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES;

  private Credit() {}

  /** What a frame of {@code frameBytes}, header included, is charged. */
  public static int charge(int frameBytes) {
    return Math.max(MIN_CHARGE_BYTES, frameBytes);
  }
}
