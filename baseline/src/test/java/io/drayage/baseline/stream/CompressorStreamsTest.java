package io.drayage.baseline.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.SampleBytes;
import io.drayage.codec.XzHeader;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The duties of a compressor's streams to the stream pipeline, also to charge its memory. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompressorStreamsTest {
  private static final byte[] CONTENT = SampleBytes.TEXT.ofBytes(100_000);
  private static final int[] SIZES = {0, 1, 2, 511, 512, 513, 65_537, (1 << 20) + 3};

  /** All compressors to be tested, at their default levels. */
  List<Compressor> compressors() {
    return Compressors.all();
  }

  /** Compressors whose compressed bytes can be distinguished from others. */
  Stream<Compressor> thatCompress() {
    return compressors().stream().filter(compressor -> compressor.id() != Compressor.STORED_ID);
  }

  /** Writes single bytes and blocks of many sizes, and flushes after each of {@code flushes}. */
  private static byte[] compress(Compressor compressor, byte[] content, int... flushes)
      throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    Random random = new Random(SampleBytes.SEED);
    try (OutputStream out = CompressorStreams.compressing(compressor, compressed)) {
      int done = 0;
      while (done < content.length) {
        int from = done;
        int bytes = Math.min(content.length - done, random.nextInt(3_000));
        if (bytes % 7 == 1) {
          bytes = 1;
          out.write(content[done]);
        } else {
          out.write(content, done, bytes);
        }
        done += bytes;
        int to = done;
        if (Arrays.stream(flushes).anyMatch(flush -> from < flush && flush <= to)) {
          out.flush();
        }
      }
    }
    return compressed.toByteArray();
  }

  /** Reads single bytes and blocks of many sizes to the end. */
  private static byte[] decompress(Compressor compressor, InputStream compressed)
      throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] block = new byte[3_000];
    Random random = new Random(SampleBytes.SEED);
    try (InputStream in = CompressorStreams.decompressing(compressor, compressed, charged -> {})) {
      while (true) {
        int wanted = random.nextInt(block.length);
        int bytes = wanted == 0 ? singleByte(in, block) : in.read(block, 0, wanted);
        if (bytes < 0) {
          assertThat(in.read()).isNegative();
          return content.toByteArray();
        }
        content.write(block, 0, bytes);
      }
    }
  }

  private static int singleByte(InputStream in, byte[] block) throws IOException {
    int value = in.read();
    block[0] = (byte) value;
    return value < 0 ? -1 : 1;
  }

  private static byte[] decompress(Compressor compressor, byte[] compressed) throws IOException {
    return decompress(compressor, new ByteArrayInputStream(compressed));
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void restoreEverySample(Compressor compressor) throws IOException {
    for (SampleBytes sample : SampleBytes.values()) {
      for (int size : SIZES) {
        byte[] content = sample.ofBytes(size);
        byte[] restored = decompress(compressor, compress(compressor, content));
        assertThat(Arrays.equals(restored, content)).as("%s, %,d bytes", sample, size).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void restoreWhatWasFlushedInBetween(Compressor compressor) throws IOException {
    for (SampleBytes sample : SampleBytes.values()) {
      byte[] content = sample.ofBytes(200_000);
      byte[] compressed = compress(compressor, content, 1, 5_000, 100_000, 200_000);
      assertThat(decompress(compressor, compressed)).as("%s", sample).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void readFromASourceThatGivesSingleBytes(Compressor compressor) throws IOException {
    byte[] content = SampleBytes.TEXT.ofBytes(10_000);
    InputStream single =
        new ByteArrayInputStream(compress(compressor, content)) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(1, length));
          }
        };
    assertThat(decompress(compressor, single)).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("thatCompress")
  void failWhereTheBytesAreCutOff(Compressor compressor) throws IOException {
    byte[] compressed = compress(compressor, SampleBytes.TEXT.ofBytes(600), 300);
    // An empty input may be an empty stream; then a serializer misses its bytes.
    for (int bytes = 1; bytes < compressed.length; bytes++) {
      byte[] cut = Arrays.copyOf(compressed, bytes);
      assertThatThrownBy(() -> decompress(compressor, cut))
          .as("cut off after %,d of %,d bytes", bytes, compressed.length)
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("thatCompress")
  void surviveRandomBytes(Compressor compressor) throws IOException {
    Random random = new Random(SampleBytes.SEED);
    byte[] head = compress(compressor, SampleBytes.TEXT.ofBytes(5_000));
    for (int i = 0; i < 200; i++) {
      byte[] garbage = new byte[64 + random.nextInt(3_000)];
      random.nextBytes(garbage);
      System.arraycopy(head, 0, garbage, 0, random.nextInt(64));
      assertThatThrownBy(() -> decompress(compressor, garbage))
          .as("garbage %d of seed %d", i, SampleBytes.SEED)
          .isInstanceOf(IOException.class);
    }
  }

  /** Reads everything at once, and adds the memory that is charged for it. */
  private static byte[] readAll(String name, byte[] compressed, List<Long> charged)
      throws IOException {
    try (InputStream in =
        CompressorStreams.decompressing(
            Compressors.ofName(name), new ByteArrayInputStream(compressed), charged::add)) {
      return in.readAllBytes();
    }
  }

  private static void assertRefused(String name, byte[] compressed, List<Long> charged) {
    assertThatThrownBy(() -> readAll(name, compressed, charged))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?i).*(memory|limit).*");
  }

  /** A frame whose header states a window, because its size is unknown. */
  private static byte[] zstd(int windowLog) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStreamNoFinalizer(frame, 1).setWindowLog(windowLog)) {
      out.write(CONTENT);
      out.flush();
    }
    return frame.toByteArray();
  }

  @Test
  void refuseAZstandardWindowAboveThatOfTheHighestLevel() throws IOException {
    assertRefused("zstd", zstd(28), new ArrayList<>());
  }

  @Test
  void refuseAnXzDictionaryAboveThatOfTheHighestLevel() throws IOException {
    byte[] bytes = compress(Compressors.ofName("xz"), SampleBytes.TEXT.ofBytes(100));
    XzHeader.stateDictionary(bytes, XzHeader.DICTIONARY_OF_96_MIB);
    assertRefused("xz", bytes, new ArrayList<>());
  }

  @ParameterizedTest
  @Tag("ci")
  @CsvSource({
    "zstd, 3, 2097152, 3000000",
    "zstd, 22, 134217728, 135000000",
    "xz, 0, 262144, 400000",
    "xz, 6, 8388608, 8600000",
    "xz, 9, 67108864, 68000000",
  })
  void chargeTheMemoryOfTheHeader(String name, int level, long least, long most)
      throws IOException {
    byte[] compressed = compress(Compressors.ofName(name).atLevel(level), CONTENT, CONTENT.length);
    List<Long> charged = new ArrayList<>();

    assertThat(readAll(name, compressed, charged)).isEqualTo(CONTENT);
    assertThat(charged).singleElement().satisfies(b -> assertThat(b).isBetween(least, most));
  }

  @Test
  @Tag("ci")
  void chargeTheContentOfAZstandardFrameInOneSegment() throws IOException {
    List<Long> charged = new ArrayList<>();

    assertThat(readAll("zstd", Zstd.compress(CONTENT), charged)).isEqualTo(CONTENT);
    assertThat(charged).containsExactly((1L << 17) + ZstdStreams.CONTEXT_BYTES);
  }

  @Test
  @Tag("ci")
  void giveALaterFrameOnlyTheMemoryOfTheFirst() throws IOException {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.write(zstd(15));
    frames.write(zstd(20));
    List<Long> charged = new ArrayList<>();

    assertRefused("zstd", frames.toByteArray(), charged);
    assertThat(charged).containsExactly((1L << 15) + ZstdStreams.CONTEXT_BYTES);
  }

  @ParameterizedTest
  @Tag("ci")
  @ValueSource(strings = {"zstd", "xz"})
  void refuseMemoryBeforeAnythingIsRead(String name) throws IOException {
    Compressor compressor = Compressors.ofName(name);
    InputStream in = new ByteArrayInputStream(compress(compressor, CONTENT, CONTENT.length));

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
  @Tag("ci")
  @ValueSource(strings = {"none", "lz4", "lz4hc", "deflate"})
  void chargeNothingForOthers(String name) throws IOException {
    List<Long> charged = new ArrayList<>();

    assertThat(readAll(name, compress(Compressors.ofName(name), CONTENT), charged))
        .isEqualTo(CONTENT);
    assertThat(charged).isEmpty();
  }
}
