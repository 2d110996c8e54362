package io.drayage.columnar;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that values survive in bins, in about as many bits as they have entropy. */
class BinsTest {
  private static final int COUNT = 50_000;

  private enum Numbers {
    EQUAL(0.1),
    NORMAL(6.5),
    MULTIPLES(7),
    MULTIPLES_OF_A_POWER_OF_TWO(5.2),
    ALMOST_ALL_EQUAL(0.2),
    FAR_FROM_EACH_OTHER(4.4),
    ASCENDING(4.2),
    ACCELERATED(3.2),
    CUBES(3.5),
    INTERLEAVED(7.9),
    TO_ALL_SIDES(27),
    ONE_FAR(3.3),
    WIDE(61);

    private final double maxBits;

    Numbers(double maxBits) {
      this.maxBits = maxBits;
    }

    long value(int i) {
      SplittableRandom random = new SplittableRandom(i * 31L);
      return switch (this) {
        case EQUAL -> 42;
        case NORMAL -> (long) (20 * random.nextGaussian());
        case MULTIPLES -> 1_000_000_007L + 86_400_000L * random.nextInt(100);
        case MULTIPLES_OF_A_POWER_OF_TWO -> random.nextInt(32) * 4_096L;
        case ALMOST_ALL_EQUAL -> i % 1_000 == 7 ? i : 3;
        case FAR_FROM_EACH_OTHER -> (random.nextBoolean() ? 1L << 60 : 0) + random.nextInt(8);
        case ASCENDING -> 17L * i + random.nextInt(8);
        case ACCELERATED -> (long) i * i * 5 + (i % 3);
        case CUBES -> (long) i * i * i + random.nextInt(2);
        case INTERLEAVED -> (i % 5) * (1L << 40) + i / 5 * 1_000L + random.nextInt(128);
        case TO_ALL_SIDES -> random.nextLong() >> (24 + random.nextInt(40));
        case ONE_FAR -> i == 30_000 ? -(1L << 59) : random.nextInt(8);
        case WIDE -> random.nextLong() >>> 4;
      };
    }
  }

  private static EncodedStreams.BufferTrip trip() {
    ColumnarOptions options = ColumnarOptions.of(ColumnarMode.DENSE);
    return new EncodedStreams.BufferTrip(COUNT, new StreamCodec(options, EncodedStreams.zstd()));
  }

  @ParameterizedTest
  @EnumSource
  void takeAboutTheEntropy(Numbers numbers) throws Exception {
    long[] values = new long[COUNT];
    Arrays.setAll(values, numbers::value);
    EncodedStreams.BufferTrip trip = trip();

    ByteBuffer bytes = trip.write("BINS", ColumnType.LONG, values);

    assertThat(bytes.remaining() * 8.0 / COUNT).isLessThan(numbers.maxBits);
    assertThat(trip.read(bytes, ColumnType.LONG, COUNT)).isEqualTo(values);
  }

  /** Changes the form of differences from 5 places before, which is 1 | (5 - 1) << 3. */
  @ParameterizedTest
  @ValueSource(ints = {1 | 16 << 3, 2 | 4 << 3, 4 << 3, 0xFF, 0x80})
  void otherFormsAreRefused(int form) {
    long[] values = new long[COUNT];
    Arrays.setAll(values, Numbers.INTERLEAVED::value);
    EncodedStreams.BufferTrip trip = trip();
    ByteBuffer bytes = trip.write("BINS", ColumnType.LONG, values);
    assertThat(bytes.get(StreamHeader.BYTES)).isEqualTo((byte) (1 | 4 << 3));

    bytes.put(StreamHeader.BYTES, (byte) form);

    assertFails(
        () -> trip.read(bytes, ColumnType.LONG, COUNT), ShipmentException.class, "of differences");
  }
}
