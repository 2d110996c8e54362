package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dictionaries and decimals into columns, whatever the streams within are. */
class MappedValuesTest {
  private static final int ROWS = 70_001;

  private final StreamCodec codec = EncodedStreams.CODEC;

  @ParameterizedTest
  @EnumSource(
      value = ColumnType.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STRING"})
  void looksUpCodesOfEveryKind(ColumnType type) throws Exception {
    String repeated = type == ColumnType.BOOLEAN ? "DICT" : "REPEAT";
    String ofRuns = type == ColumnType.BOOLEAN ? "DICT" : "RLE";
    assertThat(roundTrip("DICT", type, i -> mixed(i) % 5)).startsWith("DICT(");
    assertThat(roundTrip("DICT", type, i -> mixed(i % 1_000) % 5)).contains(repeated);
    assertThat(roundTrip("DICT", type, i -> mixed(i / 300) % 5)).contains(ofRuns);
    assertThat(roundTrip("DICT", type, i -> 1)).contains("CONST");
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void dividesIntegersOfEveryKind(ColumnType type) throws Exception {
    assertThat(roundTrip("ALP", type, MappedValuesTest::mixed)).startsWith("ALP(");
    assertThat(roundTrip("ALP", type, i -> mixed(i % 1_000))).contains("REPEAT");
    assertThat(roundTrip("ALP", type, i -> mixed(i / 300))).contains("RLE");
    assertThat(roundTrip("ALP", type, i -> mixed(i % 300 == 0 ? i : 0))).startsWith("ALP(");
  }

  /** Where the exceptions are must not matter to what is copied. */
  @Test
  void storesExceptionsOfRepeatedIntegers() throws Exception {
    IntUnaryOperator some = i -> i % 977 < 3 || i == ROWS - 1 ? Integer.MIN_VALUE : mixed(i % 100);
    assertThat(roundTrip("ALP", ColumnType.FLOAT, some)).contains("REPEAT");
    assertThat(roundTrip("ALP", ColumnType.DOUBLE, some)).contains("REPEAT");
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
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> EncodedStreams.read(codec, stream.flip(), Kind.INT, count))
        .withMessageContaining("a code in a dictionary of %,d is outside 0 to 2", code);
  }

  private static int mixed(int i) {
    return (i * 0x9E3779B9) >>> 18;
  }

  private String roundTrip(String encoding, ColumnType type, IntUnaryOperator numbers)
      throws ShipmentException {
    ColumnValues column = ColumnValues.allocate(type, ROWS, false);
    for (int row = 0; row < ROWS; row++) {
      EncodedStreams.set(column, row, numbers.applyAsInt(row));
    }
    ColumnRows rows = EncodedStreams.rows(column);
    ByteBuffer target = EncodedStreams.buffer(ROWS);
    Scheme tree = EncodedStreams.write(codec, encoding, rows, target);
    ColumnValues read = ColumnValues.allocate(type, ROWS, false);
    codec.read(target.flip(), ROWS, EncodedStreams.rows(read));
    for (int page = 0; page < column.pageCount(); page++) {
      assertThat(read.page(page)).isEqualTo(column.page(page));
    }
    assertThat(target.hasRemaining()).isFalse();
    return String.valueOf(tree);
  }
}
