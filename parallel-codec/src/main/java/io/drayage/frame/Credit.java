package io.drayage.frame;

/**
 * The flow control of bulk frames: the receiver grants a sender the number of bytes that may be
 * sent but not yet decoded. A frame is charged when it is sent.
 */
public final class Credit {
  /** The charge of the smallest frame, which bounds the number of frames that a credit allows. */
  public static final int MIN_CHARGE_BYTES = 1_024;

  /** The charge of the largest frame. A smaller credit could never send it. */
  public static final int MAX_CHARGE_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES;

  private Credit() {}

  /** The charge of a frame of {@code frameBytes}, header included. */
  public static int charge(int frameBytes) {
    return Math.max(MIN_CHARGE_BYTES, frameBytes);
  }
}
