package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.codec.CargoFile;
import io.drayage.duckdb.sql.Sql;
import io.drayage.store.MemoryStore;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.FileFormat;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.QueryFormat;
import io.drayage.tables.SnapshotSource;
import io.drayage.tables.SqlSession;
import io.drayage.tables.SqlSource;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports tables into cargoes, commits them, and exports them. */
@Timeout(180)
final class ImportTest {
  /** A column of each supported type, with a value as DuckDB writes it. */
  private static final Map<String, String> VALUES = values();

  private final DuckDbEngine engine = new DuckDbEngine();
  @TempDir private Path folder;

  private static Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("BOOLEAN", "true");
    values.put("TINYINT", "-128");
    values.put("SMALLINT", "-32768");
    values.put("INTEGER", "-2147483648");
    values.put("BIGINT", "-9223372036854775808");
    values.put("UTINYINT", "255");
    values.put("USMALLINT", "65535");
    values.put("UINTEGER", "4294967295");
    values.put("FLOAT", "-0.0");
    values.put("DOUBLE", "'nan'");
    values.put("DECIMAL(18,3)", "-999999999999999.999");
    values.put("DECIMAL(4,0)", "1234");
    values.put("DECIMAL(18,18)", "0.000000000000000001");
    values.put("DATE", "'0001-01-01'");
    values.put("TIME", "'23:59:59.999999'");
    values.put("TIMESTAMP", "'1582-10-04 00:00:00.000001'");
    values.put("TIMESTAMP_S", "'2026-02-28 23:59:59'");
    values.put("TIMESTAMP_MS", "'2026-02-28 23:59:59.999'");
    values.put("TIMESTAMP_NS", "'2026-02-28 23:59:59.999999999'");
    values.put("TIMESTAMP WITH TIME ZONE", "'2026-03-29 02:30:00+11:30'");
    values.put("UUID", "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'");
    values.put("VARCHAR", "'häßlich 𝄞'");
    return values;
  }

  /** Returns rows of every type, of which the second is null. */
  private static String everyType(Map<String, String> values, int rows) {
    return values.entrySet().stream()
        .map(
            each ->
                "CASE WHEN i <> 1 THEN CAST(%s AS %s) END AS %s"
                    .formatted(each.getValue(), each.getKey(), Sql.name("spälte " + each.getKey())))
        .collect(Collectors.joining(", ", "SELECT ", format(" FROM range(%d) r(i)", rows)));
  }

  private Path written(ImportedTables tables) throws IOException {
    Path file = folder.resolve("written.cargo");
    CargoFile.write(tables.cargo(), file);
    return file;
  }

  private ChangeCargo committed(ImportedTables tables) throws Exception {
    return storeWith(CargoFile.read(written(tables), 1 << 30)).snapshot().liveRows();
  }

  /** Returns a store with a cargo and the tables that it inserts into. */
  private static MemoryStore storeWith(ChangeCargo cargo) throws Exception {
    List<TableSchema> tables = new ArrayList<>();
    for (TableChanges table : cargo.tables()) {
      List<ColumnSchema> columns =
          table.insertedColumns().stream()
              .map(column -> ColumnSchema.nullable(column.column(), column.values().type()))
              .toList();
      boolean isTypes = table.table().equals(TypesTable.NAME);
      tables.add(isTypes ? TypesTable.SCHEMA : new TableSchema(table.table(), columns));
    }
    MemoryStore store = new MemoryStore();
    store.commit(cargo.adding(tables));
    return store;
  }

  @ParameterizedTest
  @EnumSource
  void allTypesComeBackAsTheyWere(FileFormat format) throws Exception {
    Path parquet = folder.resolve("all.parquet");
    MadeFiles.make(everyType(VALUES, 3), parquet, "FORMAT parquet");
    long digest;
    ChangeCargo rows;
    try (ImportedTables tables =
        engine.open(Imported.plan(Map.of("all types", parquet)), line -> {})) {
      assertThat(tables.types()).hasSize(VALUES.size());
      rows = committed(tables);
      digest = tables.digest();
    }
    assertThat(CargoDigest.of(rows)).isEqualTo(digest);

    Path file = engine.export(rows, format, folder).get(0);
    assertThat(file.getFileName().toString()).startsWith("all types.");
    if (format != FileFormat.CSV) {
      try (ImportedTables again =
          engine.open(Imported.plan(Map.of("all types", file)), line -> {})) {
        ChangeCargo same = committed(again);
        assertThat(valuesOf(same)).isEqualTo(valuesOf(rows));
        if (format == FileFormat.PARQUET) {
          assertThat(again.digest()).isEqualTo(digest);
        }
      }
    }
  }

  /** Values that a column of a file may hold, from DuckDB; equal digests mean equal bits. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT unnest(['nan', 'infinity', '-infinity', '-0.0', '0', '5e-324', NULL])::DOUBLE AS x",
        "SELECT unnest(['nan', '-infinity', '-0.0', '1e-45', NULL])::FLOAT AS x",
        "SELECT unnest(['', ' ', 'NULL', NULL, chr(1), 'ẞ𝄞', repeat('é', 70000)]) AS x",
        "SELECT %s FROM range(3)",
        "SELECT %s WHERE false",
        "SELECT unnest([999999999999999999, -999999999999999999, NULL])::DECIMAL(18,0) AS x",
        "SELECT unnest(['0.999999999999999999', NULL, '-0.000000000000000001'])::DECIMAL(18,18) AS x",
        "SELECT unnest(['0001-01-01', '1582-10-15', '9999-12-31', NULL])::DATE AS x",
        "SELECT unnest(['00:00:00', '23:59:59.999999', NULL])::TIME AS x",
        "SELECT unnest(['0001-01-01', '1969-12-31 23:59:59.999999', NULL])::TIMESTAMP AS x",
        "SELECT unnest(['1969-12-31 23:59:59', '9999-12-31', NULL])::TIMESTAMP_S AS x",
        "SELECT unnest(['1969-12-31 23:59:59.999', NULL])::TIMESTAMP_MS AS x",
        "SELECT unnest(['1969-12-31 23:59:59.999999999', NULL])::TIMESTAMP_NS AS x",
        "SELECT unnest(['2026-03-29 02:30:00+11:30', '2026-10-25 02:30:00-09', NULL])::TIMESTAMPTZ AS x",
        "SELECT 1 AS \"Ünï 𝄞 \"\"q\"\" , ; '\", 2 AS \"列\", 3 AS \" \"",
      })
  void comesBackToTheBit(String select) throws Exception {
    List<FileFormat> formats =
        Stream.of(FileFormat.PARQUET, FileFormat.ARROW)
            .filter(format -> changedBy(format).stream().noneMatch(select::contains))
            .toList();
    if (!select.contains("%s")) {
      assertComesBack(select, formats);
      return;
    }
    for (FileFormat format : formats) {
      assertComesBack(
          select.formatted(
              VALUES.keySet().stream()
                  .filter(type -> !changedBy(format).contains(type))
                  .map(type -> "NULL::%s AS %s".formatted(type, Sql.name(type)))
                  .collect(Collectors.joining(", "))),
          List.of(format));
    }
  }

  /** Types that are exported as other types, with the same values. */
  private static List<String> changedBy(FileFormat format) {
    return format == FileFormat.PARQUET
        ? List.of("TIMESTAMP_S", "TIMESTAMP_MS")
        : List.of("UTINYINT", "USMALLINT", "UINTEGER", "UUID");
  }

  private void assertComesBack(String select, List<FileFormat> formats) throws Exception {
    long digest;
    ChangeCargo rows;
    try (ImportedTables tables =
        engine.open(Imported.query(select, null, DeclaredTypes.NONE), line -> {})) {
      rows = committed(tables);
      digest = tables.digest();
    }
    for (FileFormat format : formats) {
      Path file = engine.export(rows, format, folder).get(0);
      try (ImportedTables again = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
        assertThat(CargoDigest.of(committed(again))).isEqualTo(again.digest());
        assertThat(again.digest()).as("%s as %s", select, format).isEqualTo(digest);
      }
    }
  }

  /** No SQL text expresses these bits. */
  @Test
  void keepsTheBitsOfNaN() throws Exception {
    double[][] doubles = {{Double.longBitsToDouble(0x7ff8_0000_dead_beefL), -0.0}};
    float[][] floats = {{Float.intBitsToFloat(0xffc0_1234), -0.0f}};
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table(
                "t",
                t -> t.insert("d", ColumnValues.of(doubles)).insert("f", ColumnValues.of(floats)))
            .build();
    for (FileFormat format : List.of(FileFormat.PARQUET, FileFormat.ARROW)) {
      Path file = engine.export(cargo, format, folder).get(0);
      try (ImportedTables tables = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
        assertThat(CargoDigest.of(committed(tables))).isEqualTo(tables.digest());
        assertThat(tables.digest()).as("%s", format).isEqualTo(CargoDigest.of(cargo));
      }
    }
  }

  private static List<Object> valuesOf(ChangeCargo cargo) {
    List<Object> all = new ArrayList<>();
    for (InsertedColumn column : cargo.tables().get(0).insertedColumns()) {
      List<Object> values = new ArrayList<>();
      for (long row = 0; row < column.values().rowCount(); row++) {
        values.add(String.valueOf(column.values().get(row)));
      }
      all.add(column.column() + " " + values);
    }
    return all;
  }

  @Test
  void scalesDecimalsAndCountsDays() throws Exception {
    Path file = folder.resolve("t.parquet");
    MadeFiles.make(
        "SELECT CAST('12.50' AS DECIMAL(15,2)) d, DATE '1970-01-11' t, TIMESTAMP '1970-01-01 00:00:01' s",
        file,
        "FORMAT parquet");
    Imported read = Imported.file(file);
    assertThat(read.columns())
        .containsExactly(
            "t.d: DECIMAL(15,2) -> LONG, times 10^2",
            "t.t: DATE -> INT, days since 1970",
            "t.s: TIMESTAMP -> LONG, microseconds since 1970");
    assertThat(read.values()).hasToString("{d=[1250], t=[10], s=[1000000]}");
  }

  @Test
  void readsLargeColumnsPageByPageAndAgain() throws Exception {
    Path file = folder.resolve("t.parquet");
    MadeFiles.make(
        "SELECT i AS l, CASE WHEN i % 7 = 0 THEN NULL ELSE i END AS n, 'text ' || (i % 3000) AS s, CASE WHEN i < 150000 THEN 'x' ELSE repeat('y', 100) END AS grows FROM range(200000) r(i)",
        file, "FORMAT parquet");
    try (ImportedTables tables = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
      TableChanges table = tables.cargo().tables().get(0);
      ColumnValues longs = table.insertedColumns().get(0).values();
      assertThat(((long[]) longs.page(3))[1]).isEqualTo(3 * 65_536 + 1);
      assertThat(((long[]) longs.page(0))[5]).isEqualTo(5);
      assertThat(((long[]) longs.page(2))[0]).isEqualTo(2 * 65_536);
      ColumnValues nulls = table.insertedColumns().get(1).values();
      assertThat(nulls.isNull(140_000)).isTrue();
      assertThat(nulls.get(140_001)).isEqualTo(140_001L);
      assertThat(table.insertedColumns().get(2).values().get(199_999)).isEqualTo("text 1999");
      assertThat(table.insertedColumns().get(3).values().get(150_000)).isEqualTo("y".repeat(100));
      assertThat(CargoDigest.of(committed(tables))).isEqualTo(tables.digest());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionUtil.CodecType.class,
      names = {"LZ4_FRAME", "ZSTD"})
  void readsArrowFiles(CompressionUtil.CodecType codec) throws Exception {
    Path file = folder.resolve("t.arrow");
    try (BufferAllocator memory = new RootAllocator();
        BigIntVector values = new BigIntVector("a", memory);
        VectorSchemaRoot rows = new VectorSchemaRoot(List.of(values))) {
      for (int i = 0; i < 10_000; i++) {
        values.setSafe(i, i % 10);
      }
      rows.setRowCount(1_000);
      try (FileChannel channel =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          ArrowFileWriter writer =
              new ArrowFileWriter(
                  rows,
                  null,
                  channel,
                  Map.of(),
                  IpcOption.DEFAULT,
                  CommonsCompressionFactory.INSTANCE,
                  codec)) {
        writer.start();
        writer.writeBatch();
        writer.end();
      }
    }
    assertThat(Imported.file(file).only()).hasSize(1_000).last().isEqualTo("9");
  }

  @Test
  void namesTheRowThatIsBad() throws Exception {
    Path file =
        Files.writeString(folder.resolve("t.csv"), "a,b\n" + "7,x\n".repeat(30_000) + "oops,y\n");
    assertThatThrownBy(
            () -> Imported.file(file, new DeclaredTypes(Map.of("a", "BIGINT"), List.of())))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ", line 30,002, column 'a': 'oops' is no BIGINT");
    assertThat(Imported.file(file).columns())
        .first()
        .isEqualTo("t.a: VARCHAR -> STRING, text by line 30,002: 'oops'");
  }

  @Test
  void refusesANameThatWouldSteerATerminal() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "\"a\u001Bb\",c\n1,2\n");
    assertThatThrownBy(() -> Imported.file(file))
        .isInstanceOf(TableException.class)
        .hasMessage(
            file
                + ": the columns: the column name 'a\\u001Bb' has a control character or an unpaired surrogate: rename it");
  }

  /** DuckDB guesses from the first 20,480 lines. */
  @Test
  void knowsAQuoteThatComesLate() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("t.csv"), "a,b\n" + "1,x\n".repeat(30_000) + "2,\"y, \"\"z\"\"\"\n");
    assertThat(Imported.file(file).values().get("b")).last().isEqualTo("y, \"z\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1, 2]",
        "{'a': 1}",
        "CAST(1 AS DECIMAL(22,19))",
        "CAST('x' AS BLOB)",
        "INTERVAL 1 DAY"
      })
  void refusesByNameWhatItHasNoPlaceFor(String value) throws Exception {
    assertThatThrownBy(() -> Imported.select("SELECT 1 AS a, %s AS b".formatted(value)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("table 't', column 'b': a cargo cannot hold ");
  }

  @Test
  void takesEmptyTablesAndManyColumns() throws Exception {
    int count = 2 * DuckDbImport.MAX_SEARCHED_COLUMNS;
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(format("%d AS c%d", i, i));
    }
    Path wide = folder.resolve("wide.parquet");
    MadeFiles.make("SELECT " + String.join(", ", columns), wide, "FORMAT parquet");
    Path empty = folder.resolve("empty.parquet");
    MadeFiles.make("SELECT 1 AS a, 'x' AS b WHERE false", empty, "FORMAT parquet");
    Map<String, Path> files = new LinkedHashMap<>();
    files.put("wide", wide);
    files.put("empty", empty);
    try (ImportedTables tables = engine.open(Imported.plan(files), line -> {})) {
      ChangeCargo rows = committed(tables);
      assertThat(rows.tables().get(0).insertedColumns()).hasSize(count);
      assertThat(rows.tables().get(1).insertedRowCount()).isZero();
      assertThat(engine.export(rows, FileFormat.PARQUET, folder)).hasSize(2);
    }
  }

  @Test
  void findsWhatIsInsertedUpdatedAndDeleted() throws Exception {
    Path old = folder.resolve("old.csv");
    Files.writeString(old, "sku,name,stock\na,anvil,1\nb,bolt,2\nc,clamp,\nd,drill,4\n");
    Path now = folder.resolve("now.csv");
    Files.writeString(now, "sku,name,stock\nd,drill,4\ne,epoxy,5\nc,clamp,3\na,awl,\n");
    MemoryStore store;
    try (ImportedTables first = engine.open(Imported.plan(Map.of("t", old)), line -> {})) {
      store = storeWith(CargoFile.read(written(first), 1 << 30));
    }
    ImportPlan plan = update(old, now, "sku");
    try (ImportedTables changes = engine.open(plan, line -> {})) {
      store.commit(CargoFile.read(written(changes), 1 << 30));
    }
    assertThat(query(store, "SELECT sku, name, stock FROM t ORDER BY sku", QueryFormat.CSV))
        .isEqualTo("sku,name,stock\na,awl,\nc,clamp,3\nd,drill,4\ne,epoxy,5\n");
    assertThat(store.snapshot().table("t").get("name", 0)).isEqualTo("awl");
    assertThat(store.snapshot().table("t").isDeleted(1)).isTrue();
    assertThat(store.snapshot().table("t").get("sku", 4)).isEqualTo("e");
  }

  @Test
  void refusesAKeyThatIsNone() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "k,v\n1,2\n1,3\n");
    assertThatThrownBy(() -> engine.open(update(file, file, "k"), line -> {}))
        .hasMessage("--table of 't': rows are identified by \"k\", but [1] has 2 rows");
    assertThatThrownBy(() -> engine.open(update(file, file, "x"), line -> {}))
        .hasMessageStartingWith("--updates x: table 't' has no such column, only [k BIGINT");
  }

  private static ImportPlan update(Path old, Path now, String key) {
    return Imported.update(Map.of("t", now), Map.of("t", old), List.of(key), DeclaredTypes.NONE);
  }

  private String query(MemoryStore store, String sql, QueryFormat format) throws IOException {
    try (SqlSession session = engine.session(new SnapshotSource(store.snapshot()), false)) {
      return LiveCargo.printed(session, format, sql);
    }
  }

  @Test
  void queriesKnowTheTypesOfBefore() throws Exception {
    Path file = folder.resolve("t.parquet");
    MadeFiles.make(
        "SELECT CAST(i * 1.25 AS DECIMAL(9,2)) AS price, DATE '2026-01-01' + CAST(i AS INTEGER) AS day FROM range(4) r(i)",
        file,
        "FORMAT parquet");
    MemoryStore store;
    try (ImportedTables tables = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
      store = storeWith(CargoFile.read(written(tables), 1 << 30));
    }
    assertThat(query(store, "SELECT max(day) AS last, sum(price) FROM t", QueryFormat.TEXT))
        .isEqualTo("last        sum(price)\n2026-01-04  7.50\n");
    assertThatThrownBy(() -> query(store, "SELECT x FROM t", QueryFormat.TEXT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("\"x\" not found");
    assertThatThrownBy(() -> query(store, "SELECT 1 FROM u", QueryFormat.TEXT))
        .hasMessageStartingWith("Catalog Error: Table with name u does not exist")
        .hasMessageEndingWith("; the tables are drayage_columns, t");
    assertThat(query(store, " show tables;", QueryFormat.TEXT))
        .isEqualTo("name\ndrayage_columns\nt\n");
  }

  @Test
  void readsTheColumnsThatAStatementNames() throws Exception {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 1), 0)
            .table(
                "t",
                t ->
                    t.insert("a", ColumnValues.of(new long[][] {{1, 2, 3}}))
                        .insert("b", ColumnValues.of(new int[][] {{4, 5, 6}}))
                        .insert("s", ColumnValues.ofTexts(new String[][] {{"x", "", null}})))
            .table("u", u -> u.insert("a", ColumnValues.of(new long[][] {{2}})))
            .build();
    MemoryStore store = storeWith(cargo);
    SnapshotSource all = new SnapshotSource(store.snapshot());
    List<String> read = new ArrayList<>();
    SqlSource recording =
        new SqlSource() {
          @Override
          public Map<String, List<ColumnSchema>> tables() {
            return all.tables();
          }

          @Override
          public ChangeCargo read(BiPredicate<String, String> wanted) {
            ChangeCargo rows = all.read(wanted);
            rows.tables()
                .forEach(
                    table ->
                        table
                            .insertedColumns()
                            .forEach(each -> read.add(table.table() + "." + each.column())));
            return rows;
          }
        };
    Map<String, List<String>> cases = new LinkedHashMap<>();
    cases.put("SELECT sum(A) AS x FROM T GROUP BY ALL ORDER BY ALL", List.of("t.a"));
    cases.put("SELECT count(*) FROM t", List.of("t.b"));
    cases.put("SELECT a FROM t JOIN u USING (a)", List.of("t.a", "u.a"));
    cases.put("SELECT * FROM u", List.of("u.a"));
    cases.put("SELECT r FROM t AS r", List.of("t.a", "t.b", "t.s"));
    cases.put("SELECT x FROM (SELECT a + 1 AS x FROM u)", List.of("u.a"));
    cases.put("DESCRIBE t", List.of("t.a", "t.b", "t.s"));
    cases.put("SELECT * FROM t NATURAL JOIN u", List.of("t.a", "t.b", "t.s", "u.a"));
    cases.put("SELECT 1", List.of());
    cases.put("CREATE TABLE v AS SELECT b FROM t", List.of("t.a", "t.b", "t.s"));
    for (Map.Entry<String, List<String>> each : cases.entrySet()) {
      read.clear();
      try (SqlSession session = engine.session(recording, false)) {
        LiveCargo.printed(session, QueryFormat.CSV, each.getKey());
      }
      assertThat(read).as(each.getKey()).isEqualTo(each.getValue());
    }
    read.clear();
    try (SqlSession session = engine.session(recording, false)) {
      assertThat(
              LiveCargo.printed(
                  session,
                  QueryFormat.CSV,
                  "SELECT max(a) FROM t",
                  "SELECT s FROM t",
                  "SELECT min(a) FROM t"))
          .isEqualTo("max(a)\n3\ns\nx\n\"\"\n\nmin(a)\n1\n");
    }
    assertThat(read).containsExactly("t.a", "t.a", "t.s");
  }

  @Test
  void readsADatabaseThatJdbcReaches() throws Exception {
    Map<String, String> values = new LinkedHashMap<>(values());
    // JDBC has no unsigned types, and its FLOAT is a double.
    List.of("UTINYINT", "USMALLINT", "UINTEGER", "FLOAT", "TIMESTAMP_S", "TIMESTAMP_MS")
        .forEach(values::remove);
    String query = everyType(values, 70_000);
    JdbcSource jdbc = new JdbcSource("jdbc:duckdb:", null, null, null);
    assertThat(Imported.select(query, jdbc).digest()).isEqualTo(Imported.select(query).digest());
    assertThatThrownBy(() -> Imported.select("SELECT [1] AS x", jdbc))
        .hasMessage(
            "table 't', column 'x': a cargo cannot hold INTEGER[]: cast it in the query, or with --types 'x=TYPE'");
    assertThatThrownBy(
            () ->
                Imported.select("SELECT unnest([1, 12345678901234567])::DECIMAL(20,2) AS x", jdbc))
        .hasMessage(
            "table 't', row 2, column 'x': 12345678901234567.00 has more than the 18 digits that a cargo can hold");
    assertThatThrownBy(() -> Imported.select("SELECT x", jdbc))
        .hasMessageStartingWith("table 't': Binder Error");
  }

  @Test
  void readsSqliteAsItsColumnsAreDeclared() throws Exception {
    // The driver reads the first row's decimal as an integer.
    JdbcSource sqlite =
        MadeFiles.sqlite(
            folder.resolve("s.db"),
            "CREATE TABLE s (i INTEGER, b BIGINT, l SMALLINT, r REAL, p DECIMAL(9,2), v VARCHAR(9),"
                + " o BOOLEAN, d DATE, t DATETIME)",
            "INSERT INTO s VALUES (-1, 9223372036854775807, -3, 1, 0, 'é☃', TRUE, '1969-12-31',"
                + " '2024-02-29 23:59:59.123456'), (4, NULL, 5, 0.5, 12.34, '', 0, NULL, NULL)");
    String same =
        "SELECT * FROM (VALUES (-1::BIGINT, 9223372036854775807, -3::BIGINT, 1::DOUBLE,"
            + " 0::DECIMAL(9,2), 'é☃', TRUE, DATE '1969-12-31',"
            + " TIMESTAMP '2024-02-29 23:59:59.123456'), (4, NULL, 5, 0.5, 12.34, '', FALSE, NULL,"
            + " NULL)) AS x(i, b, l, r, p, v, o, d, t)";
    assertThat(Imported.select("SELECT * FROM s", sqlite).digest())
        .isEqualTo(Imported.select(same).digest());
  }

  @ParameterizedTest
  @CsvSource({
    "INTEGER, 1.5, BIGINT",
    "INTEGER, x, BIGINT",
    "DOUBLE, x, DOUBLE",
    "BOOLEAN, 2, BOOLEAN",
    "DATE, 19876, DATE",
    "'DECIMAL(9,2)', x, 'DECIMAL(9,2)'",
  })
  void refusesValuesOfSqliteThatAreNotAsDeclared(String declared, String value, String type)
      throws Exception {
    JdbcSource sqlite =
        MadeFiles.sqlite(
            folder.resolve("s.db"),
            "CREATE TABLE s (i " + declared + ")",
            "INSERT INTO s VALUES (NULL), ('" + value + "')");
    assertThatThrownBy(() -> Imported.select("SELECT * FROM s", sqlite))
        .hasMessage(
            "table 't', row 2, column 'i': '%s' is no %s: cast it in the query"
                .formatted(value, type));
  }
}
