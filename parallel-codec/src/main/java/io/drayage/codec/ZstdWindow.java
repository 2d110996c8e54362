package io.drayage.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How large a window a Zstandard frame states (RFC 8878, section 3.1.1.1).
 *
 * <pre>
 *   0            4            5                   6
 *   +------------+------------+-------------------+--------------+--------------------+
 *   | magic      | descriptor | window, unless    | dictionary   | content size       |
 *   | 0xFD2FB528 |            | a single segment  | 0, 1, 2, 4   | 0, 1, 2, 4, 8      |
 *   +------------+------------+-------------------+--------------+--------------------+
 * </pre>
 */
final class ZstdWindow {
  /** The longest header. */
  static final int HEADER_BYTES = 18;

  /** What a decoder takes beside its window: its tables, a block and what is read ahead. */
  static final int CONTEXT_BYTES = 512 << 10;

  /** The smallest limit that the library takes. */
  static final int MIN_LOG = 10;

  private static final int MAGIC = 0xFD2FB528;
  private static final int DESCRIPTOR = 4;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

  private ZstdWindow() {}

  /**
   * The window that this frame needs, as a power of two, rounded up.
   *
   * @param maxLog what is assumed of anything that is no such header, and the most that is
   *     returned: the decoder refuses more by itself
   */
  static int log(byte[] header, int maxLog) {
    ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    if (header.length < DESCRIPTOR + 2 || bytes.getInt(0) != MAGIC) {
      return maxLog; // A skippable frame, or nonsense.
    }
    int descriptor = header[DESCRIPTOR];
    long windowBytes =
        (descriptor & SINGLE_SEGMENT) == 0
            ? stated(header[DESCRIPTOR + 1] & 0xFF)
            : contentBytes(bytes, descriptor);
    if (windowBytes < 0 || windowBytes > 1L << maxLog) {
      return maxLog;
    }
    int log = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, windowBytes) - 1);
    return Math.max(MIN_LOG, log);
  }

  private static long stated(int windowDescriptor) {
    long base = 1L << (10 + (windowDescriptor >> 3));
    return base + base / 8 * (windowDescriptor & 7);
  }

  /** A single segment needs no window beyond its content. Negative if that is not there. */
  private static long contentBytes(ByteBuffer bytes, int descriptor) {
    int at = DESCRIPTOR + 1 + DICTIONARY_BYTES[descriptor & 3];
    int sizeFlag = (descriptor >> 6) & 3;
    int length = 1 << sizeFlag;
    if (at + length > bytes.limit()) {
      return -1;
    }
    return switch (sizeFlag) {
      case 0 -> bytes.get(at) & 0xFF;
      case 1 -> (bytes.getShort(at) & 0xFFFF) + 256;
      case 2 -> bytes.getInt(at) & 0xFFFFFFFFL;
      default -> bytes.getLong(at);
    };
  }
}
