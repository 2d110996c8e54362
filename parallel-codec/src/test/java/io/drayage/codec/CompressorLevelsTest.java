package io.drayage.codec;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Runs the tests at the lowest and the highest levels. */
@Tag("nightly")
final class CompressorLevelsTest extends CompressorBattery {
  @Override
  Stream<Compressor> compressors() {
    return CompressorsTest.thatCompress()
        .filter(compressor -> compressor.levels().any())
        .flatMap(
            compressor ->
                Stream.of(compressor.levels().min(), compressor.levels().max())
                    .map(compressor::atLevel));
  }
}
