package io.drayage.codec;

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
 * LZMA2 in the xz format, in Java. The streams are those of the library, as the study had them: a
 * CRC-64 for each block, and a flush ends a chunk. The stream that writes takes from 3 MiB of heap
 * at level 0 to 674 MiB at level 9.
 */
record XzCompressor(int level) implements Compressor {
  static final Levels LEVELS = new Levels(LZMA2Options.PRESET_MIN, LZMA2Options.PRESET_MAX, 0);

  /** The largest dictionary that is read, which is that of level 9. */
  private static final int MAX_DICTIONARY_BYTES = 64 << 20;

  /**
   * A repeated match, which stands for at most 273 bytes, takes 14 binary decisions: 4 for its
   * kind, 2 for the class of its length and 8 for the length. None takes less than {@code
   * log2(2048/2017)} = 0.02201 bits, since probabilities of 11 bits that adapt by a 32nd stay at 31
   * or above. So no byte stands for more than 273 * 8 / (14 * 0.02201) = 7,088.
   */
  private static final int MAX_RATIO = 7_100;

  XzCompressor {
    LEVELS.require(level, "xz");
  }

  XzCompressor() {
    this(LEVELS.defaultLevel());
  }

  @Override
  public int id() {
    return 6;
  }

  @Override
  public String name() {
    return "xz";
  }

  @Override
  public Levels levels() {
    return LEVELS;
  }

  @Override
  public Compressor atLevel(int level) {
    return new XzCompressor(level);
  }

  @Override
  public int maxRatio() {
    return MAX_RATIO;
  }

  @Override
  public OutputStream compressing(OutputStream out) throws IOException {
    return new XZOutputStream(out, new LZMA2Options(level));
  }

  /** Takes no more memory than level 9 needs, 65 MiB, once for all blocks. */
  @Override
  public InputStream decompressing(InputStream in) throws IOException {
    return decompressing(in, MAX_DICTIONARY_BYTES);
  }

  private static InputStream decompressing(InputStream in, int dictionaryBytes) throws IOException {
    int limitKiB = LZMA2InputStream.getMemoryUsage(dictionaryBytes);
    return new XZInputStream(in, limitKiB, true, new BasicArrayCache());
  }

  /** All blocks get the dictionary of the first one. */
  @Override
  public InputStream decompressing(InputStream in, MemoryCharge memory) throws IOException {
    PushbackInputStream peeked = new PushbackInputStream(in, XzDictionary.HEADERS_BYTES);
    byte[] headers = peeked.readNBytes(XzDictionary.HEADERS_BYTES);
    peeked.unread(headers);
    int dictionaryBytes = XzDictionary.bytes(headers, MAX_DICTIONARY_BYTES);
    memory.charge((long) LZMA2InputStream.getMemoryUsage(dictionaryBytes) << 10);
    return decompressing(peeked, dictionaryBytes);
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new XzSegmentCompressor(name(), level);
  }
}
