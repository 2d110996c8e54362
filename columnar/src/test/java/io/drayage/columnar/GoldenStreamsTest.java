package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that streams of every encoding stay readable forever, by frozen streams in {@code
 * src/test/resources/golden/columnar/}. This command writes only the missing ones:
 *
 * <pre>mvn test -pl columnar -am -Dtest=GoldenStreamsTest -Ddrayage.golden.write=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Timeout(180)
class GoldenStreamsTest {
  private static final int COUNT = 1_100;

  /** Number of values for an encoding with blocks of 4,096 values. */
  private static final int NARROW_COUNT = 4_596;

  /** The name for differences from values a distance before. */
  private static final String DISTANT = "BINS-DISTANT";

  private final EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(NARROW_COUNT);

  static Stream<Arguments> streams() {
    EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(NARROW_COUNT);
    return Stream.concat(EncodedStreams.NAMES.stream(), Stream.of(DISTANT))
        .flatMap(e -> EncodedStreams.TYPES.stream().map(type -> Arguments.of(e, type)))
        .filter(arguments -> write(trip, arguments) != null);
  }

  private static ByteBuffer write(EncodedStreams.BufferTrip trip, Arguments arguments) {
    String encoding = (String) arguments.get()[0];
    ColumnType type = (ColumnType) arguments.get()[1];
    return trip.write(encodingOf(encoding), type, bits(encoding, type));
  }

  private static int count(String encoding) {
    return encoding.equals("NARROW") ? NARROW_COUNT : COUNT;
  }

  private static String encodingOf(String name) {
    return name.equals(DISTANT) ? "BINS" : name;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("streams")
  void frozenStreamsAreStillRead(String encoding, ColumnType type)
      throws IOException, ShipmentException {
    String name = "%s-%s.stream".formatted(encoding, type);
    byte[] bytes = EncodedStreams.golden(name, write(trip, Arguments.of(encoding, type)));
    ByteBuffer source = EncodedStreams.buffer(NARROW_COUNT).put(bytes).flip();

    assertThat(bytes[0])
        .isEqualTo((byte) EncodedStreams.encoding(trip.codec, encodingOf(encoding)).id());
    assertThat(trip.read(source, type, count(encoding))).isEqualTo(bits(encoding, type));
  }

  /** Computes the bits by a formula, not by a random generator: they must never change. */
  private static long[] bits(String encoding, ColumnType type) {
    long[] bits = new long[count(encoding)];
    for (int i = 0; i < bits.length; i++) {
      int at = encoding.equals("REPEAT") && i != 700 ? i % 52 : i;
      long integer = 1_000L + at / 3 * 7L + (at % 50 == 9 ? 1_000_000_007L * at : 0);
      integer = encoding.equals(DISTANT) ? i % 3 * 500_000_000L + i / 3 * 1_000L : integer;
      integer = encoding.equals("GCD") ? 1_000L + i * 7_919L % 1_000 * 24L : integer;
      double value = encoding.equals("ALP") ? integer / 100.0 : StrictMath.sqrt((double) integer);
      bits[i] =
          switch (type) {
            case DOUBLE -> Double.doubleToRawLongBits(encoding.equals("GCD") ? integer : value);
            case FLOAT -> Float.floatToRawIntBits(encoding.equals("GCD") ? integer : (float) value);
            default -> integer;
          };
    }
    return EncodedStreams.cast(type, bits);
  }
}
