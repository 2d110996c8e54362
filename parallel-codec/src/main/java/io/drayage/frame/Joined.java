package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The transactor accepts a further connection. The payload of a {@link FrameType#JOINED} frame:
 *
 * <pre>
 *   0              8               12
 *   +--------------+---------------+------------------------------------+
 *   | credit bytes | first missing | bits, lowest first, to the end:    |
 *   | i64          | segment, i32  | bit b is segment first missing + b |
 *   +--------------+---------------+------------------------------------+
 * </pre>
 *
 * The transactor has all segments before the first missing one, and none behind the last byte. For
 * a stripe, first missing is 0, and no bits follow.
 *
 * @param creditBytes bytes of frames that this connection may send before more credit comes
 * @param received the numbers of the segments that the transactor holds, decoded; must not be
 *     changed
 */
public record Joined(long creditBytes, BitSet received) {
  /** The most segments of a shipment. */
  public static final int MAX_SEGMENTS = 1 << 22;

  static final int MAX_PAYLOAD_BYTES = Long.BYTES + Integer.BYTES + MAX_SEGMENTS / 8;
  private static final int FIXED_BYTES = Long.BYTES + Integer.BYTES;

  /** The segments of a shipment that the transactor held whole: all possible numbers. */
  public static BitSet everySegment() {
    BitSet all = new BitSet(MAX_SEGMENTS);
    all.set(0, MAX_SEGMENTS);
    return all;
  }

  /** The complete frame. */
  public ByteBuffer toFrame(long shipmentId) {
    int firstMissing = received.nextClearBit(0);
    byte[] bits = received.get(firstMissing, received.length()).toByteArray();
    return ControlFrame.of(
        FrameType.JOINED,
        shipmentId,
        FIXED_BYTES + bits.length,
        payload -> payload.putLong(creditBytes).putInt(firstMissing).put(bits));
  }

  /**
   * The answer in a verified payload.
   *
   * @throws ShipmentException {@link Fault#LIMIT} if it has a segment that no shipment can have
   */
  public static Joined ofPayload(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < FIXED_BYTES) {
      ControlFrame.requirePayload(payload, FIXED_BYTES);
    }
    long creditBytes = payload.getLong();
    int firstMissing = payload.getInt();
    BitSet later = BitSet.valueOf(payload);
    if (firstMissing < 0 || firstMissing > MAX_SEGMENTS - later.length()) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "the transactor states first missing segment %,d and %,d bits; the limit is %,d",
              firstMissing, later.length(), MAX_SEGMENTS));
    }
    BitSet received = new BitSet(firstMissing + later.length());
    received.set(0, firstMissing);
    later.stream().forEach(bit -> received.set(firstMissing + bit));
    return new Joined(creditBytes, received);
  }
}
