package io.drayage.codec;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** A segment as one LZ4 block, without a frame: its size stands in the segment's header. */
final class Lz4SegmentCompressor implements SegmentCompressor {
  private final String name;
  private final LZ4Compressor compressor;

  /** The one that checks every length against both buffers; the others trust their input. */
  private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();

  Lz4SegmentCompressor(String name, LZ4Compressor compressor) {
    this.name = name;
    this.compressor = compressor;
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
      return false; // The only way in which the library says that there is no room.
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

  /** Holds nothing. */
  @Override
  public void close() {}
}
