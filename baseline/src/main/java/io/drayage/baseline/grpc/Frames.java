package io.drayage.baseline.grpc;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Checks of a frame that came in a message. */
final class Frames {
  /** The most bytes of a message: the largest frame, plus tag and length of the field. */
  static final int MAX_MESSAGE_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES + 16;

  private Frames() {}

  /**
   * Returns the frame in a message. Header and length are checked, the checksum is not.
   *
   * @throws ShipmentException {@link Fault#BAD_FRAME} or {@link Fault#LIMIT}
   */
  static ByteBuffer checked(ByteBuffer frame) throws ShipmentException {
    if (frame.remaining() < FrameHeader.BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format(
              "a frame of %,d bytes is shorter than its header of %d",
              frame.remaining(), FrameHeader.BYTES));
    }
    int payloadBytes = FrameHeader.payloadBytes(frame, 0);
    if (payloadBytes != frame.remaining() - FrameHeader.BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format(
              "a frame states %,d payload bytes and has %,d",
              payloadBytes, frame.remaining() - FrameHeader.BYTES));
    }
    return frame;
  }

  /**
   * Returns the payload of a frame of one type, with its checksum verified.
   *
   * @throws ShipmentException as {@link #checked}; for a FAILED frame, the failure that the frame
   *     states; {@link Fault#PROTOCOL_VIOLATION} for another type
   */
  static ByteBuffer payload(ByteBuffer frame, FrameType expected) throws ShipmentException {
    ByteBuffer payload = FrameHeader.verify(checked(frame));
    FrameType type = FrameHeader.type(frame);
    if (type == expected) {
      return payload;
    }
    if (type == FrameType.FAILED) {
      throw Failure.ofPayload(payload);
    }
    throw new ShipmentException(
        Fault.PROTOCOL_VIOLATION, "%s frame where %s belongs".formatted(type, expected));
  }
}
