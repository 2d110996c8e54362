package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drayage.cargo.ColumnType;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every encoding by itself, whether or not it suits, and the chosen one: values survive, no
 * chosen stream is longer than a raw one, broken bytes are refused.
 */
@Timeout(300)
class EncodingsTest {
  private static final int[] COUNTS = {
    1, 2, 3, 63, 64, 65, 255, 256, 1_023, 1_024, 1_025, 3_000, 4_097, 65_535, 65_536
  };
  private static final int[] FEW_COUNTS = {1, 63, 1_025};
  private static final int[] FEW_WIDTHS = {0, 7, 64};
  private static final int SEED = 5;

  /** Number of first bytes of a stream in which each cut and each flipped bit is tried. */
  private static final int HEAD_BYTES = 32;

  static Stream<Arguments> encodings() {
    return EncodedStreams.NAMES.stream()
        .flatMap(
            encoding -> EncodedStreams.TYPES.stream().map(type -> Arguments.of(encoding, type)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void valuesSurvive(String encoding, ColumnType type) throws ShipmentException {
    assertSurvive(encoding, type, FEW_COUNTS, FEW_WIDTHS);
    assertSurvive(encoding, type, new int[] {count(encoding)}, new int[] {7});
  }

  @Tag("nightly")
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void valuesOfEveryWidthSurvive(String encoding, ColumnType type) throws ShipmentException {
    int[] counts = IntStream.of(COUNTS).filter(count -> count < 5_000).toArray();
    assertSurvive(encoding, type, counts, new int[] {0, 1, 7, 31, 32, 33, 63, 64});
  }

  private static void assertSurvive(String encoding, ColumnType type, int[] counts, int[] widths)
      throws ShipmentException {
    EncodedStreams.BufferTrip trip =
        new EncodedStreams.BufferTrip(IntStream.of(counts).max().orElseThrow());
    for (Shape shape : Shape.values()) {
      for (int count : counts) {
        for (int width : widths) {
          long[] bits = EncodedStreams.bits(type, shape, count, width);
          ByteBuffer bytes = trip.write(encoding, type, bits);
          if (bytes != null) {
            assertThat(trip.read(bytes, type, count))
                .as("%s of %s: %s, %,d values, width %d", encoding, type, shape, count, width)
                .isEqualTo(bits);
            assertThat(bytes.hasRemaining()).isFalse();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void chosenStreamsSurvive(ColumnType type) throws ShipmentException {
    assertChosenSurvive(type, FEW_COUNTS, FEW_WIDTHS);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void chosenStreamsOfEveryWidthSurvive(ColumnType type) throws ShipmentException {
    int[] small = IntStream.of(COUNTS).filter(count -> count < 5_000).toArray();
    assertChosenSurvive(type, small, IntStream.rangeClosed(0, 64).toArray());
    assertChosenSurvive(type, new int[] {65_535, 65_536}, new int[] {0, 13, 26, 39, 52});
  }

  private static void assertChosenSurvive(ColumnType type, int[] counts, int[] widths)
      throws ShipmentException {
    for (ColumnarMode mode : ColumnarMode.values()) {
      int most = IntStream.of(counts).max().orElseThrow();
      EncodedStreams.BufferTrip trip =
          new EncodedStreams.BufferTrip(
              most, new StreamCodec(ColumnarOptions.of(mode), EncodedStreams.zstd()));
      for (Shape shape : Shape.values()) {
        for (int count : counts) {
          for (int width : widths) {
            long[] bits = EncodedStreams.bits(type, shape, count, width);
            ByteBuffer target = trip.target.clear();
            Scheme tree = trip.codec.write(EncodedStreams.rows(type, bits), null, target);
            assertThat(target.flip().remaining())
                .isEqualTo(tree.bytes())
                .isLessThanOrEqualTo(StreamHeader.BYTES + count * type.widthBytes());
            assertThat(trip.read(target, type, count))
                .as("%s: %s, %,d values of %d bits: %s", mode, shape, count, width, tree)
                .isEqualTo(bits);
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void cutsAreRefused(String encoding, ColumnType type) {
    EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(count(encoding));
    for (Shape shape : List.of(Shape.FEW_OUTLIERS, Shape.SHORT_RUNS, Shape.SAWTOOTH)) {
      byte[] bytes = written(encoding, type, shape, count(encoding));
      for (int length = 0; length < bytes.length; length += length < HEAD_BYTES ? 1 : 5) {
        ByteBuffer cut = trip.target.clear().put(bytes, 0, length).flip();
        Throwable thrown = catchThrowable(() -> trip.read(cut, type, count(encoding)));
        if (!(thrown instanceof ShipmentException e) || e.fault() != Fault.DECODE) {
          assertThat(thrown)
              .as("%s of %s, %,d of %,d bytes", encoding, type, length, bytes.length)
              .isInstanceOf(ShipmentException.class);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void flippedBitsAreHarmless(String encoding, ColumnType type) {
    assertFlippedBitsAreHarmless(encoding, type, 29);
  }

  @Tag("nightly")
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void everyFlippedBitIsHarmless(String encoding, ColumnType type) {
    assertFlippedBitsAreHarmless(encoding, type, 1);
  }

  private static void assertFlippedBitsAreHarmless(String encoding, ColumnType type, int step) {
    EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(count(encoding));
    for (Shape shape : List.of(Shape.FEW_OUTLIERS, Shape.SHORT_RUNS, Shape.SAWTOOTH)) {
      byte[] bytes = written(encoding, type, shape, count(encoding));
      for (int bit = 0;
          bit < bytes.length * Byte.SIZE;
          bit += bit < HEAD_BYTES * Byte.SIZE ? 1 : step) {
        byte[] flipped = bytes.clone();
        flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
        assertHarmless(trip, flipped, type, count(encoding), "bit " + bit);
      }
    }
  }

  /** A wrong number in the tables of a stream could make a kernel fail. */
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void randomNumbersInItsHeadersAreHarmless(String encoding, ColumnType type) {
    assertRandomNumbersAreHarmless(encoding, type, 50);
  }

  @Tag("nightly")
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("encodings")
  void manyRandomNumbersInItsHeadersAreHarmless(String encoding, ColumnType type) {
    assertRandomNumbersAreHarmless(encoding, type, 2_000);
  }

  private static void assertRandomNumbersAreHarmless(
      String encoding, ColumnType type, int attempts) {
    Random random = new Random(SEED);
    for (int count : new int[] {count(encoding), 1_024, 2_500}) {
      Shape shape = encoding.equals("REPEAT") ? Shape.SAWTOOTH : Shape.FEW_OUTLIERS;
      byte[] bytes = written(encoding, type, shape, count);
      EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(count);
      for (int attempt = 0; bytes.length > 0 && attempt < attempts; attempt++) {
        byte[] broken = bytes.clone();
        int at = attempt % 2 == 0 ? random.nextInt(bytes.length) : random.nextInt(24);
        for (int i = at; i < Math.min(bytes.length, at + 1 + random.nextInt(4)); i++) {
          broken[i] = (byte) random.nextInt();
        }
        assertHarmless(trip, broken, type, count, format("seed %d, attempt %d", SEED, attempt));
      }
    }
  }

  private static void assertHarmless(
      EncodedStreams.BufferTrip trip, byte[] bytes, ColumnType type, int count, String what) {
    ByteBuffer source = trip.target.clear().put(bytes).flip();
    Throwable thrown = catchThrowable(() -> trip.read(source, type, count));
    if (thrown != null && !(thrown instanceof ShipmentException)) {
      assertThat(thrown).as(what).isInstanceOf(ShipmentException.class);
    }
  }

  /** Number of values in a broken stream: blocks of NARROW have 4,096 values. */
  private static int count(String encoding) {
    return encoding.equals("NARROW") ? 4_150 : 150;
  }

  private static byte[] written(String encoding, ColumnType type, Shape shape, int count) {
    EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(count);
    ByteBuffer bytes = trip.write(encoding, type, EncodedStreams.bits(type, shape, count, 12));
    byte[] array = new byte[bytes == null ? 0 : bytes.remaining()];
    if (bytes != null) {
      bytes.get(array);
    }
    return array;
  }
}
