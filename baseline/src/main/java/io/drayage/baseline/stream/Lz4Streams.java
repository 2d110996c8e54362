package io.drayage.baseline.stream;

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
   * Holds at most two blocks of 4 MB, the largest that the format knows, whatever the bytes state,
   * and allocates them as the bytes arrive.
   */
  static InputStream decompressing(InputStream in) throws IOException {
    return new LZ4FrameInputStream(
        in,
        LZ4Factory.fastestInstance().safeDecompressor(),
        XXHashFactory.fastestInstance().hash32());
  }
}
