package io.drayage.baseline.stream;

import io.drayage.codec.Compressor;
import io.drayage.receive.MemoryCharge;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4Factory;

/**
 * Compressors as streams: those of the study as the libraries' own streams, as the study had them,
 * any other as blocks ({@link BlockOutputStream}).
 */
public final class CompressorStreams {
  private CompressorStreams() {}

  /** A stream that compresses into {@code out}; closing it ends the compressed data. */
  public static OutputStream compressing(Compressor compressor, OutputStream out)
      throws IOException {
    return switch (compressor.name()) {
      case "none" -> out;
      case "lz4" -> Lz4Streams.compressing(out, LZ4Factory.fastestInstance().fastCompressor());
      case "lz4hc" ->
          Lz4Streams.compressing(
              out, LZ4Factory.fastestInstance().highCompressor(compressor.level()));
      case "zstd" -> ZstdStreams.compressing(out, compressor.level());
      case "deflate" -> deflating(out, compressor.level());
      case "xz" -> XzStreams.compressing(out, compressor.level());
      default -> new BlockOutputStream(compressor, out);
    };
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
      case "lz4", "lz4hc" -> Lz4Streams.decompressing(in);
      case "zstd" -> ZstdStreams.decompressing(in, memory);
      case "deflate" -> new InflaterInputStream(in);
      case "xz" -> XzStreams.decompressing(in, memory);
      default -> new BlockInputStream(compressor, in);
    };
  }
}
