package io.drayage.codec;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;

/**
 * Zstandard. As a stream: one frame, in which a flush ends a block. The streams hold native memory,
 * which closing them gives back: up to 128 MiB to read and, at level 22, about 1 GB to write.
 */
record ZstdCompressor(int level) implements Compressor {
  static final Levels LEVELS = new Levels(1, 22, 3);

  /**
   * The largest window that is read, as a power of two: 128 MiB. Level 22 writes it; a frame that
   * wants more is refused.
   */
  private static final int MAX_WINDOW_LOG = 27;

  /**
   * A block of 128 KiB, the largest there is, made of one repeated byte takes 4: its header of 3
   * and the byte (RFC 8878, sections 3.1.1.2.2 and 3.1.1.2.3). Any other kind takes more.
   */
  private static final int MAX_RATIO = (128 << 10) / 4;

  ZstdCompressor {
    LEVELS.require(level, "zstd");
  }

  ZstdCompressor() {
    this(LEVELS.defaultLevel());
  }

  @Override
  public int id() {
    return 4;
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public Levels levels() {
    return LEVELS;
  }

  @Override
  public Compressor atLevel(int level) {
    return new ZstdCompressor(level);
  }

  @Override
  public int maxRatio() {
    return MAX_RATIO;
  }

  @Override
  public OutputStream compressing(OutputStream out) throws IOException {
    return new ZstdOutputStreamNoFinalizer(out, level);
  }

  @Override
  public InputStream decompressing(InputStream in) throws IOException {
    return new ZstdInputStreamNoFinalizer(in).setLongMax(MAX_WINDOW_LOG);
  }

  /** All frames get the window of the first one, rounded up to a power of two. */
  @Override
  public InputStream decompressing(InputStream in, MemoryCharge memory) throws IOException {
    PushbackInputStream peeked = new PushbackInputStream(in, ZstdWindow.HEADER_BYTES);
    byte[] header = peeked.readNBytes(ZstdWindow.HEADER_BYTES);
    peeked.unread(header);
    int windowLog = ZstdWindow.log(header, MAX_WINDOW_LOG);
    memory.charge((1L << windowLog) + ZstdWindow.CONTEXT_BYTES);
    return new ZstdInputStreamNoFinalizer(peeked).setLongMax(windowLog);
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new ZstdSegmentCompressor(name(), level);
  }
}
