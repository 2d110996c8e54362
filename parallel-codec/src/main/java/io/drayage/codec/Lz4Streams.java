package io.drayage.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The LZ4 frame format with independent blocks of 4 MB and without checksums, as the study had it.
 * A flush ends a block, and clears the whole output buffer of 4 MB before; the study's flaw.
 */
final class Lz4Streams {
  /**
   * A byte that prolongs a match stands for 255 bytes, and no byte stands for more: <a
   * href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>.
   */
  static final int MAX_RATIO = 255;

  private static final long UNKNOWN_BYTES = -1;

  private Lz4Streams() {}

  static OutputStream compressing(OutputStream out, LZ4Compressor compressor) throws IOException {
    return new LZ4FrameOutputStream(
        out,
        BLOCKSIZE.SIZE_4MB,
        UNKNOWN_BYTES,
        compressor,
        XXHashFactory.fastestInstance().hash32(),
        FLG.Bits.BLOCK_INDEPENDENCE);
  }

  /**
   * Holds at most two blocks of 4 MB, the largest that the format knows, whatever the bytes say,
   * and takes them as the bytes arrive.
   */
  static InputStream decompressing(InputStream in) throws IOException {
    return new LZ4FrameInputStream(
        in,
        LZ4Factory.fastestInstance().safeDecompressor(),
        XXHashFactory.fastestInstance().hash32());
  }
}
