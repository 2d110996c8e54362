package io.drayage.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.ZstdLibrary;
import java.nio.ByteBuffer;

/**
 * Zstandard. A segment is one frame. Decompression in one step needs no window, whatever size a
 * frame states, because the target serves as the window. A frame with a dictionary is refused.
 */
final class ZstdSegments implements SegmentCompressor {
  /**
   * A block of 128 KiB, the largest size, of one repeated byte needs 4 bytes: its header of 3 and
   * the byte (RFC 8878, sections 3.1.1.2.2 and 3.1.1.2.3). Any other kind of block needs more.
   */
  static final int MAX_RATIO = (128 << 10) / 4;

  private final ZstdCompressCtx compressor;
  private final ZstdDecompressCtx decompressor;

  /**
   * @throws UnsupportedOperationException that names the native library, if it cannot be loaded
   */
  ZstdSegments(int level) {
    ZstdLibrary.require();
    compressor = new ZstdCompressCtx();
    decompressor = new ZstdDecompressCtx();
    compressor.setLevel(level);
  }

  @Override
  public boolean compress(ByteBuffer source, ByteBuffer target) {
    if (!target.hasRemaining()) {
      return false;
    }
    int position = target.position();
    int bytes;
    try {
      bytes =
          compressor.compressDirectByteBuffer(
              target, position, target.remaining(), source, source.position(), source.remaining());
    } catch (ZstdException e) {
      if (e.getErrorCode() == Zstd.errDstSizeTooSmall()) {
        return false;
      }
      throw e;
    }
    target.position(position + bytes);
    return true;
  }

  @Override
  public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
    Decompression wanted = new Decompression("zstd", source.remaining(), target.remaining());
    int bytes;
    try {
      bytes =
          decompressor.decompressDirectByteBuffer(
              target,
              target.position(),
              target.remaining(),
              source,
              source.position(),
              source.remaining());
    } catch (ZstdException e) {
      throw wanted.failed(String.valueOf(e.getMessage()), e);
    }
    wanted.requireAll(bytes);
    target.position(target.limit());
  }

  @Override
  public void close() {
    compressor.close();
    decompressor.close();
  }
}
