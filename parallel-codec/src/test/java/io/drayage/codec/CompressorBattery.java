package io.drayage.codec;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the contract of compressors of single segments, at the lowest and the highest level. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CompressorBattery {
  private static final int[] SIZES = {
    0, 1, 2, 13, 100, 255, 256, 4_097, 65_535, 65_537, (1 << 20) + 3
  };

  /** The compressors to be tested, at their levels. */
  abstract Stream<Compressor> compressors();

  private static byte[] compress(SegmentCompressor compressor, byte[] content) {
    // Room for data that does not become smaller.
    GuardedBuffer target = GuardedBuffer.ofBytes(content.length + content.length / 64 + 1_024);
    GuardedBuffer source = GuardedBuffer.of(content);
    assertThat(compressor.compress(source.whole(), target.whole())).isTrue();
    return target.written();
  }

  /** Decompresses, and checks that no byte was written outside the target. */
  private static byte[] decompress(SegmentCompressor compressor, byte[] compressed, int bytes)
      throws ShipmentException {
    return decompress(compressor, GuardedBuffer.of(compressed).whole(), bytes);
  }

  private static byte[] decompress(SegmentCompressor compressor, ByteBuffer source, int bytes)
      throws ShipmentException {
    GuardedBuffer target = GuardedBuffer.ofBytes(bytes);
    ByteBuffer buffer = target.whole();
    try {
      compressor.decompress(source, buffer);
      assertThat(buffer.hasRemaining()).isFalse();
    } finally {
      target.assertNothingElseWritten(format("decompressing to %,d bytes", bytes));
    }
    return target.written();
  }

  private static void assertUndecodable(
      SegmentCompressor compressor, ByteBuffer source, int bytes, String description) {
    assertThatThrownBy(() -> decompress(compressor, source, bytes))
        .as(description)
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.DECODE))
        .message()
        .isNotBlank();
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void restoresEverySample(Compressor compressor) throws Exception {
    for (SampleBytes sample : SampleBytes.values()) {
      assertRestores(compressor, sample, SIZES);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void restoresTheLargestSegment(Compressor compressor) throws Exception {
    // Data that compresses best, and worst.
    assertRestores(compressor, SampleBytes.ZEROS, SegmentDecoder.MAX_SERIALIZED_BYTES);
    assertRestores(compressor, SampleBytes.RANDOM, SegmentDecoder.MAX_SERIALIZED_BYTES);
  }

  private static void assertRestores(Compressor compressor, SampleBytes sample, int... sizes)
      throws ShipmentException {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      for (int size : sizes) {
        byte[] content = sample.ofBytes(size);
        byte[] compressed = compress(segments, content);

        assertThat(Arrays.equals(decompress(segments, compressed, size), content))
            .as("%s of %,d bytes", sample, size)
            .isTrue();
        assertThat((long) compressed.length * compressor.maxRatio())
            .as("%s of %,d bytes in %,d", sample, size, compressed.length)
            .isGreaterThanOrEqualTo(size);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void saysThatIncompressibleBytesDoNotFit(Compressor compressor) throws Exception {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      for (int size : SIZES) {
        GuardedBuffer target = GuardedBuffer.ofBytes(Math.max(0, size - 1));
        ByteBuffer source = GuardedBuffer.of(SampleBytes.RANDOM.ofBytes(size)).whole();

        assertThat(segments.compress(source, target.whole())).as("%,d bytes", size).isFalse();
        target.assertNothingElseWritten(format("compressing %,d bytes", size));
      }
      byte[] text = SampleBytes.TEXT.ofBytes(100);
      assertThat(decompress(segments, compress(segments, text), 100)).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void writesNoFurtherThanItsTargetWhateverItsSize(Compressor compressor) throws Exception {
    byte[] text = SampleBytes.TEXT.ofBytes(2_000);
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      int needed = compress(segments, text).length;
      for (int size = 0; size <= needed; size++) {
        GuardedBuffer target = GuardedBuffer.ofBytes(size);
        boolean fits = segments.compress(GuardedBuffer.of(text).whole(), target.whole());

        target.assertNothingElseWritten(format("compressing into %,d bytes", size));
        if (fits) {
          assertThat(decompress(segments, target.written(), text.length)).isEqualTo(text);
        } else {
          assertThat(size).isLessThanOrEqualTo(needed);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void refusesWhatIsCutOffAnywhere(Compressor compressor) {
    byte[] text = SampleBytes.TEXT.ofBytes(300);
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      byte[] compressed = compress(segments, text);
      // The rest of the data lies behind the limit, and must not be read.
      GuardedBuffer source = GuardedBuffer.of(compressed);
      for (int bytes = 0; bytes < compressed.length; bytes++) {
        ByteBuffer cut = source.whole();
        cut.limit(cut.position() + bytes);
        assertUndecodable(segments, cut, text.length, format("cut off after %,d bytes", bytes));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void survivesEveryFlippedBit(Compressor compressor) {
    byte[] text = SampleBytes.TEXT.ofBytes(300);
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      byte[] compressed = compress(segments, text);
      for (int bit = 0; bit < compressed.length * 8; bit++) {
        compressed[bit / 8] ^= (byte) (1 << (bit % 8));
        survive(segments, compressed, text.length, format("bit %d flipped", bit));
        compressed[bit / 8] ^= (byte) (1 << (bit % 8));
      }
      assertThat(decompress(segments, compressed, text.length)).isEqualTo(text);
    } catch (ShipmentException e) {
      throw new AssertionError("cannot be used again after a failure", e);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void survivesRandomBytes(Compressor compressor) {
    Random random = new Random(SampleBytes.SEED);
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      byte[] head = compress(segments, SampleBytes.TEXT.ofBytes(5_000));
      for (int i = 0; i < 500; i++) {
        byte[] garbage = new byte[1 + random.nextInt(3_000)];
        random.nextBytes(garbage);
        int kept = Math.min(garbage.length, random.nextInt(64));
        System.arraycopy(head, 0, garbage, 0, Math.min(kept, head.length));
        survive(segments, garbage, 5_000, format("garbage %d of seed %d", i, SampleBytes.SEED));
      }
    }
  }

  /** Wrong bytes may come out, since frames have a checksum, but only as many as were asked for. */
  private static void survive(
      SegmentCompressor segments, byte[] compressed, int bytes, String description) {
    try {
      byte[] unused = decompress(segments, compressed, bytes);
    } catch (ShipmentException e) {
      assertThat(e.fault()).as(description).isEqualTo(Fault.DECODE);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void refusesAnotherSize(Compressor compressor) throws Exception {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      for (SampleBytes sample : SampleBytes.values()) {
        for (int size : new int[] {1, 300, 70_000, 200_000}) {
          byte[] content = sample.ofBytes(size);
          byte[] compressed = compress(segments, content);
          ByteBuffer source = GuardedBuffer.of(compressed).whole();
          String description = format("%s of %,d bytes", sample, size);
          assertUndecodable(segments, source.duplicate(), size - 1, description);
          assertUndecodable(segments, source.duplicate(), size + 1, description);
          assertUndecodable(segments, source.duplicate(), 0, description);
          assertThat(decompress(segments, compressed, size)).isEqualTo(content);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void refusesBytesBehindTheEnd(Compressor compressor) {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      for (int size : new int[] {0, 1, 300}) {
        byte[] compressed = compress(segments, SampleBytes.TEXT.ofBytes(size));
        for (int more : new int[] {1, 4, 100}) {
          byte[] longer = Arrays.copyOf(compressed, compressed.length + more);
          assertUndecodable(
              segments, GuardedBuffer.of(longer).whole(), size, format("%d bytes more", more));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void readsWhatAnotherLevelWrote(Compressor compressor) throws Exception {
    byte[] text = SampleBytes.TEXT.ofBytes(10_000);
    try (SegmentCompressor writer = compressor.newSegmentCompressor();
        SegmentCompressor reader = Compressors.ofName(compressor.name()).newSegmentCompressor()) {
      assertThat(decompress(reader, compress(writer, text), text.length)).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void serveOneThreadEach(Compressor compressor) throws Exception {
    List<Running<Boolean>> threads = new ArrayList<>();
    for (SampleBytes sample : List.of(SampleBytes.TEXT, SampleBytes.ZEROS)) {
      threads.add(
          Waiting.start(
              () -> {
                try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
                  for (int size = 60_000; size < 60_010; size++) {
                    byte[] content = sample.ofBytes(size);
                    byte[] restored = decompress(segments, compress(segments, content), size);
                    assertThat(Arrays.equals(restored, content)).as("%,d bytes", size).isTrue();
                  }
                }
                return true;
              }));
    }
    for (Running<Boolean> thread : threads) {
      assertThat(thread.get()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void isEqualToOneOfTheSameLevel(Compressor compressor) {
    Levels levels = compressor.levels();
    for (int level = levels.min(); level <= levels.max(); level++) {
      assertThat(compressor.atLevel(level))
          .isEqualTo(compressor.atLevel(level))
          .hasSameHashCodeAs(compressor.atLevel(level));
    }
    if (levels.any()) {
      assertThat(compressor.atLevel(levels.min())).isNotEqualTo(compressor.atLevel(levels.max()));
      assertThat(compressor.atLevel(levels.defaultLevel()))
          .isEqualTo(Compressors.ofName(compressor.name()));
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void refusesALevelThatThereIsNot(Compressor compressor) {
    Levels levels = compressor.levels();
    for (int level : new int[] {levels.min() - 1, levels.max() + 1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> compressor.atLevel(level))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(compressor.name())
          .hasMessageContaining(String.valueOf(level));
    }
  }
}
