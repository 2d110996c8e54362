package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CompressorsTest extends CompressorBattery {
  @Override
  Stream<Compressor> compressors() {
    return thatCompress();
  }

  /** All compressors but {@code none}, which stores segments as they are. */
  static Stream<Compressor> thatCompress() {
    return Compressors.all().stream().filter(c -> c.id() != Compressor.STORED_ID);
  }

  /** This library's compressors; users' compressors may have other messages. */
  static Stream<Compressor> ours() {
    return thatCompress().filter(c -> c.id() <= Codec.MAX_RESERVED_ID);
  }

  @ParameterizedTest
  @MethodSource("ours")
  void namesTheSizesThatDoNotAgree(Compressor compressor) {
    ByteBuffer compressed = ByteBuffer.allocateDirect(2_000);
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      segments.compress(ByteBuffer.allocateDirect(3_000), compressed);
      int bytes = compressed.flip().remaining();

      assertThatThrownBy(() -> segments.decompress(compressed, ByteBuffer.allocateDirect(3_001)))
          .isInstanceOf(ShipmentException.class)
          .hasMessageContaining(
              "%,d bytes of %s do not decompress to 3,001 bytes", bytes, compressor.name());
    }
  }

  @Test
  void refusesADictionaryAboveThatOfTheLargestSegment() throws ShipmentException {
    byte[] text = SampleBytes.TEXT.ofBytes(100);
    ByteBuffer compressed = ByteBuffer.allocateDirect(1_000);
    ByteBuffer restored = ByteBuffer.allocateDirect(100);
    try (SegmentCompressor xz = Compressors.ofName("xz").newSegmentCompressor()) {
      assertThat(xz.compress(ByteBuffer.allocateDirect(100).put(text).flip(), compressed)).isTrue();
      byte[] stream = new byte[compressed.flip().remaining()];
      compressed.get(stream);

      XzHeader.stateDictionary(stream, XzHeader.DICTIONARY_OF_4_MIB);
      xz.decompress(compressed.clear().put(stream).flip(), restored);
      assertThat(restored.flip()).isEqualTo(ByteBuffer.wrap(text));

      XzHeader.stateDictionary(stream, XzHeader.DICTIONARY_OF_6_MIB);
      ByteBuffer tooLarge = compressed.clear().put(stream).flip();
      assertThatThrownBy(() -> xz.decompress(tooLarge, restored.clear()))
          .isInstanceOf(ShipmentException.class)
          .hasMessageContaining("MemoryLimitException");
    }
  }

  /** The library falls back to Java if it has no native code for the machine. */
  @Test
  void lz4IsNativeAndChecksLengths() {
    assertThat(LZ4Factory.fastestInstance().toString()).contains("JNI");
    assertThat(LZ4Factory.fastestInstance().safeDecompressor().toString())
        .contains("LZ4JNISafeDecompressor");
  }

  @Nested
  @Tag("nightly")
  class AtTheLowestAndTheHighestLevel extends CompressorBattery {
    @Override
    Stream<Compressor> compressors() {
      return thatCompress()
          .filter(compressor -> compressor.levels().any())
          .flatMap(
              compressor ->
                  Stream.of(compressor.levels().min(), compressor.levels().max())
                      .map(compressor::atLevel));
    }
  }
}
