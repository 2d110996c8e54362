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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    assertSurvive(kind, COUNTS);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void manyDoublesSurviveBitForBit(Doubles kind) throws Exception {
    assertSurvive(kind, 2, 255, 256, 1_023, 1_024, 65_535, 65_536);
  }

  private static void assertSurvive(Doubles kind, int... counts) throws Exception {
    for (ColumnarMode mode : ColumnarMode.values()) {
      for (int count : counts) {
        long[] values = bits(kind.make(count, SEED));
        long[] back = new long[count];
        Scheme tree = read(written(values, ColumnarOptions.of(mode)), back);
        assertThat(back).as("%s, %,d: %s, seed %d", mode, count, tree, SEED).isEqualTo(values);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PRICES, ALP, 22",
    "SENSOR, ALP, 7",
    "WIDENED, ALP, 15",
    "NORMAL, PLANES, 63",
    "ANY_BITS, RAW, 64.1"
  })
  void theChooserTakesWhatSuits(Doubles kind, String encoding, double maxBits) throws Exception {
    long[] values = bits(kind.make(16_384, SEED));
    ByteBuffer bytes = written(values, ColumnarOptions.of(ColumnarMode.DENSE));
    assertThat(bytes.remaining() * 8.0 / values.length).isLessThan(maxBits);
    assertThat(read(bytes, new long[values.length]).name()).isEqualTo(encoding);
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

  /** Children that are raw: 01, their length, and the values. */
  @Test
  void goldenStreamsDecode() throws Exception {
    assertDecodes(
        "0b000000"
            + "44000000"
            + "02000000"
            + "01000000"
            + "01000000"
            + "18000000"
            + "7d00000000000000"
            + "7d00000000000000"
            + "6bffffffffffffff"
            + "01000000"
            + "04000000"
            + "01000000"
            + "01000000"
            + "08000000"
            + "010000000000f8ff",
        1.25,
        Double.longBitsToDouble(0xFFF8_0000_0000_0001L),
        -1.49);
  }

  private static void assertDecodes(String hex, double... expected) throws ShipmentException {
    long[] back = new long[expected.length];
    read(ByteBuffer.wrap(HexFormat.of().parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN), back);
    assertThat(back).isEqualTo(bits(expected));
  }
}
