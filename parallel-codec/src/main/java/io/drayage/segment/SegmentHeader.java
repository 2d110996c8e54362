package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * The header before the bytes of a segment in the payload of a {@link FrameType#SEGMENT} frame,
 * little-endian:
 *
 * <pre>
 *   0               4            5            6       8                  12        16
 *   +---------------+------------+------------+-------+------------------+---------+---------+
 *   | segment index | serializer | compressor | 0     | serialized bytes | further | segment |
 *   | i32           | u8         | u8         | u16   | i32              | u32     | ...     |
 *   +---------------+------------+------------+-------+------------------+---------+---------+
 * </pre>
 *
 * <p>With further segments, the frame carries a run of consecutive segments, compressed as one. The
 * length of a segment precedes it, and counts as serialized bytes:
 *
 * <pre>
 *   | length i32 | segment | length i32 | segment | ...
 * </pre>
 *
 * @param segmentIndex the number of the only or first segment in the manifest
 * @param serializerId the serializer of the segments
 * @param compressorId the compressor of the serialized segments
 * @param serializedBytes the length of all segments before compression
 * @param furtherSegments number of segments after the first in this frame, unsigned
 */
public record SegmentHeader(
    int segmentIndex,
    int serializerId,
    int compressorId,
    int serializedBytes,
    long furtherSegments) {
  /** Bytes of the length before each segment of a run. */
  public static final int LENGTH_BYTES = Integer.BYTES;

  /** Bytes of this header; a multiple of 8, as is the frame header. */
  public static final int BYTES = 16;

  /** Writes the header into bytes {@code offset} to {@code offset + BYTES - 1}. */
  public void write(ByteBuffer target, int offset) {
    target.putInt(offset, segmentIndex);
    target.put(offset + 4, (byte) serializerId);
    target.put(offset + 5, (byte) compressorId);
    target.putShort(offset + 6, (short) 0);
    target.putInt(offset + 8, serializedBytes);
    target.putInt(offset + 12, (int) furtherSegments);
  }

  /** Returns the number of the only or first segment in a whole frame that was decoded. */
  public static int segmentIndex(ByteBuffer frame) {
    return frame.getInt(frame.position() + FrameHeader.BYTES);
  }

  /** Returns the serializer's id in a whole frame that is not decoded; -1 in a short frame. */
  public static int serializerId(ByteBuffer frame) {
    int at = FrameHeader.BYTES + 4;
    return frame.remaining() > at ? frame.get(frame.position() + at) & 0xFF : -1;
  }

  /** Number of segments in the frame. */
  public long segmentCount() {
    return furtherSegments + 1;
  }

  /**
   * Checks that the serialized bytes have room for so many segments.
   *
   * @throws ShipmentException {@code DECODE} if they do not
   */
  public void requireRoomForRun() throws ShipmentException {
    if (furtherSegments > 0 && segmentCount() * LENGTH_BYTES > serializedBytes) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "segment %,d and %,d further ones do not fit into %,d serialized bytes",
              segmentIndex, furtherSegments, serializedBytes));
    }
  }

  /** Reads the header at the start of a verified payload, and moves the position behind it. */
  public static SegmentHeader ofPayload(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format(
              "a segment frame of %,d payload bytes is shorter than its header of %d",
              payload.remaining(), BYTES));
    }
    int at = payload.position();
    if (payload.getShort(at + 6) != 0) {
      throw new ShipmentException(Fault.BAD_FRAME, "reserved bits of a segment header are set");
    }
    payload.position(at + BYTES);
    return new SegmentHeader(
        payload.getInt(at),
        payload.get(at + 4) & 0xFF,
        payload.get(at + 5) & 0xFF,
        payload.getInt(at + 8),
        payload.getInt(at + 12) & 0xFFFFFFFFL);
  }
}
