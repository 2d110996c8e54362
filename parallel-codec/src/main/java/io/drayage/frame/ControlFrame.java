package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Makes and reads the small frames that control a shipment. */
public final class ControlFrame {
  /**
   * Replaces the timestamp in the answer to a fragment. The fragment is stored, and takes effect
   * with its transaction.
   */
  public static final long PREPARED = 0;

  private ControlFrame() {}

  /** A complete frame on the heap with a payload of {@code payloadBytes}. */
  static ByteBuffer of(
      FrameType type, long shipmentId, int payloadBytes, Consumer<ByteBuffer> payload) {
    ByteBuffer frame =
        ByteBuffer.allocate(FrameHeader.BYTES + payloadBytes).order(ByteOrder.LITTLE_ENDIAN);
    payload.accept(frame.position(FrameHeader.BYTES));
    FrameHeader.write(frame, type, shipmentId);
    return frame;
  }

  /** A complete {@link FrameType#HEARTBEAT} frame. */
  public static ByteBuffer heartbeat(long shipmentId) {
    return of(FrameType.HEARTBEAT, shipmentId, 0, payload -> {});
  }

  /** A complete {@link FrameType#CREDIT} frame: the peer may send {@code bytes} more. */
  public static ByteBuffer credit(long shipmentId, long bytes) {
    return of(FrameType.CREDIT, shipmentId, Long.BYTES, payload -> payload.putLong(bytes));
  }

  /** A complete {@link FrameType#COMMITTED} frame with the new snapshot's timestamp. */
  public static ByteBuffer committed(long shipmentId, long snapshotTimestamp) {
    return of(
        FrameType.COMMITTED, shipmentId, Long.BYTES, payload -> payload.putLong(snapshotTimestamp));
  }

  /** The number in the verified payload of a credit or committed frame. */
  public static long number(ByteBuffer payload) throws ShipmentException {
    requirePayload(payload, Long.BYTES);
    return payload.getLong();
  }

  static void requirePayload(ByteBuffer payload, int bytes) throws ShipmentException {
    if (payload.remaining() != bytes) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format(
              "a control frame has %,d payload bytes, expected %,d", payload.remaining(), bytes));
    }
  }

  static String text(ByteBuffer payload) {
    byte[] utf8 = new byte[payload.remaining()];
    payload.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** The UTF-8 of at most {@code maxChars} UTF-16 code units. No surrogate pair is cut. */
  static byte[] utf8(String text, int maxChars) {
    int length = Math.min(maxChars, text.length());
    if (length < text.length()
        && length > 0
        && Character.isHighSurrogate(text.charAt(length - 1))) {
      length--;
    }
    return text.substring(0, length).getBytes(StandardCharsets.UTF_8);
  }
}
