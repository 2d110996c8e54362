package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.columnar.stream.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bins: values survive, in about as many bits as they have entropy. */
@Timeout(60)
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
        case ONE_FAR -> i == 30_000 ? -(1L << 59) : random.nextInt(8);
        case WIDE -> random.nextLong() >>> 4;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void takeAboutTheEntropy(Numbers numbers) throws Exception {
    long[] values = new long[COUNT];
    Arrays.setAll(values, numbers::value);
    ColumnarOptions options = ColumnarOptions.of(ColumnarMode.DENSE);
    StreamCodec codec = new StreamCodec(options, EncodedStreams.zstd());
    EncodedStreams.BufferTrip trip = new EncodedStreams.BufferTrip(COUNT, codec);

    ByteBuffer bytes = trip.write("BINS", Kind.LONG, values);

    assertThat(bytes.remaining() * 8.0 / COUNT).isLessThan(numbers.maxBits);
    assertThat(trip.read(bytes, Kind.LONG, COUNT)).isEqualTo(values);
  }
}
