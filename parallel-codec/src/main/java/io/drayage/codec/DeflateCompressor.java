package io.drayage.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Deflate as the JDK has it, in the zlib format. The streams are the JDK's own, with their buffers
 * of 512 bytes, as the study had them; a flush does not end a block.
 */
record DeflateCompressor(int level) implements Compressor {
  static final Levels LEVELS = new Levels(Deflater.BEST_SPEED, Deflater.BEST_COMPRESSION, 6);

  /**
   * A match of 258 bytes takes at least 2 bits, one for its length and one for its distance: <a
   * href="https://zlib.net/zlib_tech.html">zlib technical details</a>, maximum compression factor.
   */
  private static final int MAX_RATIO = 1_032;

  DeflateCompressor {
    LEVELS.require(level, "deflate");
  }

  DeflateCompressor() {
    this(LEVELS.defaultLevel());
  }

  @Override
  public int id() {
    return 5;
  }

  @Override
  public String name() {
    return "deflate";
  }

  @Override
  public Levels levels() {
    return LEVELS;
  }

  @Override
  public Compressor atLevel(int level) {
    return new DeflateCompressor(level);
  }

  @Override
  public int maxRatio() {
    return MAX_RATIO;
  }

  @Override
  public OutputStream compressing(OutputStream out) {
    return new DeflaterOutputStream(out, new Deflater(level)) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } finally {
          def.end(); // A deflater that was handed in is not ended by the stream.
        }
      }
    };
  }

  @Override
  public InputStream decompressing(InputStream in) {
    return new InflaterInputStream(in);
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new DeflateSegmentCompressor(name(), level);
  }
}
