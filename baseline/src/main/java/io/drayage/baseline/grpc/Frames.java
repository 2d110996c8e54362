package io.drayage.baseline.grpc;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** First checks of a frame that came in a message. */
final class Frames {
  private Frames() {}

  /**
   * The frame in a message, header and length checked, checksum not.
   *
   * @throws ShipmentException {@link Fault#BAD_FRAME} or {@link Fault#LIMIT}
   */
  static ByteBuffer checked(ByteBuffer frame) throws ShipmentException {
    if (frame.remaining() < FrameHeader.BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          "a frame of %,d bytes is shorter than its header of %d"
              .formatted(frame.remaining(), FrameHeader.BYTES));
    }
    int payloadBytes = FrameHeader.payloadBytes(frame, 0);
    if (payloadBytes != frame.remaining() - FrameHeader.BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          "a frame states %,d payload bytes and has %,d"
              .formatted(payloadBytes, frame.remaining() - FrameHeader.BYTES));
    }
    return frame;
  }

  /**
   * The frame in a message, which must be of a type.
   *
   * @throws ShipmentException as {@link #checked}, and {@link Fault#PROTOCOL_VIOLATION} for another
   *     type
   */
  static ByteBuffer checked(ByteBuffer frame, FrameType expected) throws ShipmentException {
    checked(frame);
    if (FrameHeader.type(frame) != expected) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "%s frame where %s belongs".formatted(FrameHeader.type(frame), expected));
    }
    return frame;
  }
}
