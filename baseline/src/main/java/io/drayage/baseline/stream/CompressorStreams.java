package io.drayage.baseline.stream;

import io.drayage.codec.Compressor;
import io.drayage.memory.MemoryCharge;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Compressors as streams. The compressors of the study use the libraries' own streams, as in the
 * study. All others write blocks ({@link BlockOutputStream}).
 */
public final class CompressorStreams {
  private static final long UNKNOWN_LZ4_BYTES = -1;

  private CompressorStreams() {}

  /** Returns a stream that compresses into {@code out}. Closing it ends the compressed data. */
  public static OutputStream compressing(Compressor compressor, OutputStream out)
      throws IOException {
    return switch (compressor.name()) {
      case "none" -> out;
      case "lz4" -> lz4(out, LZ4Factory.fastestInstance().fastCompressor());
      case "lz4hc" -> lz4(out, LZ4Factory.fastestInstance().highCompressor(compressor.level()));
      case "zstd" -> ZstdStreams.compressing(out, compressor.level());
      case "deflate" -> deflating(out, compressor.level());
      case "xz" -> XzStreams.compressing(out, compressor.level());
      default -> new BlockOutputStream(compressor, out);
    };
  }

  /**
   * Returns a stream in the LZ4 frame format, with independent blocks of 4 MB and without
   * checksums, as in the study. A flaw of the study: a flush ends a block and first clears all 4 MB
   * of output.
   */
  private static OutputStream lz4(OutputStream out, LZ4Compressor compressor) throws IOException {
    return new LZ4FrameOutputStream(
        out,
        BLOCKSIZE.SIZE_4MB,
        UNKNOWN_LZ4_BYTES,
        compressor,
        XXHashFactory.fastestInstance().hash32(),
        FLG.Bits.BLOCK_INDEPENDENCE);
  }

  /** Returns a zlib stream, with the JDK's buffer of 512 bytes. A flush ends no block. */
  private static OutputStream deflating(OutputStream out, int level) {
    return new DeflaterOutputStream(out, new Deflater(level)) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } finally {
          def.end(); // The stream does not end a deflater that was handed in.
        }
      }
    };
  }

  /**
   * Returns a stream that decompresses {@code in}. If reading may need much memory, the memory that
   * the bytes state is charged first, and later bytes cannot ask for more.
   */
  public static InputStream decompressing(
      Compressor compressor, InputStream in, MemoryCharge memory) throws IOException {
    return switch (compressor.name()) {
      case "none" -> in;
      case "lz4", "lz4hc" -> fromLz4(in);
      case "zstd" -> ZstdStreams.decompressing(in, memory);
      case "deflate" -> new InflaterInputStream(in);
      case "xz" -> XzStreams.decompressing(in, memory);
      default -> new BlockInputStream(compressor, in);
    };
  }

  /**
   * Returns a stream that holds at most two blocks of 4 MB, the largest that the format allows,
   * whatever size the bytes state. It allocates the blocks as the bytes arrive.
   */
  private static InputStream fromLz4(InputStream in) throws IOException {
    return new LZ4FrameInputStream(
        in,
        LZ4Factory.fastestInstance().safeDecompressor(),
        XXHashFactory.fastestInstance().hash32());
  }
}
