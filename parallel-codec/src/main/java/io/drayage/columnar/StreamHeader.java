package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * What stands before every stream, little-endian:
 *
 * <pre>
 *   0          1                 4               8
 *   +----------+-----------------+---------------+---------+
 *   | encoding | parameters      | payload bytes | payload |
 *   | u8       | u8 u8 u8, else 0| i32           | ...     |
 *   +----------+-----------------+---------------+---------+
 * </pre>
 */
final class StreamHeader {
  static final int BYTES = 8;

  private static final int PAYLOAD_AT = 4;

  private StreamHeader() {}

  /** Leaves room for a header and returns where it is. */
  static int begin(ByteBuffer target) {
    int at = target.position();
    target.putLong(0);
    return at;
  }

  /** Writes the header at {@code at} of the stream that ends at the target's position. */
  static void end(ByteBuffer target, int at, int id, int parameters) {
    target.putInt(at, id | parameters << 8);
    target.putInt(at + PAYLOAD_AT, target.position() - at - BYTES);
  }

  /**
   * Begins to read: returns the encoding's number in the lowest byte and the parameters in the
   * others; the source's position is then at the payload, whose length is {@link #payloadBytes}.
   */
  static int read(ByteBuffer source) throws ShipmentException {
    Malformed.unlessThere("the header of a stream", source, BYTES);
    int at = source.position();
    int payloadBytes = source.getInt(at + PAYLOAD_AT);
    int room = source.remaining() - BYTES;
    if (payloadBytes < 0 || payloadBytes > room) {
      throw Malformed.because(
          "a stream states %,d bytes, there are %,d".formatted(payloadBytes, room));
    }
    source.position(at + BYTES);
    return source.getInt(at);
  }

  /** The length of the payload at whose start the source stands. */
  static int payloadBytes(ByteBuffer source) {
    return source.getInt(source.position() - BYTES + PAYLOAD_AT);
  }

  static void requireNoParameters(int header) throws ShipmentException {
    if (header >>> 8 != 0) {
      throw Malformed.because(
          "reserved bits of a stream's header are set: 0x%08x".formatted(header));
    }
  }
}
