package io.drayage.codec;

import org.tukaani.xz.LZMA2Options;

/**
 * How large a dictionary the first block of an xz stream states (The .xz File Format 1.2.0,
 * sections 2.1.1, 3.1 and 5.3.1), as every writer of one filter and unknown sizes states it:
 *
 * <pre>
 *   0               12     13      14     15     16
 *   +---------------+------+-------+------+------+------------+
 *   | stream header | size | flags | 0x21 | 1    | dictionary |
 *   +---------------+------+-------+------+------+------------+
 * </pre>
 */
final class XzDictionary {
  /** What is looked at. */
  static final int HEADERS_BYTES = 17;

  private static final int FLAGS = 13;
  private static final int LZMA2 = 0x21;
  private static final int LARGEST_CODE = 40;

  private XzDictionary() {}

  /**
   * The dictionary that this stream needs.
   *
   * @param maxBytes what is assumed of any other beginning, and the most that is returned: the
   *     decoder refuses more by itself
   */
  static int bytes(byte[] headers, int maxBytes) {
    if (headers.length < HEADERS_BYTES
        || headers[FLAGS] != 0
        || headers[FLAGS + 1] != LZMA2
        || headers[FLAGS + 2] != 1) {
      return maxBytes;
    }
    int code = headers[FLAGS + 3];
    if (code < 0 || code >= LARGEST_CODE) {
      return maxBytes;
    }
    long bytes = (2L | (code & 1)) << (code / 2 + 11);
    return (int) Math.min(maxBytes, Math.max(LZMA2Options.DICT_SIZE_MIN, bytes));
  }
}
