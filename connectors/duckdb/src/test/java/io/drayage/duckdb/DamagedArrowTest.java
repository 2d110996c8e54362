package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
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
