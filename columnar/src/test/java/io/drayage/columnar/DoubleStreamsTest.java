package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.columnar.decimal.Doubles;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Doubles and floats through whole streams, as the chooser writes them. */
@Timeout(300)
class DoubleStreamsTest {
  private static final long SEED = 20_261_127;
  private static final int[] COUNTS = {0, 1, 63, 64, 65, 1_025, 5_000};

  private static long[] bits(double[] values) {
    return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  private static ByteBuffer written(long[] bits, ColumnarOptions options) {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(Long.BYTES * bits.length + StreamHeader.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    new StreamCodec(options, EncodedStreams.zstd())
        .write(new ArrayValues(Kind.DOUBLE, bits, bits.length), null, bytes);
    return bytes.flip();
  }

  private static Scheme read(ByteBuffer bytes, long[] into) throws ShipmentException {
    return EncodedStreams.CODEC.read(
        bytes, into.length, new ArrayValues(Kind.DOUBLE, into, into.length));
  }

  @ParameterizedTest
  @EnumSource
  void doublesSurviveBitForBit(Doubles kind) throws Exception {
    for (ColumnarMode mode : ColumnarMode.values()) {
      for (int count : COUNTS) {
        long[] values = bits(kind.make(count, SEED));
        long[] back = new long[count];
        Scheme tree = read(written(values, ColumnarOptions.of(mode)), back);
        assertThat(back).as("%s, %,d: %s, seed %d", mode, count, tree, SEED).isEqualTo(values);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0b, 00040000, none of decimals",
    "0b, 13000000, none of decimals",
    "0b, ffffffff, none of decimals",
    "0d, 01000000, no encoding"
  })
  void refusesUnknownPairsAndEncodings(String encoding, String parameters, String message) {
    String rest = "00".repeat(32);
    byte[] bytes = HexFormat.of().parseHex(encoding + "000000" + "24000000" + parameters + rest);
    assertThatThrownBy(
            () -> read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), new long[2]))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining(message);
  }
}
