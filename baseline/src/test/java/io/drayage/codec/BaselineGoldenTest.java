package io.drayage.codec;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The same for the codecs of this module, and for compressors in a stream. */
class BaselineGoldenTest extends GoldenCodecTest {
  static Stream<Arguments> files() {
    return CodecPair.eachCodec().stream()
        .filter(GoldenCodecTest::isOurs)
        .flatMap(
            pair ->
                pair.compressor().id() == Compressor.STORED_ID
                    ? Stream.of(Arguments.of(pair, Form.SEGMENTS))
                    : Stream.of(Form.values()).map(form -> Arguments.of(pair, form)));
  }
}
