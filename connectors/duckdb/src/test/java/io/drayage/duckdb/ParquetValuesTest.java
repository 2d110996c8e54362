package io.drayage.duckdb;

import static io.drayage.duckdb.Imported.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.duckdb.file.ParquetPages;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parquet values that DuckDB would change without an error. */
final class ParquetValuesTest {
  /** Bytes of an INT96 value, as in {@code int96-micros.parquet}. */
  private static final int INT96_BYTES = 12;

  private static final int EPOCH = 2_440_588;

  @TempDir private Path folder;

  private static Path resource(String name) throws Exception {
    return Path.of(Objects.requireNonNull(ParquetValuesTest.class.getResource("/" + name)).toURI());
  }

  /** Flips the last bit of the last page of a column. */
  private Path flipped(String name, String column) throws Exception {
    byte[] bytes = Files.readAllBytes(resource(name));
    try (ParquetPages pages = ParquetPages.open(resource(name))) {
      for (ColumnChunk chunk :
          Objects.requireNonNull(pages.footer()).getRow_groups().get(0).getColumns()) {
        ColumnMetaData of = chunk.getMeta_data();
        long start =
            of.isSetDictionary_page_offset()
                ? of.getDictionary_page_offset()
                : of.getData_page_offset();
        if (of.getPath_in_schema().get(0).equals(column)) {
          bytes[(int) (start + of.getTotal_compressed_size()) - 1] ^= 1;
        }
      }
    }
    return Files.write(folder.resolve("flipped.parquet"), bytes);
  }

  @ParameterizedTest
  @CsvSource({"checksums-1.parquet, a", "checksums-2.parquet, a", "checksums-1.parquet, s"})
  void refusesAPageWithAnotherChecksum(String name, String column) throws Exception {
    assertThat(Imported.file(resource(name)).values())
        .hasToString("{a=[1, 2, null, 4], s=[x, y, x, y]}");
    Path file = flipped(name, column);
    String message =
        "table 't', column '%s': %s is damaged: the checksum of the page at byte "
            .formatted(column, file);
    assertThatThrownBy(() -> Imported.file(file)).hasMessageStartingWith(message);
    for (String select :
        List.of(
            "SELECT * FROM '%s'",
            "FROM read_parquet('%s') r(%s, x) SELECT count(%s)",
            "SELECT sum(hash(%2$s)) FROM '%1$s'",
            "SELECT hash(%2$s) FROM query('SELECT * FROM ''%1$s''')")) {
      assertThatThrownBy(() -> Imported.select(select.formatted(file, column, column)))
          .as(select)
          .hasMessageStartingWith(message);
    }
    String other = column.equals("a") ? "s" : "a";
    assertThat(Imported.select("SELECT %s FROM '%s'".formatted(other, file)).only()).hasSize(4);
  }

  /** DuckDB renames one of the two columns, so that its name is not in the file. */
  @Test
  void looksAtEveryColumnWhereNamesDifferInCaseAlone() throws Exception {
    Path file = flipped("checksums-twins.parquet", "A");
    assertThatThrownBy(() -> Imported.select("SELECT A_1 AS z FROM '%s'".formatted(file)))
        .hasMessageStartingWith("table 't', column 'A': %s is damaged".formatted(file));
  }

  /** Changes the first value of a file in microseconds. */
  private Path int96(long nanos, int julianDay) throws Exception {
    byte[] bytes = Files.readAllBytes(resource("int96-micros.parquet"));
    ByteBuffer first = ByteBuffer.allocate(INT96_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    first.putLong(1_000).putInt(EPOCH).flip();
    for (int at = 0; at < bytes.length - INT96_BYTES; at++) {
      if (ByteBuffer.wrap(bytes, at, INT96_BYTES).equals(first)) {
        ByteBuffer.wrap(bytes, at, INT96_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(nanos)
            .putInt(julianDay);
        return Files.write(folder.resolve("int96.parquet"), bytes);
      }
    }
    throw new IllegalStateException("the value is not there");
  }

  @Test
  void readsInt96BeyondNanosecondsOrNamesTheRow() throws Exception {
    Path far = int96(1_000, EPOCH + 106_751_990);
    assertThat(Imported.file(far).only())
        .containsExactly("9223371936000000001", "null", "1700000000123456");
    assertThat(Imported.select("SELECT * FROM '%s'".formatted(far)).only())
        .containsExactly("9223371936000000001", "null", "1700000000123456");
    assertThatThrownBy(
            () ->
                Imported.select(
                    "SELECT * FROM read_parquet('%s', int96_as = 'timestamp_ns')".formatted(far)))
        .hasMessage(
            "table 't', row 1 of %s, column '%s': the file has INT96 with nanoseconds, and 64 bits cannot count them for this day",
            far, name(far));
    for (Object[] value :
        new Object[][] {
          {
            0L,
            EPOCH + 106_751_991,
            "the Julian day 109,192,579: TIMESTAMP has those from 0 to 109,192,578"
          },
          {0L, -1, "the Julian day -1: TIMESTAMP has those from 0 to 109,192,578"},
          {-1_000L, EPOCH, "nanosecond -1,000 of a day, which has 86,400,000,000,000"},
          {
            86_400_000_000_000L,
            EPOCH,
            "nanosecond 86,400,000,000,000 of a day, which has 86,400,000,000,000"
          },
        }) {
      Path file = int96((long) value[0], (int) value[1]);
      assertThatThrownBy(() -> Imported.file(file))
          .hasMessage("table 't', row 1, column '%s': INT96 of %s", name(file), value[2]);
      assertThatThrownBy(() -> Imported.select("SELECT * FROM '%s'".formatted(file)))
          .hasMessage(
              "table 't', row 1 of %s, column '%s': INT96 of %s", file, name(file), value[2]);
    }
  }

  private static String name(Path file) throws IOException {
    try (ParquetPages pages = ParquetPages.open(file)) {
      return Objects.requireNonNull(pages.footer()).getSchema().get(1).getName();
    }
  }

  @Test
  void cutsNoNanosecondsOffInt96InAQuery() throws Exception {
    Path file = resource("int96-nanos.parquet");
    assertThatThrownBy(() -> Imported.select("SELECT * FROM '%s'".formatted(file)))
        .hasMessage(
            "table 't': %s has INT96 with nanoseconds: write read_parquet('...', int96_as = 'timestamp_ns')",
            file);
    assertThat(
            Imported.select(
                    "SELECT * FROM read_parquet('%s', int96_as = 'timestamp_ns')".formatted(file))
                .only())
        .containsExactly("1", "null", "1700000000123456789");
  }

  /** DuckDB casts the values of each further file to the type of the first, or the widest one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1::INTEGER | 1.5::DOUBLE | 1.5 is no INTEGER",
        "1::INTEGER | -0.0::DOUBLE | -0.0 is no INTEGER",
        "1::INTEGER | lpad('7', 3, '0') | 007 is no INTEGER",
        "1::INTEGER | 4294967296 | 4294967296 is no INTEGER",
        "1::INTEGER | 7::BIGINT |",
        "1.5::FLOAT | 1.1::DOUBLE | 1.1 is no FLOAT",
        "1.5::FLOAT | 2.5::DOUBLE |",
        "1::DECIMAL(4,1) | 1.55::DECIMAL(4,2) | 1.55 is no DECIMAL(4,1)",
        "TIMESTAMP '2020-01-01' | TIMESTAMP_NS '2020-01-01 00:00:00.000000001' | 2020-01-01 00:00:00.000000001 is no TIMESTAMP",
        "DATE '2020-01-01' | TIMESTAMP '2020-01-01 10:00:00' | 2020-01-01 10:00:00 is no DATE",
      })
  void refusesByRowWhatTheTypeOfAnotherFileDoesNotHave(String first, String second, String reason)
      throws Exception {
    Path one = folder.resolve("1.parquet");
    Path two = folder.resolve("2.parquet");
    MadeFiles.make("SELECT " + first + " AS a, 0 AS b", one, "FORMAT parquet");
    MadeFiles.make(
        "SELECT NULL AS \"A\", 'x' AS c, 1 AS b UNION ALL SELECT %s, 'y', 2".formatted(second),
        two,
        "FORMAT parquet");
    for (String from :
        List.of(
            "read_parquet(['%s', '%s'])".formatted(one, two),
            "'%s/*.parquet'".formatted(folder),
            "(SELECT a FROM parquet_scan('%s/?.parquet') AS r)".formatted(folder))) {
      if (reason == null) {
        assertThat(Imported.select("SELECT a FROM " + from).only()).as(from).hasSize(3);
      } else {
        assertThatThrownBy(() -> Imported.select("SELECT a FROM " + from))
            .as(from)
            .isInstanceOf(TableException.class)
            .hasMessage(
                "table 't', row 2 of %s, column 'a': %s, the type of this column in another file: select each file separately, with a cast, and combine them by UNION ALL",
                two, reason);
      }
    }
    String each = "SELECT b FROM read_parquet(['%s', '%s'])".formatted(one, two);
    assertThat(Imported.select(each).only()).as("another column").containsExactly("0", "1", "2");
    String joined = "SELECT x.a, y.a AS z FROM '%s' AS x, '%s' AS y".formatted(one, two);
    assertThat(Imported.select(joined).values()).as("two tables").hasSize(2);
  }

  @Test
  void refusesByRowWhatTheWidestTypeOfSeveralFilesDoesNotHave() throws Exception {
    Path one = folder.resolve("1.parquet");
    MadeFiles.make("SELECT 9007199254740993 AS a", one, "FORMAT parquet");
    Path two = folder.resolve("2.parquet");
    MadeFiles.make("SELECT 0.5::DOUBLE AS a", two, "FORMAT parquet");
    String select = "SELECT * FROM read_parquet(['%s', '%s'], union_by_name = true)";
    assertThatThrownBy(() -> Imported.select(select.formatted(one, two)))
        .hasMessageStartingWith(
            "table 't', row 1 of %s, column 'a': 9007199254740993 is no DOUBLE", one);
  }

  /** DuckDB's log does not escape such names. */
  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a\\b", "a\",\"op\":\"b", "\\\"", "\\u0041"})
  void looksAtFilesOfAnyName(String name) throws Exception {
    Path file = folder.resolve(name + ".parquet");
    Files.copy(flipped("checksums-1.parquet", "a"), file);
    String select = "SELECT s, %s FROM " + Sql.text(file);
    assertThat(Imported.select(select.formatted("1")).values()).hasSize(2);
    assertThatThrownBy(() -> Imported.select(select.formatted("a")))
        .hasMessageStartingWith("table 't', column 'a': %s is damaged", file);
  }

  @Test
  void refusesASignallingNaNOf16Bits() throws Exception {
    Path file = resource("float16-signalling.parquet");
    String reason =
        "column 'h': the NaN 0xfc01 of 16 bits is a signalling one, whose bits no FLOAT keeps";
    assertThatThrownBy(() -> Imported.file(file)).hasMessage("table 't', row 3, " + reason);
    assertThatThrownBy(() -> Imported.select("SELECT * FROM '%s'".formatted(file)))
        .hasMessage("table 't', row 3 of %s, %s", file, reason);
  }

  @Test
  void saysHowAColumnOfNoTypeIsRead() throws Exception {
    Path file = resource("nothing.parquet");
    assertThatThrownBy(() -> Imported.file(file))
        .hasMessage(
            "table 't', column 'n': all values are null, and its type is unknown: set it with --types 'n=VARCHAR'");
    assertThat(Imported.file(file, new DeclaredTypes(Map.of("n", "VARCHAR"), List.of())).only())
        .containsExactly("null", "null");
  }

  /** The second of two values, as it is stored, under a type that may not have this value. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INT    | INT_8            | 128                  | 128 is no INT_8, which has -128 to 127",
        "INT    | INT_8            | -128                 |",
        "INT    | INT_16           | 98304                | 98304 is no INT_16, which has -32768 to 32767",
        "INT    | UINT_8           | 256                  | 256 is no UINT_8, which has 0 to 255",
        "INT    | UINT_8           | 255                  |",
        "INT    | UINT_16          | -1                   | -1 is no UINT_16, which has 0 to 65535",
        "INT    | TIME_MILLIS      | 86400001             | 86400001 is no TIME, which has 0 to 86400000",
        "INT    | DECIMAL          | 65537                | 65537 is no DECIMAL(4,2), which has -9999 to 9999",
        "BIGINT | DECIMAL          | 4294967297           | 4294967297 is no DECIMAL(4,2), which has -9999 to 9999",
        "BIGINT | DECIMAL          | -9999                |",
        "BIGINT | TIME_MICROS      | -1                   | -1 is no TIME, which has 0 to 86400000000",
        "BIGINT | TIMESTAMP_MILLIS | 9223372036854776     | 9223372036854776 is no TIMESTAMP in milliseconds, which has -9223372036854775 to 9223372036854775",
        "BIGINT | TIMESTAMP_MILLIS | 9223372036854775     |",
        "BIGINT | TIMESTAMP_MILLIS | -9223372022400001    | -9223372022400001000 is no TIMESTAMP",
        "BIGINT | TIMESTAMP_MICROS | -9223372036854775808 | -9223372036854775808 is no TIMESTAMP",
        "BIGINT | TIMESTAMP_MICROS | -9223372036854775806 | -9223372036854775806 is no TIMESTAMP",
        "BIGINT | TIMESTAMP_MICROS | -9223372036854775807 |",
        "INT    | DATE             | -2147483648          | -2147483648 is no DATE",
        "INT    | DATE             | -2147483647          |",
      })
  void refusesByRowWhatATypeDoesNotHave(
      String stored, ConvertedType type, String value, String reason) throws Exception {
    Path plain = folder.resolve("plain.parquet");
    MadeFiles.make(
        "SELECT unnest([1, %s]::%s[]) AS a".formatted(value, stored), plain, "FORMAT parquet");
    Path file = folder.resolve("typed.parquet");
    Consumer<SchemaElement> change =
        column -> {
          column.setConverted_type(type);
          column.setPrecision(type == ConvertedType.DECIMAL ? 4 : 0);
          column.setScale(type == ConvertedType.DECIMAL ? 2 : 0);
        };
    Retyped.write(plain, file, change);
    if (reason == null) {
      assertThat(Imported.file(file).only()).hasSize(2);
      return;
    }
    assertThatThrownBy(() -> Imported.file(file))
        .hasMessage("table 't', row 2, column 'a': " + reason);
    assertThatThrownBy(() -> Imported.select("SELECT * FROM '%s'".formatted(file)))
        .isInstanceOf(TableException.class)
        .hasMessageMatching(
            "table 't', row 2( of .*typed\\.parquet)?, column 'a': \\Q" + reason + "\\E");
  }

  /** DuckDB would read each value as two of 32 bits. */
  @Test
  void refusesTimesInMillisecondsOf64Bits() throws Exception {
    Path plain = folder.resolve("plain.parquet");
    MadeFiles.make("SELECT unnest([1, 5]::BIGINT[]) AS a", plain, "FORMAT parquet");
    Path file = folder.resolve("times.parquet");
    LogicalType type = LogicalType.TIME(new TimeType(false, TimeUnit.MILLIS(new MilliSeconds())));
    Retyped.write(plain, file, column -> column.setLogicalType(type));
    String reason =
        "table 't', column 'a': %s is damaged: its times in milliseconds have 64 bits, not 32"
            .formatted(file);
    assertRefused(() -> Imported.file(file), reason);
    assertRefused(() -> Imported.select("SELECT * FROM '%s'".formatted(file)), reason);
  }

  @Test
  void namesTheRowOfATextThatIsTooLong() throws Exception {
    String query = "SELECT repeat('x', i * 3000000) AS a FROM range(2) r(i)";
    Path file = folder.resolve("long.parquet");
    MadeFiles.make(query, file, "FORMAT parquet");
    String reason =
        "table 't', row 2, column 'a': the text has 3,000,000 bytes, the limit is 2,097,148";
    assertThatThrownBy(() -> Imported.file(file)).hasMessage(reason);
    assertThatThrownBy(() -> Imported.select(query)).hasMessage(reason);
  }

  @Test
  void namesAFileOfAQueryWhoseFooterIsDamaged() throws Exception {
    byte[] bytes = Files.readAllBytes(resource("checksums-1.parquet"));
    bytes[bytes.length - 8] ^= 64; // The length of the footer.
    Path file = Files.write(folder.resolve("t.parquet"), bytes);
    assertRefused(
        () -> Imported.select("SELECT * FROM '%s'".formatted(file)),
        file + ": it is no Parquet, or damaged: its footer: ...");
  }

  /** The first column is encrypted in one file, and the footer in the other. */
  @Test
  void namesWhatIsEncrypted() throws Exception {
    String advice = "it is encrypted: write the file without encryption";
    Path column = resource("encrypted-column.parquet");
    Path all = resource("encrypted-footer.parquet");
    assertRefused(() -> Imported.file(column), column + ", column 'a': " + advice);
    assertRefused(
        () -> Imported.select("SELECT s, a FROM '%s'".formatted(column)),
        column + ", column 'a': " + advice);
    assertThat(Imported.select("SELECT s FROM '%s'".formatted(column)).only()).hasSize(4);
    assertRefused(() -> Imported.file(all), all + ": " + advice);
    assertRefused(() -> Imported.select("SELECT * FROM '%s'".formatted(all)), all + ": " + advice);
  }

  /** DuckDB checks its own code; after a failure, its database refuses all statements. */
  @Test
  void namesTheValueThatEndsTheEngine() throws Exception {
    Path file = int96(0, -1);
    assertRefused(
        () ->
            Imported.select(
                "SELECT * FROM read_parquet('%s', int96_as = 'struct')".formatted(file)),
        "table 't', row 1 of %s, column '%s': INT96 of the Julian day -1: TIMESTAMP has those from 0 to 109,192,578"
            .formatted(file, name(file)));
  }

  /** A dictionary is cut off in its middle, which DuckDB finds while it reads. */
  @Test
  void namesFileAndColumnThatCannotBeRead() throws Exception {
    Path plain = folder.resolve("plain.parquet");
    MadeFiles.make("SELECT 'abc' AS a, 1 AS b", plain, "FORMAT parquet, CODEC uncompressed");
    Path file = folder.resolve("cut.parquet");
    byte[] bytes = Files.readAllBytes(plain);
    for (int at = 0; at < bytes.length - 3; at++) {
      if (bytes[at] == 3 && bytes[at + 4] == 'a' && bytes[at + 5] == 'b' && bytes[at + 6] == 'c') {
        bytes[at + 1] = 1; // The length is 259.
        break;
      }
    }
    Files.write(file, bytes);
    for (DeclaredTypes types :
        List.of(new DeclaredTypes(Map.of("a", "JSON"), List.of()), DeclaredTypes.NONE)) {
      assertRefused(() -> Imported.file(file, types), "table 't', column 'a' of " + file + ": ...");
    }
    for (String select :
        List.of("SELECT * FROM '%s'", "SELECT b, upper(a) AS c FROM '%s/c*.parquet'")) {
      assertRefused(
          () -> Imported.select(select.formatted(select.contains("c*") ? folder : file)),
          "table 't', column 'a' of " + file + ": ...");
    }
    assertThat(Imported.select("SELECT b FROM '%s'".formatted(file)).only()).containsExactly("1");
    assertRefused(
        () -> Imported.select("SELECT error('no' || b) AS c FROM '%s'".formatted(file)),
        "table 't': Invalid Input Error: no1");
  }
}
