package io.drayage.bench.columns;

import com.google.common.io.CountingOutputStream;
import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.codec.Compressors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measured files themselves. Jackson writes it unchanged.
 *
 * @param format {@code parquet}, {@code csv}, {@code cargo} and so on
 * @param bytes of all of them
 * @param zstd3Bytes of all of them one after the other as one frame of Zstandard at level 3
 * @param zstd3MBps speed of this compression, in MB/s (10^6) of these files
 */
public record InputFiles(String format, long bytes, long zstd3Bytes, double zstd3MBps) {
  private static final double BYTES_PER_NS_IN_MBPS = 1e3;

  /** Measures some files; null if there are none. */
  public static @Nullable InputFiles of(String format, List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return null;
    }
    CountingOutputStream compressed = new CountingOutputStream(OutputStream.nullOutputStream());
    long bytes = 0;
    long started = System.nanoTime();
    try (OutputStream zstd =
        CompressorStreams.compressing(Compressors.ofName("zstd").atLevel(3), compressed)) {
      for (Path file : files) {
        bytes += Files.copy(file, zstd);
      }
    }
    long ns = Math.max(1, System.nanoTime() - started);
    return new InputFiles(format, bytes, compressed.getCount(), bytes * BYTES_PER_NS_IN_MBPS / ns);
  }
}
