package io.drayage.baseline.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.SampleBytes;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory for reading a stream is charged before it is allocated. */
@Tag("ci")
final class StreamMemoryTest {
  private static final byte[] CONTENT = SampleBytes.TEXT.ofBytes(100_000);

  private final List<Long> charged = new ArrayList<>();

  private static byte[] compressed(Compressor compressor) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = CompressorStreams.compressing(compressor, compressed)) {
      out.write(CONTENT);
      out.flush(); // With the size unknown, a zstd frame states its window.
    }
    return compressed.toByteArray();
  }

  private byte[] read(Compressor compressor, byte[] compressed) throws IOException {
    try (InputStream in =
        CompressorStreams.decompressing(
            compressor, new ByteArrayInputStream(compressed), charged::add)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "zstd, 3, 2_097_152, 3_000_000",
    "zstd, 22, 134_217_728, 135_000_000",
    "xz, 0, 262_144, 400_000",
    "xz, 6, 8_388_608, 8_600_000",
    "xz, 9, 67_108_864, 68_000_000",
  })
  void isWhatTheHeaderSays(String name, int level, String least, String most) throws IOException {
    Compressor compressor = Compressors.ofName(name).atLevel(level);

    assertThat(read(compressor, compressed(compressor))).isEqualTo(CONTENT);

    assertThat(charged).hasSize(1);
    assertThat(charged.get(0)).isBetween(bytes(least), bytes(most));
  }

  private static long bytes(String number) {
    return Long.parseLong(number.replace("_", ""));
  }

  @Test
  void isTheContentOfAZstandardFrameInOneSegment() throws IOException {
    byte[] compressed = com.github.luben.zstd.Zstd.compress(CONTENT);

    assertThat(read(Compressors.ofName("zstd"), compressed)).isEqualTo(CONTENT);

    assertThat(charged).containsExactly((1L << 17) + ZstdStreams.CONTEXT_BYTES);
  }

  @Test
  void isAllThatALaterFrameGets() throws IOException {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int windowLog : new int[] {15, 20}) {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      try (OutputStream out = new ZstdOutputStreamNoFinalizer(frame, 1).setWindowLog(windowLog)) {
        out.write(CONTENT);
        out.flush();
      }
      frame.writeTo(frames);
    }

    assertThatThrownBy(() -> read(Compressors.ofName("zstd"), frames.toByteArray()))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?i).*memory.*");
    assertThat(charged).containsExactly((1L << 15) + ZstdStreams.CONTEXT_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "xz"})
  void isRefusedBeforeAnythingIsRead(String name) throws IOException {
    Compressor compressor = Compressors.ofName(name);
    InputStream in = new ByteArrayInputStream(compressed(compressor));

    assertThatThrownBy(
            () ->
                CompressorStreams.decompressing(
                    compressor,
                    in,
                    bytes -> {
                      throw new ShipmentException(Fault.BUSY, "no room for " + bytes);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no room for");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "lz4hc", "deflate"})
  void isNothingThatCountsForOthers(String name) throws IOException {
    Compressor compressor = Compressors.ofName(name);

    assertThat(read(compressor, compressed(compressor))).isEqualTo(CONTENT);

    assertThat(charged).isEmpty();
  }
}
