package io.drayage.baseline.stream;

import io.drayage.memory.MemoryCharge;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import org.tukaani.xz.BasicArrayCache;
import org.tukaani.xz.LZMA2InputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * The xz format, with a CRC-64 for each block. A flush ends a chunk. The stream that writes needs
 * from 3 MiB of heap at level 0 to 674 MiB at level 9. The dictionary that a reader needs is
 * charged first, as the header of the first block states it (The .xz File Format 1.2.0, sections
 * 2.1.1, 3.1 and 5.3.1) if there is one filter and the sizes are unknown:
 *
 * <pre>
 *   0               12     13      14     15     16
 *   +---------------+------+-------+------+------+------------+
 *   | stream header | size | flags | 0x21 | 1    | dictionary |
 *   +---------------+------+-------+------+------+------------+
 * </pre>
 */
final class XzStreams {
  private static final int HEADERS_BYTES = 17;

  /** The largest dictionary that is read: the dictionary of level 9. */
  private static final int MAX_DICTIONARY_BYTES = 64 << 20;

  private static final int FLAGS = 13;
  private static final int LZMA2 = 0x21;
  private static final int LARGEST_CODE = 40;

  private XzStreams() {}

  static OutputStream compressing(OutputStream out, int level) throws IOException {
    return new XZOutputStream(out, new LZMA2Options(level));
  }

  /** Returns a stream whose blocks all get the dictionary of the first block. */
  static InputStream decompressing(InputStream in, MemoryCharge memory) throws IOException {
    PushbackInputStream peeked = new PushbackInputStream(in, HEADERS_BYTES);
    byte[] headers = peeked.readNBytes(HEADERS_BYTES);
    peeked.unread(headers);
    int limitKiB = LZMA2InputStream.getMemoryUsage(dictionaryBytes(headers));
    memory.charge((long) limitKiB << 10);
    return new XZInputStream(peeked, limitKiB, true, new BasicArrayCache());
  }

  /**
   * Returns the size of the dictionary that this stream needs; the largest for any other beginning.
   * The decoder itself refuses a larger one.
   */
  private static int dictionaryBytes(byte[] headers) {
    if (headers.length < HEADERS_BYTES
        || headers[FLAGS] != 0
        || headers[FLAGS + 1] != LZMA2
        || headers[FLAGS + 2] != 1) {
      return MAX_DICTIONARY_BYTES;
    }
    int code = headers[FLAGS + 3];
    if (code < 0 || code >= LARGEST_CODE) {
      return MAX_DICTIONARY_BYTES;
    }
    long bytes = (2L | (code & 1)) << (code / 2 + 11);
    return (int) Math.min(MAX_DICTIONARY_BYTES, Math.max(LZMA2Options.DICT_SIZE_MIN, bytes));
  }
}
