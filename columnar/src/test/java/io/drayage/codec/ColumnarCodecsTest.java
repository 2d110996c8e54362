package io.drayage.codec;

import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The library's batteries, which find the serializer of this module. */
class ColumnarCodecsTest {
  @Nested
  class Golden extends GoldenCodecTest {
    @Override
    Stream<CodecPair> files() {
      return Stream.of(CodecPair.of("columnar", "none"));
    }
  }

  @Nested
  class Segments extends SegmentSerializerBattery {
    Segments() {
      super("columnar");
    }
  }

  @Nested
  class HostileInputs extends HostileInputsTest {}

  @Nested
  @Tag("nightly")
  class HostileSegments extends HostileBytesTest {}

  @Nested
  @Tag("nightly")
  class Guarded extends GuardedSerializerTest {}
}
