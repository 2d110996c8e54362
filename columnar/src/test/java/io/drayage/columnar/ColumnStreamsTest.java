package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.decimal.Doubles;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests columns in whole streams: numbers packed without a change, doubles bit for bit,
 * dictionaries and decimals with any inner streams, and columns that change.
 */
@Timeout(300)
class ColumnStreamsTest {
  private static final int SEED = 3;
  private static final int ROWS = 70_001;

  private final StreamCodec codec = EncodedStreams.CODEC;

  private static ColumnValues column(ColumnType type, int count, IntUnaryOperator numbers) {
    ColumnValues column = ColumnValues.allocate(type, count, false);
    for (int row = 0; row < count; row++) {
      EncodedStreams.set(column, row, numbers.applyAsInt(row));
    }
    return column;
  }

  @ParameterizedTest
  @EnumSource(names = {"BOOLEAN", "BYTE", "SHORT"})
  void narrowValuesOfEveryWidthSurvive(ColumnType type) throws ShipmentException {
    int bits = type == ColumnType.BOOLEAN ? 1 : type.widthBytes() * Byte.SIZE;
    for (int width = 0; width <= bits; width++) {
      for (int count : new int[] {1, 2, 63, 64, 65, 4_095, 4_096, 4_097, 9_000}) {
        SplittableRandom random = new SplittableRandom(SEED);
        int range = 1 << width;
        int base = random.nextInt(-(1 << (bits - 1)), (1 << (bits - 1)) - range + 2);
        ColumnValues column = column(type, count, row -> base + random.nextInt(range));
        EncodedStreams.assertSurvives("NARROW", column, format("%,d of %d bits", count, width));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void doublesSurviveBitForBit(Doubles kind) throws ShipmentException {
    for (ColumnarMode mode : ColumnarMode.values()) {
      for (int count : new int[] {1, 63, 64, 65, 1_025, 5_000}) {
        ColumnValues column = ColumnValues.of(new double[][] {kind.make(count, SEED)});
        ByteBuffer bytes = EncodedStreams.buffer(count);
        new StreamCodec(ColumnarOptions.of(mode), EncodedStreams.zstd())
            .write(EncodedStreams.rows(column), null, bytes);
        EncodedStreams.assertRead(bytes, column, format("%s, %,d, seed %d", mode, count, SEED));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void differentNaNsStayDifferent(ColumnType type) throws ShipmentException {
    int count = 20_000;
    ColumnValues column = ColumnValues.allocate(type, count, false);
    for (int row = 0; row < count; row++) {
      Object page = column.pageForWrite(column.pageOf(row));
      int bits = row / 300 % 3;
      int at = column.offsetOf(row);
      if (page instanceof double[] doubles) {
        doubles[at] = Double.longBitsToDouble(0x7ff8000000000000L + bits);
      } else {
        ((float[]) page)[at] = Float.intBitsToFloat(0x7fc00000 + bits);
      }
    }
    EncodedStreams.assertSurvives("RLE", column, "NaNs");
    ByteBuffer bytes = EncodedStreams.buffer(count);
    Scheme constant = EncodedStreams.scheme(codec, "CONST", EncodedStreams.rows(column));
    codec.write(EncodedStreams.rows(column), constant, bytes);
    EncodedStreams.assertRead(bytes, column, "NaNs, as known to be constant");
  }

  /** The first rows may differ from the others, but the values must survive. */
  @ParameterizedTest
  @ValueSource(strings = {"CONST", "RLE", "DICT", "ALP", "REPEAT", "NARROW"})
  void aColumnMayChange(String encoding) throws ShipmentException {
    int count = 20_000;
    for (ColumnType type : ColumnType.values()) {
      if (type != ColumnType.STRING) {
        Random random = new Random(SEED);
        ColumnValues column = column(type, count, row -> row < 900 ? row % 7 : random.nextInt());
        ColumnRows first = new ColumnRows(column, 0, 900, null, new BulkValues());
        Scheme like = EncodedStreams.scheme(codec, encoding, first);
        ByteBuffer bytes = EncodedStreams.buffer(count);
        Scheme tree = codec.write(EncodedStreams.rows(column), like, bytes);
        assertThat(tree.bytes()).isLessThanOrEqualTo(8 + count * type.widthBytes());
        EncodedStreams.assertRead(bytes, column, type.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void looksUpCodesOfEveryKind(ColumnType type) throws Exception {
    String repeated = type == ColumnType.BOOLEAN ? "DICT" : "REPEAT";
    String ofRuns = type == ColumnType.BOOLEAN ? "DICT" : "RLE";
    assertThat(tree("DICT", type, i -> mixed(i) % 5)).startsWith("DICT(");
    assertThat(tree("DICT", type, i -> mixed(i % 1_000) % 5)).contains(repeated);
    assertThat(tree("DICT", type, i -> mixed(i / 300) % 5)).contains(ofRuns);
    assertThat(tree("DICT", type, i -> 1)).contains("CONST");
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void dividesIntegersOfEveryKind(ColumnType type) throws Exception {
    assertThat(tree("ALP", type, ColumnStreamsTest::mixed)).startsWith("ALP(");
    assertThat(tree("ALP", type, i -> mixed(i % 1_000))).contains("REPEAT");
    assertThat(tree("ALP", type, i -> mixed(i / 300))).contains("RLE");
    assertThat(tree("ALP", type, i -> mixed(i % 300 == 0 ? i : 0))).startsWith("ALP(");
  }

  /** The positions of exceptions must not matter for the copies. */
  @Test
  void storesExceptionsOfRepeatedIntegers() throws Exception {
    IntUnaryOperator some = i -> i % 977 < 3 || i == ROWS - 1 ? Integer.MIN_VALUE : mixed(i % 100);
    assertThat(tree("ALP", ColumnType.FLOAT, some)).contains("REPEAT");
    assertThat(tree("ALP", ColumnType.DOUBLE, some)).contains("REPEAT");
  }

  private static int mixed(int i) {
    return (i * 0x9E3779B9) >>> 18;
  }

  private static String tree(String encoding, ColumnType type, IntUnaryOperator numbers)
      throws ShipmentException {
    ColumnValues column = column(type, ROWS, numbers);
    return String.valueOf(EncodedStreams.assertSurvives(encoding, column, type.toString()));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 1_024, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void refusesCodesThatThereAreNot(int code) {
    int count = 3_000;
    int[] codes = new int[count];
    codes[2_500] = code;
    codes[2_900] = -7;
    ByteBuffer stream = EncodedStreams.buffer(count);
    int start = StreamHeader.begin(stream);
    stream.putInt(3);
    codec.within().writeRaw(new ArrayValues(Kind.INT, codes, count), stream);
    codec.within().writeRaw(new ArrayValues(Kind.INT, new int[] {7, 8, 9}, 3), stream);
    StreamHeader.end(stream, start, EncodedStreams.encoding(codec, "DICT").id());
    assertThatThrownBy(() -> EncodedStreams.read(codec, stream.flip(), ColumnType.INT, count))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining(format("a code in a dictionary of %,d is outside 0 to 2", code));
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
    ByteBuffer stream = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> EncodedStreams.read(codec, stream, ColumnType.DOUBLE, 2))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining(message);
  }
}
