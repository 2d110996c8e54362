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
 * Compressors as streams: those of the study as the libraries' own streams, as the study had them,
 * any other as blocks ({@link BlockOutputStream}).
 */
public final class CompressorStreams {
  private static final long UNKNOWN_LZ4_BYTES = -1;

  private CompressorStreams() {}

  /** A stream that compresses into {@code out}; closing it ends the compressed data. */
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
   * The LZ4 frame format with independent blocks of 4 MB and without checksums, as the study had
   * it. A flush ends a block, and clears the whole output buffer of 4 MB before; the study's flaw.
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

  /** In the zlib format, with the JDK's buffer of 512 bytes; a flush does not end a block. */
  private static OutputStream deflating(OutputStream out, int level) {
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

  /**
   * A stream of what was compressed into {@code in}. If reading it may take much memory, what the
   * bytes state is charged first, and later bytes cannot ask for more.
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
   * It holds at most two blocks of 4 MB, the largest that the format knows, whatever the bytes
   * state, and allocates them as the bytes arrive.
   */
  private static InputStream fromLz4(InputStream in) throws IOException {
    return new LZ4FrameInputStream(
        in,
        LZ4Factory.fastestInstance().safeDecompressor(),
        XXHashFactory.fastestInstance().hash32());
  }
}
