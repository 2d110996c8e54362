package io.drayage.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.TransferPair;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArrowColumnsTest {
  private static final int[] SIZES = {0, 1, 63, 64, 65, 1_000, 65_601};

  /** Fails at its end if a buffer was leaked. */
  @AutoClose private final BufferAllocator memory = new RootAllocator();

  @Test
  void textsThatAreTooManyForAnArrayAreInSeveral() {
    try (VarCharVector vector = new VarCharVector("c", memory);
        LargeVarCharVector large = new LargeVarCharVector("c", memory)) {
      vector.allocateNew(8);
      large.allocateNew(8);
      List<String> texts = List.of("abc", "defg", "", "hijklmnopq", "r", "", "stuvw", "xyz12");
      for (int i = 0; i < texts.size(); i++) {
        vector.setSafe(i, texts.get(i).getBytes(StandardCharsets.UTF_8));
        large.setSafe(i, texts.get(i).getBytes(StandardCharsets.UTF_8));
      }
      vector.setValueCount(texts.size());
      large.setValueCount(texts.size());
      for (FieldVector each : List.of(vector, large)) {
        VectorTexts collected = new VectorTexts(0, 16, 1, 0, 10);
        collected.append(each, 0, 8);
        collected.append(each, 3, 5);

        assertThat(collected.page().toStrings())
            .startsWith(texts.toArray(String[]::new))
            .endsWith("hijklmnopq", "r", "", "stuvw", "xyz12")
            .hasSize(13);
        assertThatThrownBy(() -> new VectorTexts(7, 16, 1, 0, 9).append(each, 0, 8))
            .hasMessage("column 'c', row 10: a text of more than 9 bytes");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeComesBack(ColumnType type) {
    for (int rows : SIZES) {
      for (boolean nullable : new boolean[] {false, true}) {
        if (rows > 1_000 && !nullable) {
          continue; // Random values take most of the time.
        }
        ColumnValues column = RandomCargo.column(rows, type, rows, nullable);
        try (FieldVector vector = ArrowColumns.vectorOf("c", column, memory)) {
          assertThat(vector.getValueCount()).isEqualTo(rows);
          assertThat(ArrowColumns.type(vector.getField())).isEqualTo(type);
          for (int row = 0; row < rows; row += 97) {
            assertThat(vector.isNull(row)).isEqualTo(column.isNull(row));
          }
          assertSame(ArrowColumns.viewOf(vector), column);
          assertSame(ArrowColumns.copyOf(vector), column);
          ColumnValues drained = ColumnValues.allocate(type, rows, column.validity() != null);
          ArrowColumns.drain(vector, 0, rows, drained, 0);
          assertSame(drained, column);
        }
      }
    }
  }

  private static void assertSame(ColumnValues values, ColumnValues expected) {
    assertThat(values.rowCount()).isEqualTo(expected.rowCount());
    assertThat(values.type()).isEqualTo(expected.type());
    assertThat(CargoDigest.ofColumn(values)).isEqualTo(CargoDigest.ofColumn(expected));
  }

  /** Copies rows between any offsets, so that bits and pages are cut in all ways. */
  @ParameterizedTest
  @EnumSource
  void partsGoWhereTheyAreSent(ColumnType type) {
    Random random = new Random(type.id());
    for (int turn = 0; turn < 40; turn++) {
      int rows = 1 + random.nextInt(200);
      int shift = random.nextInt(150);
      ColumnValues column = RandomCargo.column(turn, type, rows + shift, true);
      ColumnValues target = ColumnValues.allocate(type, rows + shift, true);
      try (FieldVector part = ArrowColumns.field("c", column).createVector(memory);
          FieldVector all = ArrowColumns.vectorOf("c", column, memory)) {
        ArrowColumns.fill(part, column, shift, rows);
        ArrowColumns.drain(part, 0, rows, target, shift);
        ArrowColumns.drain(all, 0, shift, target, 0);
        assertThat(CargoDigest.ofColumn(target))
            .as("turn %d", turn)
            .isEqualTo(CargoDigest.ofColumn(column));
        ColumnValues tail = ColumnValues.allocate(type, rows, true);
        ArrowColumns.drain(all, shift, rows, tail, 0);
        for (int row = 0; row < rows; row++) {
          assertThat(tail.get(row)).as("turn %d", turn).isEqualTo(column.get(row + shift));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void slicesAreReadFromWhereTheyBegin(ColumnType type) {
    ColumnValues column = RandomCargo.column(5, type, 300, true);
    try (FieldVector vector = ArrowColumns.vectorOf("c", column, memory)) {
      for (int from : new int[] {0, 1, 8, 13, 64, 299}) {
        TransferPair pair = vector.getTransferPair(memory);
        pair.splitAndTransfer(from, 300 - from);
        try (FieldVector slice = (FieldVector) pair.getTo()) {
          for (ColumnValues read :
              List.of(ArrowColumns.copyOf(slice), ArrowColumns.viewOf(slice))) {
            assertThat(read.rowCount()).isEqualTo(300 - from);
            for (int row = 0; row < 300 - from; row++) {
              assertThat(read.get(row)).isEqualTo(column.get(row + from));
            }
          }
        }
      }
    }
  }

  @Test
  void keepsEveryBitOfANan() {
    int[] floats = {0x7fc00000, 0x7f800001, 0xffc12345, 0x80000000};
    long[] doubles = {0x7ff8000000000000L, 0x7ff0000000000001L, 0xfff8000012345678L, 1L << 63};
    try (Float4Vector four = new Float4Vector("f", memory);
        Float8Vector eight = new Float8Vector("d", memory)) {
      four.allocateNew(floats.length);
      eight.allocateNew(floats.length);
      for (int i = 0; i < floats.length; i++) {
        four.getDataBuffer().setInt(4L * i, floats[i]);
        eight.getDataBuffer().setLong(8L * i, doubles[i]);
      }
      for (FieldVector vector : List.of(four, eight)) {
        vector.getValidityBuffer().setByte(0, 0x0F);
        vector.setValueCount(floats.length);
      }
      float[] readFloats = (float[]) ArrowColumns.copyOf(four).page(0);
      double[] readDoubles = (double[]) ArrowColumns.viewOf(eight).page(0);
      try (FieldVector four2 =
              ArrowColumns.vectorOf("f", ColumnValues.of(new float[][] {readFloats}), memory);
          FieldVector eight2 =
              ArrowColumns.vectorOf("d", ColumnValues.of(new double[][] {readDoubles}), memory)) {
        for (int i = 0; i < floats.length; i++) {
          assertThat(Float.floatToRawIntBits(readFloats[i])).isEqualTo(floats[i]);
          assertThat(Double.doubleToRawLongBits(readDoubles[i])).isEqualTo(doubles[i]);
          assertThat(four2.getDataBuffer().getInt(4L * i)).isEqualTo(floats[i]);
          assertThat(eight2.getDataBuffer().getLong(8L * i)).isEqualTo(doubles[i]);
        }
      }
    }
  }

  @Test
  void writesUtf8AsTheJdkDoes() {
    String[] texts = {"", "a", "\u007f\u0080\u07ff\u0800\uffff", "x😀y", "\ud800\udc00", null, "é"};
    ColumnValues column = ColumnValues.ofTexts(new String[][] {texts});
    try (FieldVector vector = ArrowColumns.vectorOf("c", column, memory)) {
      for (int i = 0; i < texts.length; i++) {
        byte[] expected = texts[i] == null ? null : texts[i].getBytes(StandardCharsets.UTF_8);
        assertThat(((VarCharVector) vector).get(i)).isEqualTo(expected);
      }
      assertThat(ArrowColumns.copyOf(vector).toArray()).isEqualTo(texts);
    }
  }

  /** Writes a page in pieces, with gaps between them. */
  @Test
  void writesPagesOfPieces() {
    ColumnValues pieces = ColumnValues.allocate(ColumnType.STRING, 6, false);
    TextPage page = (TextPage) pieces.pageForWrite(0);
    page.put(4, TextPage.of("skipped", "d", "é"), 1, 2);
    page.put(1, TextPage.of("ab", "c"));
    try (FieldVector vector = ArrowColumns.vectorOf("c", pieces, memory)) {
      assertThat(ArrowColumns.copyOf(vector).toArray())
          .isEqualTo(new String[] {"", "ab", "c", "", "d", "é"});
    }
  }

  private VarCharVector texts(@Nullable String... texts) {
    return (VarCharVector)
        ArrowColumns.vectorOf("c", ColumnValues.ofTexts(new String[][] {texts}), memory);
  }

  /** The bytes of a null are not even a text. */
  @Test
  void dropsBytesOfNulls() {
    try (VarCharVector vector = texts("one", "two", "three", "four")) {
      vector.getValidityBuffer().setByte(0, 0b1010);
      vector.getDataBuffer().setByte(vector.getStartOffset(2), 0xff);
      ColumnValues drained = ColumnValues.allocate(ColumnType.STRING, 4, true);
      ArrowColumns.drain(vector, 0, 4, drained, 0);
      for (ColumnValues read :
          List.of(ArrowColumns.viewOf(vector), ArrowColumns.copyOf(vector), drained)) {
        assertThat(read.toArray()).isEqualTo(new String[] {null, "two", null, "four"});
        assertThat(read.texts(0).byteCount(0, 4)).isEqualTo("twofour".length());
      }
      ColumnValues noPlaces = ColumnValues.allocate(ColumnType.STRING, 4, false);
      assertThatThrownBy(() -> ArrowColumns.drain(vector, 0, 4, noPlaces, 0))
          .hasMessage("column 'c' has nulls, and cannot hold them");
    }
  }

  @Test
  void zerosStandInThePlacesOfNulls() {
    ColumnValues column = RandomCargo.column(3, ColumnType.LONG, 100, false);
    try (FieldVector vector = ArrowColumns.vectorOf("c", column, memory)) {
      vector.getValidityBuffer().setByte(1, 0);
      ColumnValues read = ArrowColumns.viewOf(vector);
      assertThat((long[]) read.page(0)).startsWith(Arrays.copyOf((long[]) column.page(0), 8));
      assertThat(Arrays.copyOfRange((long[]) read.page(0), 8, 16)).containsOnly(0);
      assertThat(read.get(8)).isNull();
      ColumnValues noPlaces = ColumnValues.allocate(ColumnType.LONG, 100, false);
      assertThatThrownBy(() -> ArrowColumns.drain(vector, 0, 100, noPlaces, 0))
          .hasMessage("column 'c' has nulls, and cannot hold them");
    }
  }

  @Test
  void readsLargeTexts() {
    try (LargeVarCharVector vector = new LargeVarCharVector("c", memory)) {
      vector.allocateNew(3);
      vector.setSafe(0, "ab".getBytes(StandardCharsets.UTF_8));
      vector.setNull(1);
      vector.setSafe(2, "ç".getBytes(StandardCharsets.UTF_8));
      vector.setValueCount(3);
      assertThat(ArrowColumns.copyOf(vector).toArray()).isEqualTo(new String[] {"ab", null, "ç"});
      ColumnValues texts = ColumnValues.ofTexts(new String[][] {{"x"}});
      assertThatThrownBy(() -> ArrowColumns.fill(vector, texts, 0, 1))
          .hasMessage("column 'c': texts are written as Utf8, not as LargeUtf8");
    }
  }

  @Test
  void refusesWhatIsNoText() {
    try (VarCharVector vector = texts("ok", "\ufffd is a character", "ab")) {
      assertThat(ArrowColumns.copyOf(vector).get(1)).isEqualTo("\ufffd is a character");
      vector.getDataBuffer().setByte(vector.getEndOffset(2) - 1, 0xff);
      assertThatThrownBy(() -> ArrowColumns.copyOf(vector))
          .isInstanceOf(IllegalTextException.class)
          .hasMessage(
              "the text in row 2 of column 'c' is no well-formed UTF-8: byte 0xFF at 1 of its 2 bytes");
      ColumnValues drained = ColumnValues.allocate(ColumnType.STRING, 10, false);
      assertThatThrownBy(() -> ArrowColumns.drain(vector, 0, 3, drained, 7))
          .hasMessageStartingWith("the text in row 9 of column 'c' is no well-formed UTF-8");
    }
  }

  @Test
  void readsDatesAndDecimalsAsWhatTheyAre() {
    try (DateDayVector days = new DateDayVector("d", memory);
        TimeStampNanoVector times = new TimeStampNanoVector("t", memory);
        DecimalVector prices = new DecimalVector("p", memory, 18, 2)) {
      days.setSafe(0, 19_000);
      times.setSafe(0, Long.MIN_VALUE);
      prices.setSafe(0, new BigDecimal("-9999999999999999.99"));
      List.of(days, times, prices).forEach(vector -> vector.setValueCount(1));
      assertThat(ArrowColumns.copyOf(days).get(0)).isEqualTo(19_000);
      assertThat(ArrowColumns.copyOf(times).get(0)).isEqualTo(Long.MIN_VALUE);
      ColumnValues cents = ArrowColumns.copyOf(prices);
      assertThat(cents.get(0)).isEqualTo(-999_999_999_999_999_999L);
      ArrowColumns.fill(prices, cents, 0, 1);
      assertThat(prices.getObject(0)).isEqualTo(new BigDecimal("-9999999999999999.99"));
      prices.getDataBuffer().setLong(8, 1);
      assertThatThrownBy(() -> ArrowColumns.copyOf(prices))
          .hasMessage("column 'p', row 0: the decimal has more than 18 digits");
    }
  }

  static Stream<ArrowType> otherTypes() {
    return Stream.of(
        new ArrowType.Int(32, false),
        new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
        new ArrowType.Decimal(19, 2, 128),
        new ArrowType.Decimal(10, 2, 256),
        ArrowType.Utf8View.INSTANCE,
        ArrowType.Binary.INSTANCE,
        ArrowType.List.INSTANCE,
        ArrowType.Null.INSTANCE);
  }

  @ParameterizedTest
  @MethodSource("otherTypes")
  void refusesWhatACargoHasNoPlaceFor(ArrowType type) {
    Field field = new Field("c", FieldType.nullable(type), List.of());
    assertThatThrownBy(() -> ArrowColumns.type(field))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column 'c': a cargo cannot hold " + type);
  }

  @Test
  void refusesADictionaryAndAnotherType() {
    ArrowType index = new ArrowType.Int(32, true);
    Field coded =
        new Field("c", new FieldType(true, index, new DictionaryEncoding(1, false, null)), null);
    assertThatThrownBy(() -> ArrowColumns.type(coded))
        .hasMessage("column 'c': a cargo cannot hold a dictionary of Int(32, true)");
    try (FieldVector ints = Field.nullable("c", index).createVector(memory)) {
      ColumnValues longs = ColumnValues.of(new long[][] {{1}});
      assertThatThrownBy(() -> ArrowColumns.fill(ints, longs, 0, 1))
          .hasMessage("column 'c': values of LONG are no Int(32, true)");
    }
  }

  @Test
  void deletedRowsComeBack() {
    for (int size : SIZES) {
      RowBits rows = RandomCargo.bits(size, size);
      try (BitVector vector = ArrowColumns.vectorOf("deleted", rows, memory)) {
        assertThat(vector.getValueCount()).isEqualTo(size);
        assertThat(vector.getNullCount()).isZero();
        assertThat(ArrowColumns.rowsOf(vector)).isEqualTo(rows);
        if (size > 0) {
          vector.setNull(size - 1);
          assertThat(ArrowColumns.rowsOf(vector).get(size - 1)).isFalse();
        }
      }
    }
  }
}
