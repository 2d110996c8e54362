package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.internal.Texts;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrow files with wrong offsets and indices end an import, and not the process. */
final class DamagedArrowTest {
  private static final DictionaryEncoding ENCODING = new DictionaryEncoding(1, false, null);

  private static final DeclaredTypes AS_TEXT = new DeclaredTypes(Map.of("x", "VARCHAR"), List.of());

  @TempDir private Path folder;
  @AutoClose private final BufferAllocator memory = new RootAllocator();
  private final MapDictionaryProvider dictionaries = new MapDictionaryProvider();

  /** Returns a stream of one batch. */
  private byte[] stream(FieldVector vector) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (VectorSchemaRoot rows = new VectorSchemaRoot(List.of(vector));
        ArrowStreamWriter writer =
            new ArrowStreamWriter(rows, dictionaries, Channels.newChannel(bytes))) {
      rows.setRowCount(vector.getValueCount());
      writer.writeBatch();
      writer.end();
    }
    return bytes.toByteArray();
  }

  private void requireRefused(byte[] stream, String message) throws Exception {
    Path file = Files.write(folder.resolve("t.arrows"), stream);
    assertThatThrownBy(() -> Imported.file(file))
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(message);
  }

  private VarCharVector texts() {
    VarCharVector texts = new VarCharVector("x", memory);
    List<String> all = List.of("aaa", "bbbb", "ccccc");
    texts.allocateNew(100, all.size());
    for (int i = 0; i < all.size(); i++) {
      texts.setSafe(i, all.get(i).getBytes(StandardCharsets.UTF_8));
    }
    texts.setValueCount(all.size());
    return texts;
  }

  /** Three texts end at 3, 7 and 12. */
  @ParameterizedTest
  @CsvSource({"1,7", "0,-5", "2,-1", "2,2147483647", "1,-2147483648"})
  void offsets(int place, int offset) throws Exception {
    VarCharVector texts = texts();
    ArrowBuf offsets = texts.getOffsetBuffer();
    offsets.setInt((long) place * Integer.BYTES, offset);
    if (place == 1) {
      offsets.setInt(2L * Integer.BYTES, 3);
    }
    requireRefused(stream(texts), ", column 'x', in the rows from 1 on: it is damaged: ");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3, 99, Integer.MAX_VALUE})
  void indicesOfADictionary(int index) throws Exception {
    try (VarCharVector texts = texts()) {
      dictionaries.put(new Dictionary(texts, ENCODING));
      IntVector indices =
          new IntVector("x", new FieldType(true, new ArrowType.Int(32, true), ENCODING), memory);
      indices.allocateNew(2);
      indices.set(0, 2);
      indices.set(1, index);
      indices.setValueCount(2);
      requireRefused(stream(indices), "is not in the dictionary of 3");
    }
  }

  /** A view consists of its length, prefix, buffer and offset. */
  @ParameterizedTest
  @CsvSource({"0,-1", "0,1000000", "1,7", "2,1", "2,-1", "3,-20", "3,1000000"})
  void views(int part, int value) throws Exception {
    ViewVarCharVector views = new ViewVarCharVector("x", memory);
    views.allocateNew(100, 1);
    views.setSafe(0, "longer than twelve bytes".getBytes(StandardCharsets.UTF_8));
    views.setValueCount(1);
    views.getDataBuffer().setInt((long) part * Integer.BYTES, value);
    requireRefused(stream(views), "it is damaged: ");
  }

  @ParameterizedTest
  @CsvSource({
    "4, 9999, 10000",
    "4, -9999, -10000",
    "4, 0, 66786",
    "4, 1, 18446744073709551617",
    "4, -1, -18446744073709551617",
    "4, 0, -9223372036854775808",
    "18, 999999999999999999, 1000000000000000000",
    "18, -999999999999999999, -1000000000000000000",
    "18, 0, -9223372036854775808",
    "18, 0, 170141183460469231731687303715884105727",
    "19, 9999999999999999999, 10000000000000000000",
    "38, -99999999999999999999999999999999999999, -100000000000000000000000000000000000000",
  })
  void decimalsOfMoreDigits(int precision, BigInteger most, BigInteger more) throws Exception {
    for (BigInteger unscaled : List.of(most, more)) {
      DecimalVector decimals = new DecimalVector("x", memory, precision, 2);
      decimals.allocateNew(1);
      decimals.set(0, 0);
      decimals.getDataBuffer().setLong(0, unscaled.longValue());
      decimals.getDataBuffer().setLong(Long.BYTES, unscaled.shiftRight(Long.SIZE).longValue());
      decimals.setValueCount(1);
      byte[] stream = stream(decimals);
      if (unscaled.equals(more)) {
        String shown = new BigDecimal(unscaled, 2).toPlainString();
        requireRefused(
            stream, shown + " of value 0 has more digits than the " + precision + " of its type");
      } else if (precision <= 18) {
        Path file = Files.write(folder.resolve("t.arrows"), stream);
        assertThat(Imported.file(file).only()).containsExactly(most.toString());
      } else {
        Path file = Files.write(folder.resolve("t.arrows"), stream);
        assertThatThrownBy(() -> Imported.file(file)).hasMessageContaining("a cargo cannot hold");
      }
    }
  }

  /** DuckDB counts microseconds of a timestamp, and refuses one without its row. */
  @ParameterizedTest
  @CsvSource({
    "SECOND, 9223372036854, 9223372036855 seconds",
    "SECOND, 0, -9223372036855 seconds",
    "MILLISECOND, 9223372036854775, 9223372036854776 milliseconds",
    "MILLISECOND, 0, -9223372036854776 milliseconds",
  })
  void momentsThatMicrosecondsDoNotCount(TimeUnit unit, long most, String more) throws Exception {
    FieldType type = FieldType.nullable(new ArrowType.Timestamp(unit, "UTC"));
    for (long value : new long[] {most, Long.parseLong(more.substring(0, more.indexOf(' ')))}) {
      TimeStampVector moments = (TimeStampVector) type.createNewSingleVector("x", memory, null);
      moments.allocateNew(3);
      moments.setNull(0);
      moments.set(1, 0);
      moments.set(2, value);
      moments.setValueCount(3);
      byte[] stream = stream(moments);
      if (value == most) {
        assertThat(Imported.file(Files.write(folder.resolve("t.arrows"), stream)).only())
            .hasSize(3);
      } else {
        requireRefused(
            stream, ", row 3, column 'x': " + more + " since 1970 is no TIMESTAMP WITH TIME ZONE");
      }
    }
  }

  private DateMilliVector dates(long... millis) {
    DateMilliVector dates = new DateMilliVector("x", memory);
    dates.allocateNew(millis.length);
    for (int i = 0; i < millis.length; i++) {
      dates.set(i, millis[i]);
    }
    dates.setValueCount(millis.length);
    return dates;
  }

  /** DuckDB counts days in 32 bits, of which the two ends are infinite. */
  @ParameterizedTest
  @CsvSource({
    "185542587100800000, 185542587187200000, 2147483648",
    "-185542587100800000, -185542587187200000, -2147483648",
    "0, 371085174374400000, 4294967296",
    "0, 9223372036828800000, 106751991167",
  })
  void datesThat32BitsDoNotCount(long most, long more, long days) throws Exception {
    Path file = Files.write(folder.resolve("t.arrows"), stream(dates(0, most)));
    assertThat(Imported.file(file).only()).containsExactly("0", "" + most / 86_400_000);
    requireRefused(
        stream(dates(0, more)),
        Texts.format(
            ", row 2, column 'x': %,d ms is day %,d: a DATE has days from -2,147,483,647 to 2,147,483,647",
            more, days));
  }

  @ParameterizedTest
  @CsvSource({
    "371085174374400000, 'is day 4,294,967,296: a DATE has '",
    "1, is no whole number of days: write the column as a timestamp",
  })
  void datesOfADictionary(long millis, String reason) throws Exception {
    try (DateMilliVector dates = dates(0, millis)) {
      dictionaries.put(new Dictionary(dates, ENCODING));
      IntVector indices =
          new IntVector("x", new FieldType(true, new ArrowType.Int(32, true), ENCODING), memory);
      indices.allocateNew(3);
      indices.set(0, 0);
      indices.setNull(1);
      indices.set(2, 1);
      indices.setValueCount(3);
      requireRefused(
          stream(indices), Texts.format(", row 3, column 'x': %,d ms %s", millis, reason));
    }
  }

  /** A cast to a text reads values within others. */
  @Test
  void datesWithinOtherValues() throws Exception {
    ListVector lists = ListVector.empty("x", memory);
    UnionListWriter writer = lists.getWriter();
    for (long[] values : new long[][] {{}, {0}, {0, 371_085_174_374_400_000L}}) {
      writer.startList();
      for (long value : values) {
        writer.dateMilli().writeDateMilli(value);
      }
      writer.endList();
    }
    lists.setValueCount(3);
    Path file = Files.write(folder.resolve("t.arrows"), stream(lists));
    assertThatThrownBy(() -> Imported.file(file, AS_TEXT))
        .hasMessageStartingWith(file + ", row 3, column 'x': 371,085,174,374,400,000 ms is day ");
  }

  /** DuckDB cuts them to microseconds. */
  @Test
  void nanosecondsOfIntervals() throws Exception {
    for (long nanos : new long[] {2_000, 1_500}) {
      DurationVector durations =
          new DurationVector(
              "x", FieldType.nullable(new ArrowType.Duration(TimeUnit.NANOSECOND)), memory);
      durations.allocateNew(1);
      durations.set(0, nanos);
      durations.setValueCount(1);
      IntervalMonthDayNanoVector intervals = new IntervalMonthDayNanoVector("x", memory);
      intervals.allocateNew(1);
      intervals.set(0, 1, 2, nanos);
      intervals.setValueCount(1);
      for (FieldVector vector : List.of(durations, intervals)) {
        Path file = Files.write(folder.resolve("t.arrows"), stream(vector));
        if (nanos == 2_000) {
          assertThat(Imported.file(file, AS_TEXT).last()).endsWith("00:00:00.000002");
        } else {
          assertThatThrownBy(() -> Imported.file(file, AS_TEXT))
              .hasMessage(
                  "%s, row 1, column 'x': the interval of 1,500 nanoseconds is no whole number of microseconds: write the column with those",
                  file);
        }
      }
    }
  }

  @Test
  void typesThatCannotBeRead() throws Exception {
    Map<ArrowType, String> types =
        Map.of(
            new ArrowType.ListView(), "ListView: write the file with a column for each value",
            new ArrowType.LargeListView(),
                "LargeListView: write the file with a column for each value",
            new ArrowType.Union(UnionMode.Dense, new int[0]),
                "Union(Dense, []): write the file with a column for each value",
            new ArrowType.Interval(IntervalUnit.DAY_TIME),
                "Interval(DAY_TIME): write the file with integers",
            new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
                "FloatingPoint(HALF): write the file with floats of 32 bits");
    for (Map.Entry<ArrowType, String> type : types.entrySet()) {
      boolean isList = type.getKey().isComplex() && !(type.getKey() instanceof ArrowType.Union);
      Field element = new Field("e", FieldType.nullable(new ArrowType.Int(32, true)), null);
      Field field =
          new Field("x", FieldType.nullable(type.getKey()), isList ? List.of(element) : List.of());
      Field within = new Field("x", FieldType.nullable(new ArrowType.Struct()), List.of(field));
      for (Field column : List.of(field, within)) {
        Path file = folder.resolve("t.arrows");
        try (FieldVector vector = column.createVector(memory)) {
          Files.write(file, stream(vector));
        }
        assertThatThrownBy(() -> Imported.file(file))
            .hasMessage("%s, column 'x': a cargo cannot hold %s", file, type.getValue());
      }
    }
  }

  /** A file in which a second batch continues each of two dictionaries. */
  @ParameterizedTest
  @ValueSource(strings = {"deltas.arrow", "deltas.arrows"})
  void readsDictionariesThatContinue(String name) throws Exception {
    Path file =
        Path.of(Objects.requireNonNull(DamagedArrowTest.class.getResource("/" + name)).toURI());
    assertThat(Imported.file(file).values()).hasToString("{x=[a, b, c, b], y=[7, 8, 7, 9]}");
  }

  /** The end mark has 8 bytes, or 4 from an old writer. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7, 8})
  void streamWithoutItsEnd(int missing) throws Exception {
    byte[] whole = stream(texts());
    byte[] cut = Arrays.copyOf(whole, whole.length - missing);
    requireRefused(
        cut, "its stream of Arrow has no end-of-stream marker: it may be cut off at byte ");
    Path old = folder.resolve("old.arrows");
    Files.write(old, Arrays.copyOf(Arrays.copyOf(whole, whole.length - 8), whole.length - 4));
    assertThat(Imported.file(old).only()).hasSize(3);
  }

  @Test
  void bytesBehindTheEndOfAStream() throws Exception {
    byte[] one = stream(texts());
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.writeBytes(one);
    two.writeBytes(one);
    requireRefused(two.toByteArray(), "its stream of Arrow ends at byte ");
  }
}
