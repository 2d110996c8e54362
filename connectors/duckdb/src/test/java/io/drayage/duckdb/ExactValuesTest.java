package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.codec.CargoFile;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.FileFormat;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.TimeStampSecTZVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of any type are imported exactly, or refused with their row. */
@Tag("ci")
@Timeout(180)
final class ExactValuesTest {
  @TempDir private Path folder;

  private static DeclaredTypes types(String column, String type) {
    return new DeclaredTypes(Map.of(column, type), List.of());
  }

  /** Returns a file that pyarrow wrote. */
  private static Path resource(String name) throws Exception {
    return Path.of(Objects.requireNonNull(ExactValuesTest.class.getResource("/" + name)).toURI());
  }

  @Test
  void keepsTheNanosecondsOfInt96() throws Exception {
    Imported nanos = Imported.file(resource("int96-nanos.parquet"));
    assertThat(nanos.type()).isEqualTo("TIMESTAMP_NS -> LONG, nanoseconds since 1970");
    assertThat(nanos.only()).containsExactly("1", "null", "1700000000123456789");
    Imported micros = Imported.file(resource("int96-micros.parquet"));
    assertThat(micros.type()).isEqualTo("TIMESTAMP -> LONG, microseconds since 1970");
    assertThat(micros.only()).containsExactly("1", "null", "1700000000123456");
  }

  /** DuckDB would read such a decimal as a DOUBLE. */
  @Test
  void refusesParquetsDecimalsThatAreTooLong() throws Exception {
    Path file = resource("decimal-40.parquet");
    assertThatThrownBy(() -> Imported.file(file))
        .isInstanceOf(TableException.class)
        .hasMessageContaining(
            "column 'a': a cargo cannot hold decimals of 40 digits, only of up to 38");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum(i) FROM range(4) r(i)        | HUGEINT -> LONG                   | 6",
        "sum(i * 0.25) FROM range(4) r(i) | DECIMAL(38,2) -> LONG, times 10^2 | 150",
        "-999999999999999999::DECIMAL(38) | DECIMAL(38,0) -> LONG, times 10^0 | -999999999999999999",
        "9223372036854775807::UBIGINT     | UBIGINT -> LONG                   | 9223372036854775807",
        "(-9223372036854775808)::HUGEINT  | HUGEINT -> LONG                   | -9223372036854775808",
      })
  void takesTheValuesOfWiderTypesThatFit(String select, String type, String value)
      throws Exception {
    Imported read = Imported.select("SELECT " + select);
    assertThat(read.type()).isEqualTo(type);
    assertThat(read.only()).containsExactly(value);
    // Its type and its digest stay the same.
    ImportPlan plan = Imported.query("SELECT " + select, null, DeclaredTypes.NONE);
    try (ImportedTables tables = new DuckDbEngine().open(plan, line -> {})) {
      Path file = new DuckDbEngine().export(tables.cargo(), FileFormat.PARQUET, folder).get(0);
      // Parquet has no integers of 128 bits.
      assertThat(Imported.file(file).type()).isEqualTo(type.replace("HUGEINT", "BIGINT"));
      assertThat(Imported.file(file).only()).containsExactly(value);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UBIGINT       | 9223372036854775808  | BIGINT",
        "HUGEINT       | -9223372036854775809 | BIGINT",
        "DECIMAL(19,0) | 1000000000000000000  | DECIMAL(18,0)",
        "DECIMAL(22,2) | 10000000000000000.00 | DECIMAL(18,2)",
      })
  void namesTheRowWhoseValueDoesNotFit(String type, String value, String most) throws Exception {
    String query = "SELECT CAST(unnest(['1', NULL, '%s']) AS %s) AS x".formatted(value, type);
    assertThatThrownBy(() -> Imported.select(query))
        .isInstanceOf(TableException.class)
        .hasMessage(
            "table 't', row 3, column 'x': a cargo cannot hold %s of %s: it holds up to %s",
            value, type, most);
  }

  @Test
  void castsToADeclaredTypeOrNamesTheRow() throws Exception {
    String[][] cases = {
      {"1.5::DOUBLE", "DECIMAL(9,2)", "1.50"},
      {"1.5::DOUBLE", "INTEGER", "!"},
      {"3::DOUBLE", "BIGINT", "3"},
      {"-0.0::DOUBLE", "BIGINT", "!"},
      {"0.1::DOUBLE", "FLOAT", "!"},
      {"0.5::DOUBLE", "FLOAT", "0.5"},
      {"300", "TINYINT", "!"},
      {"300", "SMALLINT", "300"},
      {"1.25::DECIMAL(9,2)", "DECIMAL(9,1)", "!"},
      {"1.20::DECIMAL(9,2)", "DECIMAL(9,1)", "1.2"},
      {"9007199254740993", "DOUBLE", "!"},
      {"'007'", "INTEGER", "7"},
      {"'0x1F'", "INTEGER", "!"},
      {"' 7'", "INTEGER", "!"},
      {"'1.5'", "INTEGER", "!"},
      {"'1_000'", "INTEGER", "!"},
      {"'1.255'", "DECIMAL(9,2)", "!"},
      {"'1.250'", "DECIMAL(9,2)", "1.25"},
      {"'2026-01-02'", "DATE", "2026-01-02"},
      {"'02-01-2026'", "DATE", "!"},
      {"'2026-01-02 10:00:00'", "DATE", "!"},
      {"'1970-01-01 00:00:00.0000001'", "TIMESTAMP", "!"},
      {"'1970-01-01 01:00:00+01'", "TIMESTAMPTZ", "1970-01-01 00:00:00+00"},
      {"'1970-01-01 01:00:00'", "TIMESTAMPTZ", "!"},
      {"TIMESTAMP '1970-01-02'", "DATE", "1970-01-02"},
      {"TIMESTAMP '1970-01-02 01:00:00'", "DATE", "!"},
      {"DATE '1970-01-02'", "TIMESTAMP", "1970-01-02 00:00:00"},
      {"'1970-01-01 00:00:00.0000015+00'::TIMESTAMPTZ_NS", "TIMESTAMPTZ", "!"},
      {
        "'1970-01-01 00:00:00.000001+00'::TIMESTAMPTZ_NS",
        "TIMESTAMPTZ",
        "1970-01-01 00:00:00.000001+00"
      },
      {"'00:00:00.000001'::TIME_NS", "TIME", "00:00:00.000001"},
      {"'00:00:00.0000015'::TIME_NS", "TIME", "!"},
      {"[1, 2]", "VARCHAR", "[1, 2]"},
      {"{'a': 1}", "JSON", "{\"a\":1}"},
      {"NULL", "VARCHAR", "null"},
      {"'x'::BLOB", "VARCHAR", "x"},
      {"INTERVAL 1 DAY", "VARCHAR", "1 day"},
      {"'nan'::DOUBLE", "VARCHAR", "nan"},
      {"'true'", "BOOLEAN", "true"},
      {"2", "BOOLEAN", "!"},
      {"'{}'", "JSON", "{}"},
      {"'{'", "JSON", "!"},
    };
    try (WorkFolder work = new WorkFolder();
        Sql sql = new Sql(work.path());
        BufferAllocator memory = new RootAllocator()) {
      Staging staging = new Staging(sql, memory);
      for (String[] each : cases) {
        String from =
            staging.ofSelect("t", "SELECT NULL AS x UNION ALL SELECT %s".formatted(each[0]));
        TypeCasts casts = new TypeCasts(sql, types("x", each[1]));
        if (each[2].equals("!")) {
          assertThatThrownBy(() -> casts.cast("t", from, staging))
              .as("%s as %s", each[0], each[1])
              .isInstanceOf(TableException.class)
              .hasMessageStartingWith("table 't', row 2, column 'x': '");
        } else {
          assertThat(sql.rows("SELECT CAST(x AS VARCHAR) FROM " + casts.cast("t", from, staging)))
              .as("%s as %s", each[0], each[1])
              .containsExactly(List.of("null"), List.of(each[2]));
        }
      }
    }
  }

  @Test
  void castsColumnsOfEachFormat() throws Exception {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table("t", t -> t.insert("v", ColumnValues.ofTexts(new String[][] {{"007", null}})))
            .build();
    for (FileFormat format : FileFormat.values()) {
      Path file = new DuckDbEngine().export(cargo, format, folder).get(0);
      assertThat(Imported.file(file, types("t.v", "INT")).columns())
          .containsExactly("t.v: INTEGER -> INT");
      assertThatThrownBy(() -> Imported.file(file, types("u.v", "INT")))
          .hasMessage("--types u.v: there is no such column, only t.v");
    }
    JdbcSource jdbc = new JdbcSource("jdbc:duckdb:", null, null, null);
    ImportPlan plan =
        Imported.query(
            "SELECT '10:00:01+02'::TIMETZ AS v, [1] AS w, 2::HUGEINT AS h",
            jdbc,
            new DeclaredTypes(Map.of("v", "VARCHAR", "w", "VARCHAR"), List.of()));
    assertThat(Imported.of(plan).values()).hasToString("{v=[10:00:01+02:00], w=[[1]], h=[2]}");
  }

  private Path arrow(FieldVector... vectors) throws IOException {
    Path file = folder.resolve("t.arrow");
    Files.deleteIfExists(file);
    try (VectorSchemaRoot rows = new VectorSchemaRoot(List.of(vectors));
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ArrowFileWriter writer = new ArrowFileWriter(rows, null, channel)) {
      rows.setRowCount(2);
      writer.start();
      writer.writeBatch();
      writer.end();
    }
    return file;
  }

  @Test
  void cutsNoTimeOffArrowsDates() throws Exception {
    try (BufferAllocator memory = new RootAllocator();
        DateMilliVector days = new DateMilliVector("d", memory)) {
      days.setSafe(0, 86_400_000);
      days.setSafe(1, 86_400_001);
      Path file = arrow(days);
      assertThatThrownBy(() -> Imported.file(file))
          .hasMessage(
              "%s, row 2, column 'd': 86,400,001 ms is no whole number of days: write the column as a timestamp",
              file);
      days.setSafe(0, 86_400_000);
      days.setSafe(1, 0);
      assertThat(Imported.file(arrow(days)).only()).containsExactly("1", "0");
    }
  }

  @Test
  void namesWhatArrowHasAndACargoHasNot() throws Exception {
    Map<ArrowType, String> types =
        Map.of(
            new ArrowType.Decimal(40, 2, 256), "Decimal(40, 2, 256)",
            new ArrowType.Decimal(9, 2, 256), "Decimal(9, 2, 256)",
            new ArrowType.Decimal(9, -2, 128), "Decimal(9, -2, 128)",
            new ArrowType.FloatingPoint(FloatingPointPrecision.HALF), "FloatingPoint(HALF)");
    try (BufferAllocator memory = new RootAllocator()) {
      for (Map.Entry<ArrowType, String> type : types.entrySet()) {
        Field field = new Field("d", FieldType.nullable(type.getKey()), List.of());
        try (FieldVector vector = field.createVector(memory)) {
          vector.allocateNew();
          Path file = arrow(vector);
          assertThatThrownBy(() -> Imported.file(file))
              .hasMessageStartingWith(
                  "%s, column 'd': a cargo cannot hold %s: write the file with",
                  file, type.getValue());
        }
      }
      Path file = arrow();
      assertThatThrownBy(() -> Imported.file(file)).hasMessage(file + ": it has no column");
    }
  }

  @Test
  void namesTheFileOfArrowWhoseValueDuckDbCannotTake() throws Exception {
    try (BufferAllocator memory = new RootAllocator();
        TimeStampSecTZVector times = new TimeStampSecTZVector("m", memory, "UTC")) {
      times.setSafe(0, Long.MAX_VALUE / 2);
      times.setNull(1);
      Path file = arrow(times);
      assertThatThrownBy(() -> Imported.file(file))
          .hasMessage(
              "%s, row 1, column 'm': %d seconds since 1970 is no TIMESTAMP WITH TIME ZONE",
              file, Long.MAX_VALUE / 2);
    }
  }

  @Test
  void castsArrowsNanosecondsOfUtc() throws Exception {
    try (BufferAllocator memory = new RootAllocator();
        TimeStampNanoTZVector times = new TimeStampNanoTZVector("m", memory, "UTC")) {
      times.setSafe(0, 2_000);
      times.setNull(1);
      Path file = arrow(times);
      assertThatThrownBy(() -> Imported.file(file))
          .hasMessageContaining("cast it with --types 'm=TYPE'");
      assertThat(Imported.file(file, types("m", "TIMESTAMPTZ")).only())
          .containsExactly("2", "null");
    }
  }

  private TableChanges changes(String old, String now, DeclaredTypes types) throws IOException {
    Path before = folder.resolve("old.parquet");
    Path after = folder.resolve("now.parquet");
    MadeFiles.make(old, before, "FORMAT parquet");
    MadeFiles.make(now, after, "FORMAT parquet");
    ImportPlan plan = Imported.update(Map.of("t", after), Map.of("t", before), List.of("k"), types);
    try (ImportedTables tables = new DuckDbEngine().open(plan, line -> {})) {
      Path cargo = folder.resolve("t.cargo");
      CargoFile.write(tables.cargo(), cargo);
      return CargoFile.read(cargo, 1 << 20).tables().get(0);
    }
  }

  @Test
  void updatesWhateverBitsDiffer() throws Exception {
    String values = "SELECT * FROM (VALUES (1, %s), (2, %s), (NULL, %s)) r(k, v)";
    TableChanges changes =
        changes(
            values.formatted("0.0::DOUBLE", "'nan'::DOUBLE", "1.0::DOUBLE"),
            values.formatted("-0.0::DOUBLE", "-('nan'::DOUBLE)", "1.0::DOUBLE"),
            DeclaredTypes.NONE);
    assertThat(changes.insertedRowCount()).isZero();
    assertThat(changes.deletedRows()).isNull();
    ColumnUpdates updates = changes.updates().get(0);
    assertThat((long[]) updates.rowIds().page(0)).containsExactly(0, 1);
    double[] written = (double[]) updates.values().page(0);
    assertThat(Double.doubleToRawLongBits(written[0])).isEqualTo(1L << 63);
    assertThat(Double.doubleToRawLongBits(written[1])).isEqualTo(0xfff8L << 48);
  }

  @Test
  void keysThatDifferInBitsAreOthers() throws Exception {
    TableChanges changes =
        changes(
            "SELECT * FROM (VALUES (0.0::DOUBLE, 1), (NULL, 2)) r(k, v)",
            "SELECT * FROM (VALUES (-0.0::DOUBLE, 1), (NULL, 2)) r(k, v)",
            DeclaredTypes.NONE);
    assertThat(changes.insertedRowCount()).isEqualTo(1);
    assertThat(Objects.requireNonNull(changes.deletedRows()).get(0)).isTrue();
    assertThat(changes.updates()).isEmpty();
    assertThatThrownBy(
            () ->
                changes(
                    "SELECT 1 AS k, 2 AS v",
                    "SELECT * FROM (VALUES (NULL::INT, 1), (NULL, 2)) r(k, v)",
                    DeclaredTypes.NONE))
        .hasMessage("--table of 't': rows are identified by \"k\", but [null] has 2 rows");
  }

  @Test
  void saysHowOldAndNewBecomeAlike() throws Exception {
    String old = "SELECT 1::BIGINT AS k, 2 AS v";
    String now = "SELECT 2.5::DOUBLE AS v, 1::BIGINT AS k";
    assertThatThrownBy(() -> changes(old, now, DeclaredTypes.NONE))
        .hasMessage(
            "table 't', column 'v': INTEGER in --old is DOUBLE in --table: --types 'v=DOUBLE' makes both one type");
    TableChanges changes = changes(old, now, types("v", "DOUBLE"));
    assertThat(changes.updates()).hasSize(1);
    assertThat(changes.insertedRowCount()).isZero();
    for (String text : List.of("SELECT 'x' AS v, 1::BIGINT AS k", "SELECT 7 AS v, '1' AS k")) {
      String column = text.contains("'x'") ? "v" : "k";
      assertThatThrownBy(() -> changes(old, text, DeclaredTypes.NONE))
          .hasMessageEndingWith("--types '%s=VARCHAR' makes both one type", column);
      assertThatThrownBy(() -> changes(text, old, DeclaredTypes.NONE))
          .hasMessageEndingWith("--types '%s=VARCHAR' makes both one type", column);
    }
    assertThatThrownBy(() -> changes(old, "SELECT 1::BIGINT AS k", DeclaredTypes.NONE))
        .hasMessage(
            "table 't': --old has the columns [k BIGINT, v INTEGER], not [k BIGINT] as --table");
  }
}
