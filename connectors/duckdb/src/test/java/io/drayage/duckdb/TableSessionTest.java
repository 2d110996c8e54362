package io.drayage.duckdb;

import static io.drayage.duckdb.Imported.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.ExportException;
import io.drayage.tables.FileFormat;
import io.drayage.tables.QueryFormat;
import io.drayage.tables.SqlSession;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the reach of SQL over a snapshot, and its output. */
final class TableSessionTest {
  private static final String TYPES =
      """
      DATE, INT
      USMALLINT, INT
      UTINYINT, SHORT
      TIME, LONG
      TIMESTAMP, LONG
      TIMESTAMP_S, LONG
      TIMESTAMP_MS, LONG
      TIMESTAMP_NS, LONG
      TIMESTAMP WITH TIME ZONE, LONG
      UINTEGER, LONG
      'DECIMAL(1,0)', LONG
      'DECIMAL(18,18)', LONG
      """;

  private static final long[] EXTREMES = {
    Long.MIN_VALUE, -Long.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 86_400_000_001L, Long.MAX_VALUE
  };

  @TempDir private Path folder;

  private static ChangeCargo numbers() {
    return LiveCargo.typed("DATE", ColumnValues.of(new int[][] {{0, 1}}));
  }

  private static String run(ChangeCargo rows, boolean files, QueryFormat format, String... sql)
      throws IOException {
    try (TableSession session = new TableSession(new LiveCargo(rows), files)) {
      return LiveCargo.printed(session, format, sql);
    }
  }

  private static void requireRefused(SqlSession session, String pattern, List<String> statements) {
    for (String each : statements) {
      assertThatThrownBy(() -> LiveCargo.printed(session, QueryFormat.CSV, each))
          .as(each)
          .isInstanceOf(TableException.class)
          .hasMessageMatching(pattern);
    }
  }

  private static String csv(String... sql) throws IOException {
    return run(numbers(), false, QueryFormat.CSV, sql);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void reachesNothingButTheSnapshot() throws Exception {
    List<String> attempts =
        List.of(
            "SELECT * FROM '@/in.csv'",
            "SELECT * FROM read_csv('@/in.csv')",
            "SELECT * FROM read_text('@/in.csv')",
            "SELECT * FROM read_blob('@/in.csv')",
            "SELECT * FROM glob('@/*')",
            "SELECT * FROM query('SELECT * FROM read_text(''@/in.csv'')')",
            "SELECT * FROM 'https://127.0.0.1:1/x.csv'",
            "CREATE VIEW v AS SELECT * FROM read_csv('@/in.csv')",
            "CREATE MACRO m() AS TABLE SELECT * FROM read_text('@/in.csv')",
            "COPY own FROM '@/in.csv'",
            "COPY (SELECT 1) TO '@/out.csv'",
            "COPY t TO '@/out.parquet' (FORMAT parquet)",
            "EXPORT DATABASE '@/out'",
            "IMPORT DATABASE '@'",
            "ATTACH '@/out.duckdb' AS other",
            "INSTALL httpfs",
            "LOAD httpfs",
            "LOAD '@/in.duckdb_extension'",
            "UPDATE EXTENSIONS",
            "CREATE PERSISTENT SECRET s (TYPE http)",
            "CALL enable_logging(storage = 'file', storage_path = '@/log')",
            "PRAGMA enable_profiling = 'json'",
            "SET profile_output = '@/out.json'",
            "SET temp_directory = '@/out'",
            "SET allowed_directories = ['@']",
            "SET enable_external_access = true",
            "SET lock_configuration = false",
            "RESET lock_configuration",
            "SET GLOBAL TimeZone = 'Asia/Tokyo'");
    Files.writeString(folder.resolve("in.csv"), "a,b\n1,2\n");
    Files.writeString(folder.resolve("schema.sql"), "");
    Files.writeString(folder.resolve("load.sql"), "");
    List<String> before = files();

    try (TableSession session = new TableSession(new LiveCargo(numbers()), false)) {
      String own = "CREATE TABLE own AS SELECT 1 AS a, 2 AS b";
      LiveCargo.printed(session, QueryFormat.CSV, own);
      requireRefused(
          session,
          "(?s).*; SQL sees only the snapshot, unless you add --allow-files",
          attempts.stream().map(each -> each.replace("@", folder.toString())).toList());
    }
    assertThat(files()).isEqualTo(before);
    assertThat(Files.readString(folder.resolve("in.csv"))).isEqualTo("a,b\n1,2\n");
  }

  @Test
  void reachesFilesWhereTheyAreAllowed() throws Exception {
    Path out = folder.resolve("it's.csv");
    String text =
        run(
            numbers(),
            true,
            QueryFormat.CSV,
            "COPY t TO " + Sql.text(out),
            "SELECT * FROM read_csv(" + Sql.text(out) + ")");
    assertThat(text).isEqualTo("v\n1970-01-01\n1970-01-02\n");
  }

  @Test
  void saysWhyAQueryFailedWhileItsRowsCame() {
    assertThatThrownBy(() -> csv("SELECT CAST(s AS INTEGER) FROM (VALUES ('1'), ('x')) AS r(s)"))
        .hasMessageContaining("Could not convert string 'x' to INT32");
    assertThatThrownBy(
            () -> csv("SELECT if(range = 9000, error('no more'), range) AS a FROM range(9999)"))
        .hasMessageContaining("no more");
  }

  @Test
  void saysWhereItsNativeCodeCannotBeLoadedFrom() {
    IOException full = new IOException("No space left on device");
    assertThat(Sql.notLoaded(new ExceptionInInitializerError(new RuntimeException(full))))
        .hasMessage(
            "DuckDB's native code cannot be loaded from the temporary folder %s: No space left on device: free space there, or name another one, DRAYAGE_JAVA_OPTS=-Djava.io.tmpdir=DIR",
            System.getProperty("java.io.tmpdir"));
  }

  @Test
  void sortsMoreThanMemoryHolds() throws Exception {
    assertThat(
            csv(
                "CREATE TABLE large AS SELECT range AS a, repeat('x', 4000) || range AS s FROM range(10000)",
                "SELECT a FROM large ORDER BY s DESC LIMIT 1"))
        .isEqualTo("a\n9999\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DATE) AS x FROM (SELECT 1) TO '/out.csv') --",
        "ENUM('a') AS c0) TO '/out.csv' --",
        "ENUM('a', 'b')",
        "ENUM(",
        "DATE; COPY (SELECT 1) TO '/out.csv'",
        "DATE\0",
        " DATE",
        "date",
        "INTEGER",
        "VARCHAR",
        "TIMESTAMP",
        "DECIMAL(99999999999,0)",
        "DECIMAL(-1,0)",
        "DECIMAL(4,5)",
        "DECIMAL(٣,٠)",
        "STRUCT(a INTEGER)",
        "UNION(a INTEGER)",
        "INTEGER[]",
        "DATE[]",
        "read_text('/etc/passwd')",
        ""
      })
  void refusesATypeThatTheColumnCannotHave(String type) {
    ChangeCargo rows = LiveCargo.typed(type, ColumnValues.of(new int[][] {{0}}));
    assertRefused(
        () -> KeptTypes.of(rows).of("t", rows.tables().get(0).insertedColumns().get(0)),
        "table 'drayage_columns' says that column 'v' of table 't' is '"
            + Sql.shown(type)
            + "', which a column of INT cannot be, only DATE, USMALLINT: a table keeps its types, so commit its rows again, to a table of another name");
  }

  @Test
  void aTypeThatIsSqlRunsNowhere() throws Exception {
    ChangeCargo rows =
        LiveCargo.typed(
            "ENUM('a')) AS v FROM (SELECT 1)) TO '%s/out.csv' --".formatted(folder),
            ColumnValues.ofTexts(new String[][] {{"a"}}));
    String message = "table 'drayage_columns' says that column 'v' of table 't' is 'ENUM('a')) AS ";

    assertRefused(() -> run(rows, false, QueryFormat.CSV, "SELECT * FROM t"), message + "...");
    for (FileFormat format : FileFormat.values()) {
      assertRefused(() -> new DuckDbEngine().export(rows, format, folder), message + "...");
    }
    assertThat(files()).isEmpty();
    // A user can look at the wrong entry.
    assertThat(run(rows, false, QueryFormat.CSV, "SELECT \"column\" FROM drayage_columns"))
        .isEqualTo("column\nv\n");
  }

  @Test
  void namesOfTablesAndColumnsAreOnlyNames() throws Exception {
    ChangeCargo.Builder rows = ChangeCargo.builder(new UUID(0, 1), 0);
    List<String> names =
        List.of(
            "a\"; COPY (SELECT 1) TO '%s/out.csv'; --".formatted(folder),
            "a') TO '%s/out.csv'; --".formatted(folder),
            "a\" AS SELECT 1; --",
            "it's",
            "$$",
            "/*",
            "");
    List<String> queries = new ArrayList<>();
    for (String name : names) {
      rows.table("t" + name, t -> t.insert("c" + name, ColumnValues.of(new int[][] {{7}})));
      queries.add("SELECT count(*) AS n FROM " + Sql.name("t" + name));
    }
    assertThat(run(rows.build(), false, QueryFormat.CSV, queries.toArray(String[]::new)))
        .isEqualTo("n\n1\n".repeat(names.size()));
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource(
      textBlock =
          TYPES
              + """
              'DECIMAL(4,2)', LONG
              'DECIMAL(9,9)', LONG
              UUID, STRING
              JSON, STRING
              """)
  void valuesThatATypeCannotHaveAreRefusedOrPrinted(String type, ColumnType column)
      throws Exception {
    for (long value : EXTREMES) {
      ChangeCargo rows =
          LiveCargo.typed(
              type,
              column == ColumnType.STRING
                  ? ColumnValues.ofTexts(new String[][] {{"'" + value}})
                  : integers(column, value));
      List<String> results = new ArrayList<>();
      for (String select : List.of("SELECT v FROM t", "SELECT max(v)::VARCHAR AS v FROM t")) {
        try {
          results.add(run(rows, false, QueryFormat.CSV, select).substring(2));
        } catch (TableException e) {
          results.add("table 't'" + e.getMessage().substring("table 't'".length()));
        }
      }
      // DuckDB's text of a decimal has no zero before the point.
      String cast = results.get(1).replaceFirst("^(-?)\\.", "$10.");
      assertThat(results.get(0)).as("%s of %d", type, value).isEqualTo(cast);
    }
  }

  /** The smallest and largest values of a type can be printed and exported in every way. */
  @ParameterizedTest
  @CsvSource(textBlock = TYPES + "UBIGINT, LONG")
  @Tag("ci")
  void exportsAndPrintsEachValueThatATypeHas(String name, ColumnType column) throws Exception {
    ValueType type = Objects.requireNonNull(ValueType.ofName(name));
    for (long value : edges(type, column)) {
      assertThat(type.has(value)).isTrue();
      ChangeCargo rows = LiveCargo.typed(name, integers(column, value));
      assertThat(run(rows, false, QueryFormat.CSV, "SELECT v FROM t")).startsWith("v\n");
      for (FileFormat format : FileFormat.values()) {
        Path file = new DuckDbEngine().export(rows, format, folder).get(0);
        if (format != FileFormat.CSV) {
          Imported again = Imported.file(file);
          String unit = again.type().contains("microseconds") ? "000".repeat(digits(name)) : "";
          boolean isInfinite = Math.abs(value) == Long.MAX_VALUE;
          assertThat(again.only())
              .as("%s %d as %s", name, value, format)
              .containsExactly(value + (isInfinite || value == 0 ? "" : unit));
        }
      }
    }
  }

  /** Returns the number of digits that microseconds have more, in groups of three. */
  private static int digits(String name) {
    return name.equals("TIMESTAMP_S") ? 2 : name.equals("TIMESTAMP_MS") ? 1 : 0;
  }

  private static ColumnValues integers(ColumnType column, long value) {
    return switch (column) {
      case INT -> ColumnValues.of(new int[][] {{(int) value}});
      case SHORT -> ColumnValues.of(new short[][] {{(short) value}});
      default -> ColumnValues.of(new long[][] {{value}});
    };
  }

  /** Finds the ends of each range of values of a type, by bisection. */
  private static List<Long> edges(ValueType type, ColumnType column) {
    long most =
        switch (column) {
          case INT -> Integer.MAX_VALUE;
          case SHORT -> Short.MAX_VALUE;
          default -> Long.MAX_VALUE;
        };
    List<Long> edges = new ArrayList<>();
    for (long end : new long[] {-most - 1, -most, most}) {
      long inside = 0;
      long outside = end;
      if (type.has(end)) {
        edges.add(end);
        outside -= Long.signum(end);
      }
      while (!type.has(outside) && Math.abs(outside - inside) > 1) {
        long middle = inside + (outside - inside) / 2;
        inside = type.has(middle) ? middle : inside;
        outside = type.has(middle) ? outside : middle;
      }
      edges.add(type.has(outside) ? outside : inside);
    }
    return edges;
  }

  @Test
  void changesNoTableOfTheSnapshot() throws Exception {
    try (TableSession session = new TableSession(new LiveCargo(numbers()), false)) {
      requireRefused(
          session,
          "(table 't'|a table of this statement) belongs to the snapshot, which SQL cannot change: change it by a commit, or create a table of another name",
          List.of(
              "-- no query\nDROP TABLE IF EXISTS t",
              "DROP /* a */ VIEW \"T\"",
              "CREATE OR REPLACE TABLE t AS SELECT 1",
              "CREATE TEMP VIEW IF NOT EXISTS temp.main.t AS SELECT 1",
              "ALTER TABLE t ADD COLUMN a INT",
              "DROP\u3000TABLE t",
              "EXPLAIN ANALYZE CREATE OR REPLACE VIEW t AS SELECT 1",
              "DELETE FROM t",
              "delete /* a */ from \"T\" WHERE true",
              "WITH x AS (SELECT 1) DELETE FROM t",
              "INSERT INTO t VALUES (DATE '2020-01-01')",
              "INSERT OR REPLACE INTO temp.main.t SELECT * FROM t",
              "UPDATE t SET v = NULL",
              "TRUNCATE t",
              "MERGE INTO t USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE",
              "DELETE FROM\u00a0t",
              "EXPLAIN ANALYZE DELETE FROM t",
              "WITH d AS (DELETE FROM t RETURNING *) SELECT count(*) FROM d",
              "WITH d AS (UPDATE t SET v = NULL RETURNING *) SELECT count(*) FROM d",
              "WITH d AS (INSERT INTO t SELECT * FROM t RETURNING *) SELECT count(*) FROM d",
              "CREATE TABLE q AS WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
              "EXPLAIN ANALYZE WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
              "PREPARE p AS WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
              "COPY t FROM 'in.csv'"));
      assertThat(LiveCargo.printed(session, QueryFormat.TEXT, "EXPLAIN SELECT * FROM t").lines())
          .hasSizeGreaterThan(3)
          .noneMatch(line -> line.contains("u000A"));
      assertThat(
              LiveCargo.printed(
                  session,
                  QueryFormat.CSV,
                  "CREATE TABLE own AS SELECT 1 AS a",
                  "INSERT INTO own SELECT count(*) FROM t",
                  "DELETE FROM own WHERE a = 1",
                  "SELECT * FROM own",
                  "SELECT count(*) AS \"delete\" FROM t ORDER BY \"delete\"",
                  "DROP TABLE own"))
          .isEqualTo("a\n2\ndelete\n2\n");
    }
  }

  /** A macro replaces a function, also in the session's own queries about its statements. */
  @Test
  void refusesMacrosWithTheNameOfAFunction() throws Exception {
    try (TableSession session = new TableSession(new LiveCargo(numbers()), false)) {
      requireRefused(
          session,
          "DuckDB has a function '\\w+', which a macro of this name would replace: give the macro another name",
          List.of(
              "CREATE FUNCTION count_star() AS 5",
              "CREATE OR REPLACE TEMP MACRO Max(a) AS 5",
              "create macro if not exists \"json_tree\"(a) AS TABLE SELECT 1",
              "CREATE MACRO temp.main.json_serialize_sql(a) AS 5"));
      assertThat(
              LiveCargo.printed(
                  session,
                  QueryFormat.CSV,
                  "CREATE MACRO twice(a) AS 2 * a",
                  "CREATE MACRO t() AS TABLE SELECT 7 AS a",
                  "SELECT twice(count(*)) AS n FROM t",
                  "SELECT * FROM t()",
                  "DROP MACRO twice"))
          .isEqualTo("n\n4\na\n7\n");
    }
  }

  @Test
  void goesOnAfterAnErrorThatEndsTheEngine() throws Exception {
    Path file = folder.resolve("int96.parquet");
    byte[] bytes =
        Files.readAllBytes(
            Path.of(
                Objects.requireNonNull(TableSessionTest.class.getResource("/int96-micros.parquet"))
                    .toURI()));
    bytes[29] = -1; // The highest byte of a day.
    Files.write(file, bytes);
    try (TableSession session = new TableSession(new LiveCargo(numbers()), true)) {
      assertThat(LiveCargo.printed(session, QueryFormat.CSV, "SELECT count(*) AS n FROM t"))
          .isEqualTo("n\n2\n");
      requireRefused(
          session,
          "INTERNAL Error: Information loss on integer cast: [^;\n]*; DuckDB was restarted, and the tables of this session are lost",
          List.of("SELECT * FROM read_parquet('%s', int96_as = 'struct')".formatted(file)));
      assertThat(LiveCargo.printed(session, QueryFormat.CSV, "SELECT max(v) AS n FROM t"))
          .isEqualTo("n\n1970-01-02\n");
    }
  }

  @Test
  void writesTheOtherTablesThanOneWithAValueOfNoType() throws Exception {
    ChangeCargo rows =
        LiveCargo.typed(
            ChangeCargo.builder(new UUID(0, 1), 0)
                .table("a", t -> t.insert("v", ColumnValues.of(new int[][] {{1}})))
                .table("b", t -> t.insert("v", ColumnValues.of(new int[][] {{0, 1 << 31}})))
                .table("c", t -> t.insert("v", ColumnValues.of(new int[][] {{3}}))),
            "b",
            "DATE");
    for (FileFormat format : FileFormat.values()) {
      assertThatThrownBy(() -> new DuckDbEngine().export(rows, format, folder))
          .isInstanceOfSatisfying(
              ExportException.class,
              e ->
                  assertThat(e.written())
                      .extracting(file -> String.valueOf(file.getFileName()).charAt(0))
                      .containsExactly('a', 'c'))
          .hasMessage(
              "table 'b', row 2, column 'v': -2147483648 is no DATE, as table 'drayage_columns' says");
    }
    assertThat(files()).hasSize(2 * FileFormat.values().length);
    assertThat(run(rows, false, QueryFormat.CSV, "SELECT sum(v) AS v FROM c")).isEqualTo("v\n3\n");
  }

  @Test
  void printsControlCharactersByTheirNumbers() throws Exception {
    String query = "SELECT chr(27) || '[31m' || chr(10) AS a";
    assertThat(run(numbers(), false, QueryFormat.TEXT, query)).isEqualTo("a\n\\u001B[31m\\u000A\n");
    assertThat(run(numbers(), false, QueryFormat.CSV, query)).isEqualTo("a\n\"\u001B[31m\n\"\n");
    assertThatThrownBy(() -> csv("SELECT CAST(chr(27) || 'x' AS INTEGER)"))
        .hasMessageContaining("Could not convert string '\\u001Bx' to INT32");
  }

  @Test
  void refusesValuesThatATypeCannotHave() {
    refuses("TIME", ColumnValues.of(new long[][] {{0, -1}}), "-1");
    refuses("UTINYINT", ColumnValues.of(new short[][] {{9, 256}}), "256");
    refuses("USMALLINT", ColumnValues.of(new int[][] {{9, -1}}), "-1");
    refuses("UINTEGER", ColumnValues.of(new long[][] {{9, 1L << 32}}), "4294967296");
    refuses("UBIGINT", ColumnValues.of(new long[][] {{9, -1}}), "-1");
    String uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    refuses("UUID", ColumnValues.ofTexts(new String[][] {{uuid, "x"}}), "'x'");
    refuses("JSON", ColumnValues.ofTexts(new String[][] {{"{}", "{"}}), "'{'");
  }

  private void refuses(String type, ColumnValues values, String second) {
    ChangeCargo rows = LiveCargo.typed(type, values);
    String message =
        "table 't', row 2, column 'v': %s is no %s, as table 'drayage_columns' says"
            .formatted(second, type);
    assertRefused(() -> run(rows, false, QueryFormat.CSV, "SELECT v FROM t"), message);
    for (FileFormat format : List.of(FileFormat.CSV, FileFormat.PARQUET)) {
      assertRefused(() -> new DuckDbEngine().export(rows, format, folder), message);
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesTableAndFileThatCannotBeWritten(FileFormat format) throws Exception {
    String file = "t." + format.name().toLowerCase(Locale.ROOT);
    Files.createDirectory(folder.resolve(file));
    assertRefused(
        () -> new DuckDbEngine().export(numbers(), format, folder),
        "table 't' cannot be written to "
            + folder.toRealPath().resolve(file)
            + ": is a folder: name a file");
  }

  /** The user who sees the error has not written such a statement. */
  @Test
  void noStatementOfOursIsInAMessage() throws Exception {
    try (WorkFolder work = new WorkFolder();
        Sql sql = new Sql(work.path())) {
      String copy = "COPY (SELECT 'x'::INTEGER) TO " + Sql.text(folder.resolve("x.csv"));
      for (String ours : List.of(copy, copy.replace("SELECT", "SELECT\n"))) {
        assertThatThrownBy(() -> sql.run(ours))
            .isInstanceOf(TableException.class)
            .hasMessageStartingWith("Conversion Error: Could not convert string 'x' to INT32")
            .hasMessageNotContaining("COPY")
            .hasMessageNotContaining("LINE");
      }
      assertThatThrownBy(() -> sql.rows("SELECT nothing FROM range(3)"))
          .hasMessageContaining("Referenced column \"nothing\" not found")
          .hasMessageNotContaining("LINE");
      String full =
          "IO Error: Async write failed for range [offset=4, size=9]: {\"exception_type\":\"IO\",\"exception_message\":\"Could not write file \\\"/a$1.csv\\\": No space left on device\",\"errno\":\"28\"}";
      assertThat(Sql.ownFailure(new SQLException(full)))
          .hasMessage(
              "IO Error: Async write failed for range [offset=4, size=9]: Could not write file \"/a$1.csv\": No space left on device");
      assertThatThrownBy(() -> sql.makeTable("t", "SELECT 1,\n nothing FROM range(3)"))
          .hasMessageContaining("LINE 2:  nothing FROM range(3)");
    }
  }

  @Test
  void printsValuesAsTheEngineWritesThem() throws Exception {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("TIMESTAMP 'infinity'", "infinity");
    values.put("TIMESTAMP '-infinity'", "-infinity");
    values.put("TIMESTAMP_S 'infinity'", "infinity");
    values.put("TIMESTAMP_NS '2024-01-01 00:00:00.123456789'", "2024-01-01 00:00:00.123456789");
    values.put("TIMESTAMPTZ '2024-01-01 00:00:00+02'", "2023-12-31 22:00:00+00");
    values.put("TIMESTAMP '0044-03-15 (BC)'", "0044-03-15 (BC) 00:00:00");
    values.put("DATE '0044-03-15 (BC)'", "0044-03-15 (BC)");
    values.put("DATE 'infinity'", "infinity");
    values.put("TIME '24:00:00'", "24:00:00");
    values.put("TIMETZ '12:00:00+05'", "12:00:00+05");
    values.put("INTERVAL '1 month 2 days 3 hours'", "1 month 2 days 03:00:00");
    values.put("'nan'::DOUBLE", "nan");
    values.put("'-inf'::FLOAT", "-inf");
    values.put("1e10::DOUBLE", "10000000000.0");
    values.put("-0.0::DOUBLE", "-0.0");
    values.put("[1, NULL, 2]", "\"[1, NULL, 2]\"");
    values.put("{'a': 1, 'b': DATE 'infinity'}", "\"{'a': 1, 'b': infinity}\"");
    values.put("MAP {'a': 1}", "{a=1}");
    values.put("'\\xAA'::BLOB", "\\xAA");
    values.put("'1010'::BIT", "1010");
    values.put(
        "-170141183460469231731687303715884105727::HUGEINT",
        "-170141183460469231731687303715884105727");
    values.put("0::DECIMAL(38,20)", "0.00000000000000000000");
    values.put("0.00001::DECIMAL(5,5)", "0.00001");
    values.put("-0.5::DECIMAL(1,1)", "-0.5");
    values.put("0::DECIMAL(3,3)", "0.000");
    values.put("NULL::DECIMAL(3,3)", "");
    values.put("[0.5::DECIMAL(1,1), NULL]", "\"[0.5, NULL]\"");
    values.put("{'a.5': 0.5::DECIMAL(1,1), 'b': '.5'}", "\"{'a.5': 0.5, 'b': .5}\"");
    values.put("'a'::ENUM('a', 'b')", "a");
    values.put("''", "\"\"");
    values.put("NULL", "");
    values.put("' a'", "\" a\"");
    values.put("'a\"b'", "\"a\"\"b\"");
    String select = "SELECT " + String.join(", ", values.keySet()) + " -- all";
    assertThat(csv(select).lines().skip(1)).containsExactly(String.join(",", values.values()));
  }

  @Test
  void printsInUtcAndWithoutALocale() throws Exception {
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(
              csv(
                  "SELECT TIMESTAMPTZ '2024-06-01 00:00:00+00' AS a, '2024-06-01'::TIMESTAMPTZ AS b, 7 AS c"))
          .isEqualTo("a,b,c\n2024-06-01 00:00:00+00,2024-06-01 00:00:00+00,7\n");
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
  }

  @Test
  void printsWhatIsNoQueryAndRefusesWhatOnlyJavaCouldPrint() throws Exception {
    assertThat(
            csv(
                "CREATE TABLE u (a INTEGER, b DOUBLE)",
                "INSERT INTO u VALUES (1, 0.5) RETURNING a",
                "SELECT a, a, b AS \"A\" FROM u ORDER BY 1 -- three",
                "DESCRIBE u",
                "PIVOT u ON a USING sum(b)",
                "BEGIN",
                "DELETE FROM u",
                "ROLLBACK",
                "SELECT count(*) AS n FROM u"))
        .isEqualTo(
            """
            a
            1
            a,a,A
            1,1,0.5
            column_name,column_type,null,key,default,extra
            a,INTEGER,YES,,,
            b,DOUBLE,YES,,,
            1
            0.5
            n
            1
            """);
    assertRefused(
        () -> csv("CREATE TABLE u (a DOUBLE)", "INSERT INTO u VALUES (1) RETURNING a"),
        "column 'a' of this statement is DOUBLE, which only a query can print: cast it to VARCHAR");
  }

  @Test
  void alignsTexts() throws Exception {
    assertThat(
            run(
                numbers(),
                false,
                QueryFormat.TEXT,
                "SELECT v, CASE WHEN v > '1970-01-01' THEN 'long' END AS s FROM t ORDER BY v"))
        .isEqualTo("v           s\n1970-01-01  NULL\n1970-01-02  long\n");
  }
}
