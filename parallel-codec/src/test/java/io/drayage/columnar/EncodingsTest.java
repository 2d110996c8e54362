package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every encoding by itself, whether or not it suits: values survive, broken bytes are refused. */
@Timeout(120)
class EncodingsTest {
  private static final int[] COUNTS = {1, 2, 63, 64, 65, 255, 256, 1_023, 1_024, 1_025, 3_000};
  private static final int[] WIDTHS = {0, 1, 7, 31, 32, 33, 63, 64};
  private static final int SEED = 5;

  static Stream<Arguments> encodings() {
    return EncodedStreams.OF_VALUES.stream()
        .flatMap(encoding -> Stream.of(Kind.values()).map(kind -> Arguments.of(encoding, kind)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void valuesSurvive(Encoding encoding, Kind kind) throws ShipmentException {
    EncodedStreams.Trip trip = new EncodedStreams.Trip(COUNTS[COUNTS.length - 1]);
    for (Shape shape : Shape.values()) {
      for (int count : COUNTS) {
        for (int width : WIDTHS) {
          long[] bits = EncodedStreams.bits(kind, shape, count, width);
          ByteBuffer bytes = trip.write(encoding, kind, bits);
          if (bytes != null) {
            assertThat(trip.read(bytes, kind, count))
                .as("%s of %s: %s, %,d values, width %d", encoding, kind, shape, count, width)
                .isEqualTo(bits);
            assertThat(bytes.hasRemaining()).isFalse();
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void everyCutIsRefused(Encoding encoding, Kind kind) {
    for (Shape shape :
        List.of(Shape.FEW_OUTLIERS, Shape.SHORT_RUNS, Shape.ASCENDING, Shape.SAWTOOTH)) {
      byte[] bytes = written(encoding, kind, shape, 150);
      EncodedStreams.Trip trip = new EncodedStreams.Trip(150);
      for (int length = 0; length < bytes.length; length++) {
        ByteBuffer cut = trip.target.clear().put(bytes, 0, length).flip();
        assertThat(catchThrowable(() -> trip.read(cut, kind, 150)))
            .as("%s of %s, %,d of %,d bytes", encoding, kind, length, bytes.length)
            .isInstanceOfSatisfying(
                ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.DECODE));
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void everyFlippedBitIsHarmless(Encoding encoding, Kind kind) {
    for (Shape shape : List.of(Shape.FEW_OUTLIERS, Shape.SHORT_RUNS, Shape.SAWTOOTH)) {
      byte[] bytes = written(encoding, kind, shape, 150);
      EncodedStreams.Trip trip = new EncodedStreams.Trip(150);
      for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
        byte[] flipped = bytes.clone();
        flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
        assertHarmless(trip, flipped, kind, 150, "bit " + bit);
      }
    }
  }

  /** The tables of a stream are where a wrong number could lead a kernel astray. */
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void randomNumbersInItsHeadersAreHarmless(Encoding encoding, Kind kind) {
    Random random = new Random(SEED);
    for (int count : new int[] {150, 1_024, 2_500}) {
      Shape shape = encoding == Encoding.REPEAT ? Shape.SAWTOOTH : Shape.FEW_OUTLIERS;
      byte[] bytes = written(encoding, kind, shape, count);
      EncodedStreams.Trip trip = new EncodedStreams.Trip(count);
      for (int attempt = 0; bytes.length > 0 && attempt < 2_000; attempt++) {
        byte[] broken = bytes.clone();
        int at = attempt % 2 == 0 ? random.nextInt(bytes.length) : random.nextInt(24);
        for (int i = at; i < Math.min(bytes.length, at + 1 + random.nextInt(4)); i++) {
          broken[i] = (byte) random.nextInt();
        }
        assertHarmless(trip, broken, kind, count, "seed %d, attempt %d".formatted(SEED, attempt));
      }
    }
  }

  private static void assertHarmless(
      EncodedStreams.Trip trip, byte[] bytes, Kind kind, int count, String what) {
    ByteBuffer source = trip.target.clear().put(bytes).flip();
    Throwable thrown = catchThrowable(() -> trip.read(source, kind, count));
    if (thrown != null) {
      assertThat(thrown).as(what).isInstanceOf(ShipmentException.class);
    }
  }

  private static byte[] written(Encoding encoding, Kind kind, Shape shape, int count) {
    ByteBuffer bytes =
        EncodedStreams.write(encoding, kind, EncodedStreams.bits(kind, shape, count, 12));
    return bytes == null ? new byte[0] : Arrays.copyOf(toArray(bytes), bytes.limit());
  }

  private static byte[] toArray(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.duplicate().get(array);
    return array;
  }
}
