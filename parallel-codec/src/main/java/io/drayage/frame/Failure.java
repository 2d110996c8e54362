package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import java.nio.ByteBuffer;

/**
 * The reason why a shipment is over. The payload of a {@link FrameType#FAILED} and of a {@link
 * FrameType#CANCEL} frame:
 *
 * <pre>
 *   0            4                    8
 *   +------------+--------------------+--------------------+
 *   | fault id   | outcome: 1 unknown | message, UTF-8     |
 *   | i32        | 2 not applied, i32 | ...                |
 *   +------------+--------------------+--------------------+
 * </pre>
 *
 * <p>The outcome in a {@code CANCEL} means nothing, because its sender decides nothing.
 */
public final class Failure {
  private static final int MAX_MESSAGE_CHARS = 4_000;
  private static final int NUMBERS_BYTES = 2 * Integer.BYTES;
  private static final int UNKNOWN = 1;
  private static final int NOT_APPLIED = 2;

  private Failure() {}

  /** The complete frame that reports {@code cause} to the peer. */
  public static ByteBuffer toFrame(FrameType type, long shipmentId, ShipmentException cause) {
    byte[] message = ControlFrame.utf8(String.valueOf(cause.getMessage()), MAX_MESSAGE_CHARS);
    return ControlFrame.of(
        type,
        shipmentId,
        NUMBERS_BYTES + message.length,
        payload -> payload.putInt(cause.fault().id()).putInt(id(cause.outcome())).put(message));
  }

  private static int id(ShipmentException.Outcome outcome) {
    return switch (outcome) {
      case UNKNOWN -> UNKNOWN;
      case NOT_APPLIED -> NOT_APPLIED;
    };
  }

  /** The failure in a verified payload, as an exception to throw on this side. */
  public static ShipmentException ofPayload(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < NUMBERS_BYTES) {
      ControlFrame.requirePayload(payload, NUMBERS_BYTES);
    }
    Fault fault = Fault.ofId(payload.getInt());
    ShipmentException.Outcome outcome = outcome(payload.getInt());
    // The text is shown, and may come from a stranger.
    return new ShipmentException(fault, Names.printable(ControlFrame.text(payload)))
        .withOutcome(outcome)
        .statedByPeer();
  }

  private static ShipmentException.Outcome outcome(int id) throws ShipmentException {
    return switch (id) {
      case UNKNOWN -> ShipmentException.Outcome.UNKNOWN;
      case NOT_APPLIED -> ShipmentException.Outcome.NOT_APPLIED;
      default ->
          throw new ShipmentException(
              Fault.BAD_FRAME,
              format("outcome %d is unknown (known: %d, %d)", id, UNKNOWN, NOT_APPLIED));
    };
  }
}
