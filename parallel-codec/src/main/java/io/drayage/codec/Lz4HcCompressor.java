package io.drayage.codec;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * LZ4 that searches longer and decompresses as fast. The native library takes the levels above 12
 * for 12.
 */
record Lz4HcCompressor(int level) implements Compressor {
  static final Levels LEVELS = new Levels(1, 17, 9);

  Lz4HcCompressor {
    LEVELS.require(level, "lz4hc");
  }

  Lz4HcCompressor() {
    this(LEVELS.defaultLevel());
  }

  @Override
  public int id() {
    return 3;
  }

  @Override
  public String name() {
    return "lz4hc";
  }

  @Override
  public Levels levels() {
    return LEVELS;
  }

  @Override
  public Compressor atLevel(int level) {
    return new Lz4HcCompressor(level);
  }

  @Override
  public int maxRatio() {
    return Lz4Compressor.MAX_RATIO;
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new Lz4Compressor.Segments(name(), highCompressor());
  }

  private LZ4Compressor highCompressor() {
    return LZ4Factory.fastestInstance().highCompressor(level);
  }
}
