package io.drayage.columnar.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * The header before every stream, little-endian:
 *
 * <pre>
 *   0          1                 4               8
 *   +----------+-----------------+---------------+---------+
 *   | encoding | 0               | payload bytes | payload |
 *   | u8       | u8 u8 u8        | i32           | ...     |
 *   +----------+-----------------+---------------+---------+
 * </pre>
 */
public final class StreamHeader {
  public static final int BYTES = 8;

  private static final int PAYLOAD_AT = 4;

  private StreamHeader() {}

  /** Skips a header and returns its position. */
  public static int begin(ByteBuffer target) {
    int at = target.position();
    target.putLong(0);
    return at;
  }

  /** Writes the header at {@code at} of the stream that ends at the target's position. */
  public static void end(ByteBuffer target, int at, int id) {
    target.putInt(at, id);
    target.putInt(at + PAYLOAD_AT, target.position() - at - BYTES);
  }

  /**
   * Reads a header and returns the encoding's number. The source's position is then at the payload,
   * whose length is {@link #payloadBytes}.
   */
  public static int read(ByteBuffer source) throws ShipmentException {
    Malformed.unlessThere("the header of a stream", source, BYTES);
    int at = source.position();
    int payloadBytes = source.getInt(at + PAYLOAD_AT);
    int left = source.remaining() - BYTES;
    if (payloadBytes < 0 || payloadBytes > left) {
      throw Malformed.because(
          format("a stream states %,d bytes, there are %,d", payloadBytes, left));
    }
    int id = source.getInt(at);
    if (id >>> Byte.SIZE != 0) {
      throw Malformed.because(format("reserved bits of a stream's header are set: 0x%08x", id));
    }
    source.position(at + BYTES);
    return id;
  }

  /** The length of the payload at the source's position. */
  public static int payloadBytes(ByteBuffer source) {
    return source.getInt(source.position() - BYTES + PAYLOAD_AT);
  }

  /** Moves the source's position behind the stream that begins there. */
  public static void skip(ByteBuffer source) throws ShipmentException {
    read(source);
    source.position(source.position() + payloadBytes(source));
  }
}
