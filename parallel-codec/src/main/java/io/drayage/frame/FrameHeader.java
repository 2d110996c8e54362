package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.JoinedChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The header before every frame's payload, little-endian:
 *
 * <pre>
 *   0        4        5      6        8              16              20        24
 *   +--------+--------+------+--------+--------------+---------------+---------+---------+
 *   | magic  | version| type | 0      | shipment id  | payload bytes | CRC32C  | payload |
 *   | "DRYG" | u8     | u8   | u16    | i64          | u32           | u32     | ...     |
 *   +--------+--------+------+--------+--------------+---------------+---------+---------+
 * </pre>
 *
 * <p>The checksum covers bytes 0 to 19 and the payload. The thread that writes the payload computes
 * it, and the thread that reads the payload checks it ({@link #verify}): codec threads, not the
 * event loop, which only looks at magic, version, type, and length ({@link #payloadBytes}).
 */
public final class FrameHeader {
  /** Bytes of a frame header. */
  public static final int BYTES = 24;

  /** "DRYG" when read byte by byte. */
  public static final int MAGIC = 'D' | 'R' << 8 | 'Y' << 16 | 'G' << 24;

  /** The version of the wire format. */
  public static final int VERSION = 1;

  /** The most payload bytes of any frame: a segment of 4 MiB and its description. */
  public static final int MAX_PAYLOAD_BYTES = (4 << 20) + (64 << 10);

  /** The most payload bytes of a control frame. */
  public static final int MAX_CONTROL_PAYLOAD_BYTES = 16 << 10;

  private static final int VERSION_OFFSET = 4;
  private static final int TYPE_OFFSET = 5;
  private static final int RESERVED_OFFSET = 6;
  private static final int SHIPMENT_OFFSET = 8;
  private static final int LENGTH_OFFSET = 16;
  private static final int CHECKSUM_OFFSET = 20;

  private FrameHeader() {}

  /**
   * Writes the header of {@code frame}, and sets the buffer's position to 0. The payload is the
   * bytes from {@link #BYTES} to the limit. Afterwards, position to limit is the frame.
   *
   * @param frame a buffer whose first {@link #BYTES} bytes are free
   * @return the frame's checksum
   * @throws IllegalArgumentException if the payload exceeds the limit of its type, so that any peer
   *     would refuse it
   */
  public static int write(ByteBuffer frame, FrameType type, long shipmentId) {
    if (frame.limit() - BYTES > type.maxPayloadBytes()) {
      throw new IllegalArgumentException(
          format(
              "%s frame of %,d bytes exceeds the limit of %,d",
              type, frame.limit() - BYTES, type.maxPayloadBytes()));
    }
    frame.order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0, MAGIC);
    frame.put(VERSION_OFFSET, (byte) VERSION);
    frame.put(TYPE_OFFSET, (byte) type.id());
    frame.putShort(RESERVED_OFFSET, (short) 0);
    frame.putLong(SHIPMENT_OFFSET, shipmentId);
    frame.putInt(LENGTH_OFFSET, frame.limit() - BYTES);
    int checksum = computeChecksum(frame, 0, frame.limit());
    frame.putInt(CHECKSUM_OFFSET, checksum);
    frame.position(0);
    return checksum;
  }

  /**
   * Checks a header, except its checksum.
   *
   * @param buffer holds a header at {@code offset}, little-endian
   * @return number of payload bytes that follow, within the limit of the frame's type
   * @throws ShipmentException {@link Fault#BAD_FRAME} for a wrong magic, version, type or reserved
   *     bits, {@link Fault#LIMIT} for a length beyond the limit
   */
  public static int payloadBytes(ByteBuffer buffer, int offset) throws ShipmentException {
    int magic = buffer.getInt(offset);
    if (magic != MAGIC) {
      throw new ShipmentException(
          Fault.BAD_FRAME, format("frame magic is 0x%08x, expected 0x%08x", magic, MAGIC));
    }
    int version = buffer.get(offset + VERSION_OFFSET) & 0xFF;
    if (version != VERSION) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format("wire format version %d is not supported (this side: %d)", version, VERSION));
    }
    FrameType type = FrameType.ofId(buffer.get(offset + TYPE_OFFSET) & 0xFF);
    int reserved = buffer.getShort(offset + RESERVED_OFFSET) & 0xFFFF;
    if (reserved != 0) {
      throw new ShipmentException(
          Fault.BAD_FRAME, format("reserved bits of a frame are 0x%04x, expected 0", reserved));
    }
    long length = buffer.getInt(offset + LENGTH_OFFSET) & 0xFFFFFFFFL;
    if (length > type.maxPayloadBytes()) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "%s frame of %,d bytes exceeds the limit of %,d",
              type, length, type.maxPayloadBytes()));
    }
    return (int) length;
  }

  /** The type of a frame whose header was checked. {@code frame} is from position to limit. */
  public static FrameType type(ByteBuffer frame) {
    try {
      return FrameType.ofId(frame.get(frame.position() + TYPE_OFFSET) & 0xFF);
    } catch (ShipmentException e) {
      throw new IllegalArgumentException("the frame's header was not checked", e);
    }
  }

  /** The shipment of a frame. {@code frame} is from position to limit. */
  public static long shipmentId(ByteBuffer frame) {
    return frame.getLong(frame.position() + SHIPMENT_OFFSET);
  }

  /** The checksum in a frame's header. {@code frame} is from position to limit. */
  public static int checksum(ByteBuffer frame) {
    return frame.getInt(frame.position() + CHECKSUM_OFFSET);
  }

  /**
   * The CRC32C of all bytes of a frame, header and checksum included, computed from the checksum in
   * its header. Wrong if that checksum is wrong.
   *
   * @param frame from position to limit
   */
  public static int wholeChecksum(ByteBuffer frame) {
    int start = frame.position();
    ByteBuffer bytes = frame.duplicate();
    CRC32C crc = new CRC32C();
    crc.update(bytes.limit(start + CHECKSUM_OFFSET));
    int beforeChecksum = (int) crc.getValue();
    crc.update(bytes.limit(start + BYTES));
    int payloadBytes = frame.remaining() - BYTES;
    int payload = JoinedChecksum.ofSecond(beforeChecksum, checksum(frame), payloadBytes);
    return JoinedChecksum.of((int) crc.getValue(), payload, payloadBytes);
  }

  /**
   * Checks a whole frame, from position to limit: its header, its length and its checksum.
   *
   * @return the payload, a little-endian view of the same memory
   * @throws ShipmentException as {@link #payloadBytes}, or {@link Fault#CHECKSUM}
   */
  public static ByteBuffer verify(ByteBuffer frame) throws ShipmentException {
    frame.order(ByteOrder.LITTLE_ENDIAN);
    int start = frame.position();
    if (frame.remaining() < BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format(
              "a frame of %,d bytes is shorter than its header of %d", frame.remaining(), BYTES));
    }
    int payloadBytes = payloadBytes(frame, start);
    if (payloadBytes != frame.remaining() - BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format(
              "a frame states %,d payload bytes and has %,d",
              payloadBytes, frame.remaining() - BYTES));
    }
    int computed = computeChecksum(frame, start, frame.limit());
    int stated = checksum(frame);
    if (computed != stated) {
      throw new ShipmentException(
          Fault.CHECKSUM,
          format(
              "%s frame of %,d bytes has checksum 0x%08x, its header states 0x%08x",
              type(frame), payloadBytes, computed, stated));
    }
    return frame.slice(start + BYTES, payloadBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int computeChecksum(ByteBuffer frame, int start, int end) {
    CRC32C crc = new CRC32C();
    ByteBuffer bytes = frame.duplicate(); // Others may read the frame at the same time.
    crc.update(bytes.limit(start + CHECKSUM_OFFSET).position(start));
    crc.update(bytes.limit(end).position(start + BYTES));
    return (int) crc.getValue();
  }
}
