package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The library's batteries with the serializers of this module, as segments and streams. */
class StudyCodecsTest {
  @Nested
  class Golden extends GoldenCodecTest {
    @Override
    Stream<CodecPair> files() {
      return super.files().filter(StudyCodecsTest::isOfThisModule);
    }
  }

  private static boolean isOfThisModule(CodecPair pair) {
    return pair.serializer().getClass().getName().startsWith("io.drayage.baseline.");
  }

  @Nested
  @Tag("ci")
  class HostileInputs extends HostileInputsTest {}

  @Nested
  @Tag("nightly")
  class HostileSegments extends HostileBytesTest {}

  @Nested
  @Tag("nightly")
  class Guarded extends GuardedSerializerTest {}

  @Nested
  @Tag("nightly")
  class LargestSegments extends LargestSegmentsTest {}

  @Nested
  @Tag("nightly")
  class OnDemandCargo extends OnDemandCargoTest {}

  @Nested
  @Tag("nightly")
  class SegmentsRoundTrip extends SegmentsRoundTripTest {}

  @Nested
  @Tag("nightly")
  class HostileStream extends HostileBytesTest {
    @Override
    Class<?> main() {
      return HostileStreams.class;
    }
  }

  @Nested
  @Tag("ci")
  class StreamRoundTrip extends RoundTripBattery {
    @Override
    Trip trip(CodecPair pair) {
      return new StreamTrip(pair);
    }

    /** Object streams write every NaN of an array of doubles with the canonical bits. */
    @Override
    boolean keepsNanPayloads(CodecPair pair) {
      return !pair.serializer().name().startsWith("java");
    }
  }

  /** Compressors in a stream. */
  @Nested
  class StreamGolden extends GoldenCodecTest {
    @Override
    Stream<CodecPair> files() {
      return super.files().filter(pair -> pair.compressor().id() != Compressor.STORED_ID);
    }

    @Override
    String suffix() {
      return "stream";
    }

    @Override
    byte[] write(CodecPair pair, ChangeCargo cargo) throws IOException {
      return new StreamTrip(pair).write(cargo);
    }

    @Override
    ChangeCargo read(CodecPair pair, InputStream bytes) throws IOException {
      return new StreamTrip(pair).read(bytes, Trip.MAX_CARGO_BYTES);
    }
  }
}
