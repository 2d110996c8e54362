package io.drayage.codec;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * LZ4 and LZ4HC, which differ only in how they compress. A segment is one block, without a frame:
 * the segment's header has its size.
 */
final class Lz4Segments implements SegmentCompressor {
  /**
   * A byte that extends a match stands for 255 bytes, and no byte stands for more: <a
   * href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>.
   */
  static final int MAX_RATIO = 255;

  private final String name;
  private final LZ4Compressor compressor;

  /** Checks every length against both buffers; the library's other decompressors do not. */
  private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();

  private Lz4Segments(String name, LZ4Compressor compressor) {
    this.name = name;
    this.compressor = compressor;
  }

  /** A compressor of LZ4. */
  static Lz4Segments fast() {
    return new Lz4Segments("lz4", LZ4Factory.fastestInstance().fastCompressor());
  }

  /** A compressor of LZ4HC: searches longer, decompresses as fast. Levels above 12 count as 12. */
  static Lz4Segments high(int level) {
    return new Lz4Segments("lz4hc", LZ4Factory.fastestInstance().highCompressor(level));
  }

  @Override
  public boolean compress(ByteBuffer source, ByteBuffer target) {
    int position = target.position();
    int bytes;
    try {
      bytes =
          compressor.compress(
              source, source.position(), source.remaining(), target, position, target.remaining());
    } catch (LZ4Exception e) {
      return false; // The library throws it if the target is too small.
    }
    target.position(position + bytes);
    return true;
  }

  @Override
  public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
    Decompression wanted = new Decompression(name, source.remaining(), target.remaining());
    int bytes;
    try {
      bytes =
          decompressor.decompress(
              source,
              source.position(),
              source.remaining(),
              target,
              target.position(),
              target.remaining());
    } catch (LZ4Exception e) {
      throw wanted.failed(String.valueOf(e.getMessage()), e);
    }
    wanted.requireAll(bytes);
    target.position(target.limit());
  }

  /** Does nothing: no resource is held. */
  @Override
  public void close() {}
}
