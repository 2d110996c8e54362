package io.drayage.baseline.stream;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.drayage.internal.ZstdLibrary;
import io.drayage.memory.MemoryCharge;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Zstandard as one frame, in which a flush ends a block. The streams hold native memory until they
 * are closed: up to 128 MiB to read and, at level 22, about 1 GB to write. The window that a reader
 * needs is charged first, as the header of the frame states it (RFC 8878, section 3.1.1.1):
 *
 * <pre>
 *   0            4            5                   6
 *   +------------+------------+-------------------+--------------+--------------------+
 *   | magic      | descriptor | window, unless    | dictionary   | content size       |
 *   | 0xFD2FB528 |            | a single segment  | 0, 1, 2, 4   | 0, 1, 2, 4, 8      |
 *   +------------+------------+-------------------+--------------+--------------------+
 * </pre>
 */
final class ZstdStreams {
  /** The longest header. */
  private static final int HEADER_BYTES = 18;

  /** Bytes that a decoder needs besides its window: tables, a block and bytes read ahead. */
  static final int CONTEXT_BYTES = 512 << 10;

  /** The smallest limit that the library accepts. */
  private static final int MIN_LOG = 10;

  /**
   * The largest window that is read, as a power of two: 128 MiB. Level 22 writes it. A frame with a
   * larger window is refused.
   */
  private static final int MAX_LOG = 27;

  private static final int MAGIC = 0xFD2FB528;
  private static final int DESCRIPTOR = 4;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

  private ZstdStreams() {}

  static OutputStream compressing(OutputStream out, int level) throws IOException {
    ZstdLibrary.require();
    return new ZstdOutputStreamNoFinalizer(out, level);
  }

  /** Decompresses. All frames get the window of the first one, rounded up to a power of two. */
  static InputStream decompressing(InputStream in, MemoryCharge memory) throws IOException {
    ZstdLibrary.require();
    PushbackInputStream peeked = new PushbackInputStream(in, HEADER_BYTES);
    byte[] header = peeked.readNBytes(HEADER_BYTES);
    peeked.unread(header);
    int windowLog = windowLog(header);
    memory.charge((1L << windowLog) + CONTEXT_BYTES);
    return new ZstdInputStreamNoFinalizer(peeked).setLongMax(windowLog);
  }

  /**
   * Returns the window that this frame needs, as a power of two, rounded up; {@link #MAX_LOG} for
   * any other beginning. The decoder itself refuses a larger one.
   */
  private static int windowLog(byte[] header) {
    ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    if (header.length < DESCRIPTOR + 2 || bytes.getInt(0) != MAGIC) {
      return MAX_LOG; // A skippable frame, or an invalid one.
    }
    int descriptor = header[DESCRIPTOR];
    long windowBytes =
        (descriptor & SINGLE_SEGMENT) == 0
            ? stated(header[DESCRIPTOR + 1] & 0xFF)
            : contentBytes(bytes, descriptor);
    if (windowBytes < 0 || windowBytes > 1L << MAX_LOG) {
      return MAX_LOG;
    }
    int log = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, windowBytes) - 1);
    return Math.max(MIN_LOG, log);
  }

  private static long stated(int windowDescriptor) {
    long base = 1L << (10 + (windowDescriptor >> 3));
    return base + base / 8 * (windowDescriptor & 7);
  }

  /** Size of the content: a single segment needs no larger window. Negative if not stated. */
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
