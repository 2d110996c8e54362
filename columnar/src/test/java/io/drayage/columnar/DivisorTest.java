package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests values that are multiples of a divisor, plus an offset. */
@Timeout(120)
class DivisorTest {
  private static final int COUNT = 3_000;
  private static final int DIVISOR_AT = 8;

  private final EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(COUNT);

  private static long[] multiples(ColumnType type, long divisor, long offset) {
    SplittableRandom random = new SplittableRandom(divisor);
    boolean wide = Kind.of(type).isWide();
    long most = (wide ? Long.MAX_VALUE : Integer.MAX_VALUE) / divisor;
    long[] bits = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      long value = offset + divisor * random.nextLong(Math.min(most, 1_000) + 1);
      bits[i] = wide ? value : (int) value;
    }
    return bits;
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 7, 1_000, 1 << 20, 86_400_000, 715_827_881, Integer.MAX_VALUE})
  void multiplesOfEveryDivisorSurvive(long divisor) throws ShipmentException {
    for (ColumnType type : EncodedStreams.KINDS) {
      for (long offset : new long[] {0, 1, -5, Integer.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE}) {
        long[] bits = multiples(type, divisor, offset);
        ByteBuffer bytes = trip.write("GCD", type, bits);
        if (bytes != null) {
          assertThat(trip.read(bytes, type, COUNT)).isEqualTo(bits);
        } else {
          // A difference of half of all numbers, or more, has no quotient.
          assertThat(divisor).as("%s, from %,d", type, offset).isGreaterThan(1_000_000);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG", "FLOAT", "DOUBLE"})
  void oneOtherValueIsFound(ColumnType type) throws ShipmentException {
    for (long wrong : new long[] {1, 8, 499, 512}) {
      long[] bits = multiples(type, 1_000, 77);
      bits[COUNT - 3] += wrong;
      assertThat(writeAsMultiples(type, bits)).as("a rest of %,d", wrong).isNull();
    }
  }

  /** Writes values like a column whose first rows are multiples of 1,000, plus 77. */
  private @Nullable Scheme writeAsMultiples(ColumnType type, long[] bits) {
    Values first = EncodedStreams.rows(type, multiples(type, 1_000, 77));
    return trip.codec.writeAs(
        EncodedStreams.encoding(trip.codec, "GCD"),
        EncodedStreams.rows(type, bits),
        EncodedStreams.scheme(trip.codec, "GCD", first),
        trip.target.clear());
  }

  /** Their quotients are constant, and such a window is stored repeatedly. */
  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG", "FLOAT", "DOUBLE"})
  void equalValuesOfAColumnWithADivisorSurvive(ColumnType type) throws ShipmentException {
    long[] bits = new long[COUNT];
    Arrays.fill(bits, 5_077);
    assertThat(writeAsMultiples(type, bits)).hasToString("GCD(CONST)");
    assertThat(trip.read(trip.target.flip(), type, COUNT)).isEqualTo(bits);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 1L << 31})
  void otherDivisorsAreRefused(long divisor) {
    ByteBuffer bytes = trip.write("GCD", ColumnType.INT, multiples(ColumnType.INT, 1_000, 0));
    assertThat(bytes).isNotNull();
    bytes.putLong(bytes.position() + DIVISOR_AT, divisor);

    assertThatThrownBy(() -> trip.read(bytes, ColumnType.INT, COUNT))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining(format("a divisor of %,d is outside 2 to 2,147,483,647", divisor));
  }
}
