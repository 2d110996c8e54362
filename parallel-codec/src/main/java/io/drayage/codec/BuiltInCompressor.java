package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
import java.util.zip.Deflater;
import org.tukaani.xz.LZMA2Options;

/**
 * A compressor of this library: one for each format, and others of the format by {@link #atLevel}.
 *
 * @param segments makes the compressor of single segments, at a level
 */
record BuiltInCompressor(
    int id,
    String name,
    Levels levels,
    int level,
    int maxRatio,
    IntFunction<SegmentCompressor> segments)
    implements Compressor {

  /** Each format at its default level. */
  static List<BuiltInCompressor> all() {
    return List.of(
        of(STORED_ID, "none", Levels.NONE, 1, level -> new Stored()),
        of(2, "lz4", Levels.NONE, Lz4Segments.MAX_RATIO, level -> Lz4Segments.fast()),
        of(3, "lz4hc", new Levels(1, 17, 9), Lz4Segments.MAX_RATIO, Lz4Segments::high),
        of(4, "zstd", new Levels(1, 22, 3), ZstdSegments.MAX_RATIO, ZstdSegments::new),
        of(
            5,
            "deflate",
            new Levels(Deflater.BEST_SPEED, Deflater.BEST_COMPRESSION, 6),
            DeflateSegments.MAX_RATIO,
            DeflateSegments::new),
        of(
            6,
            "xz",
            new Levels(LZMA2Options.PRESET_MIN, LZMA2Options.PRESET_MAX, 0),
            XzSegments.MAX_RATIO,
            XzSegments::new));
  }

  private static BuiltInCompressor of(
      int id, String name, Levels levels, int maxRatio, IntFunction<SegmentCompressor> segments) {
    return new BuiltInCompressor(id, name, levels, levels.defaultLevel(), maxRatio, segments);
  }

  @Override
  public Compressor atLevel(int level) {
    return new BuiltInCompressor(id, name, levels, levels.require(level, name), maxRatio, segments);
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return segments.apply(level);
  }

  @Override
  public String toString() {
    return format("%s:%d", name, level);
  }

  /** Never compresses, so that every segment is stored as it is. */
  private static final class Stored implements SegmentCompressor {
    @Override
    public boolean compress(ByteBuffer source, ByteBuffer target) {
      return false;
    }

    @Override
    public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
      throw new ShipmentException(
          Fault.DECODE, "bytes of the compressor 'none' cannot be decompressed");
    }

    @Override
    public void close() {}
  }
}
