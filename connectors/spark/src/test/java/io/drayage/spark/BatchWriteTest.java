package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.DataFrameWriterV2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes with Spark in one process, and reads with Drayage's own API. */
class BatchWriteTest {
  @TempDir static Path folder;

  private static SparkSession spark;
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session();
    database = new TestDatabase(folder);
    database.addTo(spark, "d");
  }

  private static List<List<Object>> numbers(long... values) {
    return LongStream.of(values).mapToObj(value -> List.<Object>of(value)).toList();
  }

  @Test
  void appendsRowsOfAllTasksInOneCommit() throws Exception {
    spark.sql("CREATE TABLE d.appended (id BIGINT NOT NULL, note STRING)");
    long before = database.newest();

    spark
        .range(0, 5_000, 1, 4)
        .selectExpr("id", "CASE WHEN id % 3 = 0 THEN NULL ELSE concat('n', id) END AS note")
        .writeTo("d.appended")
        .append();

    assertThat(database.committedSince(before)).hasSize(1);
    List<List<Object>> rows = database.rows("appended");
    assertThat(rows).hasSize(5_000).contains(List.of(0L, "NULL"), List.of(4_999L, "n4999"));
    assertThat(rows.stream().map(row -> row.get(0)).distinct()).hasSize(5_000);
    assertThat(spark.table("d.appended").where("note = 'n4999'").collectAsList().get(0).getLong(0))
        .isEqualTo(4_999);
  }

  @Test
  void createsTableWithoutRows() throws Exception {
    spark.sql(
        "CREATE TABLE d.empty (id INT, day DATE, price DECIMAL(12,2), at TIMESTAMP, local TIMESTAMP_NTZ)");

    assertThat(database.tables()).contains("empty", "drayage_columns");
    assertThat(database.rows("empty")).isEmpty();
    assertThat(database.rows("drayage_columns"))
        .contains(
            List.of("empty", "day", "DATE"),
            List.of("empty", "price", "DECIMAL(12,2)"),
            List.of("empty", "at", "TIMESTAMP WITH TIME ZONE"),
            List.of("empty", "local", "TIMESTAMP"));
    assertThat(spark.sql("DESCRIBE d.empty").collectAsList().toString())
        .contains("[id,int,", "[day,date,", "[price,decimal(12,2),");
  }

  @Test
  void takesEffectAsOneCommit() throws Throwable {
    requireCommit(
        () -> spark.sql("CREATE TABLE d.made AS SELECT id FROM range(0, 3, 1, 3)"), 0, 1, 2);
    requireCommit(
        () -> spark.sql("INSERT OVERWRITE TABLE d.made SELECT id FROM range(20, 22)"), 20, 21);
    requireCommit(() -> spark.sql("TRUNCATE TABLE d.made"));
    requireCommit(() -> spark.range(3, 5).write().mode("append").saveAsTable("d.made"), 3, 4);
    requireCommit(() -> spark.range(7, 9).write().mode("overwrite").saveAsTable("d.made"), 7, 8);
    requireCommit(() -> spark.range(0).writeTo("d.made").append(), 7, 8);
  }

  private static void requireCommit(Executable write, long... rows) throws Throwable {
    long before = database.newest();
    write.execute();
    assertThat(database.committedSince(before)).hasSize(1);
    assertThat(database.rows("made")).isEqualTo(numbers(rows));
  }

  /** Each task in which {@link #held} runs releases it. */
  private static final Semaphore STARTED = new Semaphore(0);

  /** The tasks wait for it. */
  private static final Semaphore GO = new Semaphore(0);

  /** Returns one row, 12.34 as a decimal of such a scale, whose task waits. */
  private static Dataset<Row> held(int scale) {
    return spark.sql(
        "SELECT CAST(held(12.34 + id) AS DECIMAL(10," + scale + ")) AS x FROM range(0, 1, 1, 1)");
  }

  private static Dataset<Row> row() {
    return spark.sql("SELECT CAST(12.34 AS DECIMAL(10,2)) AS x");
  }

  /** The commits of the two jobs decide which one creates the table. */
  @Test
  @Tag("ci")
  @Timeout(120)
  void makesOneTableOfTwoJobsThatMakeOne() throws Exception {
    spark
        .udf()
        .register(
            "held",
            (UDF1<BigDecimal, BigDecimal>)
                value -> {
                  STARTED.release();
                  GO.acquire();
                  return value;
                },
            DataTypes.createDecimalType(10, 4));
    Map<String, ThrowingConsumer<String>> jobs = new LinkedHashMap<>();
    jobs.put("created", table -> held(4).writeTo(table).create());
    jobs.put("replaced_or_not", table -> held(4).writeTo(table).createOrReplace());
    jobs.put(
        "selected",
        table ->
            spark.sql(
                "CREATE TABLE IF NOT EXISTS %s AS SELECT CAST(held(12.34 + id) AS DECIMAL(10,2)) AS x FROM range(1)"
                    .formatted(table)));
    jobs.put("in_mode_error", table -> held(2).write().saveAsTable(table));
    jobs.put("over", table -> held(2).write().mode("overwrite").saveAsTable(table));
    for (Map.Entry<String, ThrowingConsumer<String>> job : jobs.entrySet()) {
      STARTED.drainPermits();
      String table = "two_" + job.getKey();
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(() -> job.getValue().accept("d." + table));
      STARTED.acquire();
      row().writeTo("d." + table).create();
      GO.release();

      assertThatThrownBy(first::get)
          .as(table)
          .hasStackTraceContaining("CONFLICT: table '%s' must be new, and exists".formatted(table));
      assertThat(database.rows(table)).isEqualTo(numbers(1234));
      assertThat(spark.table("d." + table).first().getDecimal(0))
          .isEqualTo(new BigDecimal("12.34"));
    }
    assertThat(database.rows("drayage_columns"))
        .filteredOn(said -> said.get(0).toString().startsWith("two_"))
        .hasSize(jobs.size());
  }

  @Test
  @Tag("ci")
  @Timeout(120)
  void makesATableAtATimeIfItDoesNotExist() throws Exception {
    for (int round = 0; round < 5; round++) {
      String sql = "CREATE TABLE IF NOT EXISTS d.at_a_time" + round + " (id BIGINT)";
      Stream.of(sql, sql).parallel().forEach(spark::sql);
      assertThat(database.rows("at_a_time" + round)).isEmpty();
    }
  }

  @Test
  @Tag("ci")
  void takesNamesForOneThatDifferInCaseAlone() throws Exception {
    spark.range(1).writeTo("d.cased").create();
    spark.sql("CREATE TABLE IF NOT EXISTS d.Cased AS SELECT 2L AS id");
    spark.sql("INSERT INTO d.CASED VALUES (3)");

    assertThat(spark.table("d.cAsed").count()).isEqualTo(2);
    assertThat(database.rows("cased")).isEqualTo(numbers(0, 3));
    assertThatThrownBy(() -> spark.sql("CREATE TABLE d.Cased (id BIGINT)"))
        .hasMessageContaining("already exists");
    spark.range(7, 8).writeTo("d.CASED").createOrReplace();
    assertThat(database.rows("cased")).isEqualTo(numbers(7));
    spark.conf().set("spark.sql.caseSensitive", "true");
    try {
      assertThatThrownBy(() -> spark.sql("CREATE TABLE d.cased2 AS SELECT 1L AS id, 2L AS ID"))
          .hasMessageContaining("columns 'id' and 'ID' of table 'cased2' differ in case alone");
    } finally {
      spark.conf().unset("spark.sql.caseSensitive");
    }
    assertThat(database.tables()).doesNotContain("Cased", "CASED", "cased2");
  }

  @Test
  @Tag("ci")
  void keepsTheTableOfTypesFromStatements() throws Exception {
    spark.sql("CREATE TABLE d.said AS SELECT CAST(12.34 AS DECIMAL(10,2)) AS x");
    long before = database.newest();
    for (String statement :
        List.of(
            "INSERT INTO d.drayage_columns VALUES ('said', 'x', 'FOO')",
            "UPDATE d.drayage_columns SET type = 'DECIMAL(10,4)' WHERE `table` = 'said'",
            "DELETE FROM d.drayage_columns WHERE `table` = 'said'",
            "DELETE FROM d.drayage_columns",
            "TRUNCATE TABLE d.Drayage_columns",
            "INSERT OVERWRITE d.drayage_columns VALUES ('said', 'x', 'FOO')",
            "MERGE INTO d.drayage_columns t USING (SELECT 'said' s) ON t.`table` = s WHEN MATCHED THEN DELETE",
            "CREATE OR REPLACE TABLE d.drayage_columns AS SELECT 1 AS x")) {
      assertThatThrownBy(() -> spark.sql(statement))
          .as(statement)
          .hasMessageContaining("table drayage_columns says what columns are");
    }
    assertThat(database.committedSince(before)).isEmpty();
    assertThat(spark.table("d.said").first().getDecimal(0)).isEqualTo(new BigDecimal("12.34"));
  }

  @Test
  void leavesNoTableOfJobThatFails() throws Exception {
    long before = database.newest();

    assertThatThrownBy(
            () ->
                spark.sql(
                    "CREATE TABLE d.failed AS"
                        + " SELECT CAST(raise_error(concat('no', id)) AS INT) AS x"
                        + " FROM range(0, 10, 1, 2)"))
        .hasMessageContaining("[USER_RAISED_EXCEPTION] no");

    assertThat(database.tables()).doesNotContain("failed");
    assertThat(database.committedSince(before)).isEmpty();
    assertThat(database.rows("drayage_columns").toString()).doesNotContain("failed");
  }

  private static DataFrameWriterV2<Long> numbered(Dataset<Long> rows, String table, int version) {
    return rows.writeTo(table)
        .option("txnAppId", "job")
        .option("txnVersion", Integer.toString(version));
  }

  @Test
  void takesEffectOnceForOneVersionOfAnApplication() throws Exception {
    spark.range(0).writeTo("d.once").create();
    for (int run = 0; run < 3; run++) {
      numbered(spark.range(5), "d.once", 7).append();
    }
    assertThat(database.rows("once")).isEqualTo(numbers(0, 1, 2, 3, 4));

    numbered(spark.range(5, 6), "d.once", 8).append();
    assertThat(database.rows("once")).isEqualTo(numbers(0, 1, 2, 3, 4, 5));
  }

  @Test
  void takesNumberForEachTable() throws Exception {
    spark.range(0).writeTo("d.numbered1").create();
    spark.range(0).writeTo("d.numbered2").create();
    for (int run = 0; run < 2; run++) {
      numbered(spark.range(2), "d.numbered1", 1).append();
      numbered(spark.range(2), "d.numbered2", 1).append();
    }
    numbered(spark.range(2), "d.numbered3", 1).create();

    for (String table : List.of("numbered1", "numbered2", "numbered3")) {
      assertThat(database.rows(table)).as(table).isEqualTo(numbers(0, 1));
    }
  }

  @Test
  void tellsMetricsOfTasksAndDriver() throws Exception {
    spark.range(0).writeTo("d.measured").create();
    spark.range(0, 1_000, 1, 2).writeTo("d.measured").append();
    assertThat(LocalSpark.metrics(0))
        .containsEntry("Drayage: fragments", "2")
        .containsEntry("Drayage: raw bytes of fragments", "8000")
        .containsEntry("Drayage: number of the snapshot", Long.toString(database.newest()));

    spark.sql("CREATE TABLE d.measured2 AS SELECT id FROM range(0, 10, 1, 1)");
    assertThat(LocalSpark.metrics(1))
        .containsEntry("Drayage: number of the snapshot", Long.toString(database.newest()));
  }

  @Test
  void keepsTypesAndNulls() throws Exception {
    String values =
        """
        SELECT true AS b, CAST(-1 AS TINYINT) AS y, CAST(-2 AS SMALLINT) AS s, CAST(-3 AS INT) AS i,
          -4L AS l, CAST('NaN' AS FLOAT) AS f, -0.0D AS d, 'ä€😀' AS t, DATE '1969-12-31' AS day,
          TIMESTAMP '2026-10-25 00:30:00 UTC' AS at, TIMESTAMP_NTZ '2026-10-25 02:30:00' AS local,
          CAST('-999999999999999.999' AS DECIMAL(18,3)) AS m, CAST('1.5' AS DECIMAL(3,1)) AS n
        UNION ALL
        SELECT false, -128Y, -32768S, -2147483647 - 1, 9223372036854775807L, -0.0F, 4.9E-324D, '',
          DATE '0001-01-01', TIMESTAMP '0001-01-01 00:00:00 UTC',
          TIMESTAMP_NTZ '0001-01-01 00:00:00', 999999999999999.999, CAST(-9.9 AS DECIMAL(3,1))
        UNION ALL
        SELECT null, null, null, null, null, null, null, null, null, null, null, null, null
        """;
    spark.sql("CREATE TABLE d.types AS " + values);

    assertThat(spark.table("d.types").collectAsList())
        .containsExactlyInAnyOrderElementsOf(spark.sql(values).collectAsList());
    assertThat(database.rows("types"))
        .contains(
            List.of(
                true,
                (byte) -1,
                (short) -2,
                -3,
                -4L,
                Float.NaN,
                -0.0,
                "ä€😀",
                -1,
                1_792_888_200_000_000L,
                1_792_895_400_000_000L,
                -999_999_999_999_999_999L,
                15L),
            Collections.nCopies(13, (Object) "NULL"));
  }

  @Test
  void refusesOptionsThatThereAreNot() throws Exception {
    spark.range(1).writeTo("d.options").create();
    spark.sql("SET spark.drayage.isolaton=serializable");
    try {
      assertThatThrownBy(() -> spark.sql("INSERT INTO d.options VALUES (1)"))
          .hasMessageContaining("no setting 'spark.drayage.isolaton' of a session, only")
          .hasMessageContaining("spark.drayage.isolation, spark.drayage.txnAppId");
      assertThatThrownBy(() -> spark.sql("CREATE TABLE d.options2 (id BIGINT)"))
          .hasMessageContaining("no setting 'spark.drayage.isolaton' of a session, only");
      spark.conf().unset("spark.drayage.isolaton");
      spark.sql("SET spark.Drayage.isolation=serializable");
      assertThatThrownBy(() -> spark.sql("INSERT INTO d.options VALUES (1)"))
          .hasMessageContaining("no setting 'spark.Drayage.isolation' of a session, only");
    } finally {
      spark.conf().unset("spark.drayage.isolaton");
      spark.conf().unset("spark.Drayage.isolation");
    }
    assertThat(
            spark
                .read()
                .option("versionAsOf", database.newest())
                .table("d.options")
                .collectAsList())
        .hasSize(1);
    assertThat(database.rows("options")).isEqualTo(numbers(0));
  }

  private static void setNumber(long version) {
    spark.sql("SET spark.drayage.txnAppId=of_session");
    spark.sql("SET spark.drayage.txnVersion=" + version);
  }

  private static boolean hasNumber() {
    return spark.conf().getOption("spark.drayage.txnAppId").isDefined()
        || spark.conf().getOption("spark.drayage.txnVersion").isDefined();
  }

  /** Spark analyses, plans and loads tables differently for each of these. */
  @Test
  @Tag("ci")
  @Timeout(300)
  void takesEffectOnceForNumberOfSession() throws Exception {
    spark.range(3).writeTo("d.kinds").create();
    spark.range(3).createOrReplaceTempView("kinds_source");
    Map<String, ThrowingConsumer<SparkSession>> statements = new LinkedHashMap<>();
    for (String sql :
        List.of(
            "INSERT INTO d.kinds VALUES (40)",
            "INSERT INTO d.kinds SELECT id + 100 FROM d.kinds",
            "UPDATE d.kinds SET id = id + 1",
            "MERGE INTO d.kinds t USING kinds_source s ON t.id = s.id + 1 WHEN MATCHED THEN UPDATE"
                + " SET id = t.id + 500",
            "MERGE INTO d.kinds t USING kinds_source s ON t.id = s.id + 7000 WHEN NOT MATCHED THEN"
                + " INSERT *",
            "DELETE FROM d.kinds WHERE id > 1000",
            "INSERT OVERWRITE d.kinds SELECT id FROM kinds_source",
            "DELETE FROM d.kinds",
            "TRUNCATE TABLE d.kinds",
            "CREATE OR REPLACE TABLE d.kinds AS SELECT id FROM kinds_source")) {
      statements.put(sql, session -> session.sql(sql));
    }
    statements.put("append", session -> session.range(2).writeTo("d.kinds").append());
    statements.put(
        "saveAsTable", session -> session.range(2).write().mode("append").saveAsTable("d.kinds"));
    statements.put("insertInto", session -> session.range(2).write().insertInto("d.kinds"));
    statements.put(
        "overwrite", session -> session.range(2).write().mode("overwrite").saveAsTable("d.kinds"));
    long version = 0;
    for (Map.Entry<String, ThrowingConsumer<SparkSession>> each : statements.entrySet()) {
      setNumber(++version);
      each.getValue().accept(spark);
      assertThat(hasNumber()).as(each.getKey()).isFalse();
      spark.sql("INSERT INTO d.kinds VALUES (1002)");
      List<List<Object>> rows = database.rows("kinds");

      setNumber(version);
      each.getValue().accept(spark);
      assertThat(hasNumber()).as(each.getKey()).isFalse();
      assertThat(database.rows("kinds")).as(each.getKey()).isEqualTo(rows);
    }
  }

  /** A remaining number would be used by the next statement by mistake. */
  @Test
  @Tag("ci")
  @Timeout(180)
  void takesNumberOfSessionForAStatementThatFails() throws Exception {
    spark.range(3).writeTo("d.before").create();
    spark.range(3).createOrReplaceTempView("before_source");
    long version = 0;
    for (String sql :
        List.of(
            "INSERT INTO d.before SELECT id FROM missing",
            "INSERT INTO d.before SELECT nothing FROM before_source",
            "INSERT INTO d.before VALUES (1, 2)",
            "INSERT INTO d.missing VALUES (1)",
            "INSERT INTO d.before WITH (mode = 'x') VALUES (1)",
            "INSERT INTO d.before SELECT CAST(raise_error('no') AS INT)",
            "CREATE TABLE d.before3 AS SELECT CAST(raise_error(concat('no', id)) AS INT) FROM range(2)",
            "MERGE INTO d.before t USING (SELECT 1L AS id, id AS v FROM range(2)) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET id = v",
            "INSERT OVERWRITE d.before SELECT nothing FROM before_source",
            "UPDATE d.before SET nothing = 1",
            "UPDATE d.before SET id = CAST('x' AS BIGINT) WHERE id = 1",
            "DELETE FROM d.before WHERE nothing = 1",
            "MERGE INTO d.before t USING missing s ON t.id = s.id WHEN MATCHED THEN DELETE",
            "MERGE INTO d.before t USING before_source s ON t.id = s.x WHEN MATCHED THEN DELETE")) {
      setNumber(++version);
      assertThatThrownBy(() -> spark.sql(sql), sql).hasMessageNotContaining("Drayage table");
      assertThat(hasNumber()).as(sql).isFalse();
    }
    setNumber(++version);
    assertThatThrownBy(
        () -> spark.range(3).withColumnRenamed("id", "x").writeTo("d.before").append());
    assertThat(hasNumber()).isFalse();
    setNumber(++version);
    spark.conf().unset("spark.drayage.txnVersion");
    assertThatThrownBy(() -> spark.sql("INSERT INTO d.before VALUES (1)"))
        .hasMessageContaining("txnAppId and txnVersion belong together");
    assertThat(hasNumber()).isFalse();
    assertThat(database.rows("before")).isEqualTo(numbers(0, 1, 2));
    setNumber(1);
    spark.sql("INSERT INTO d.before VALUES (9)");
    assertThat(database.rows("before")).isEqualTo(numbers(0, 1, 2, 9));

    // Spark does not call the connector for these, as the page says.
    for (String sql :
        List.of(
            "INSRT INTO d.before VALUES (1)",
            "CREATE TABLE d.before2 AS SELECT nothing FROM before_source",
            "INSERT INTO d.before SELECT nothing FROM d.before",
            "EXPLAIN INSERT INTO d.before VALUES (1)",
            "SELECT * FROM d.before")) {
      setNumber(++version);
      try {
        Object unused = spark.sql(sql).collectAsList();
      } catch (Exception e) {
        assertThat(sql).doesNotStartWith("EXPLAIN").doesNotStartWith("SELECT");
      }
      assertThat(hasNumber()).as(sql).isTrue();
      spark.conf().unset("spark.drayage.txnAppId");
      spark.conf().unset("spark.drayage.txnVersion");
    }
  }

  @Test
  @Tag("ci")
  @Timeout(180)
  void refusesToSetTheNumberOfARow() throws Exception {
    spark.range(3).writeTo("d.kept").create();
    spark.range(3).createOrReplaceTempView("kept_source");
    long before = database.newest();
    String merge = "MERGE INTO d.kept t USING kept_source s ON t.id = s.id ";
    for (String sql :
        List.of(
            "UPDATE d.kept SET _row = 3",
            "UPDATE d.kept SET id = 7, _row = 3",
            "UPDATE d.kept AS k SET k._ROW = 3",
            "UPDATE d.kept SET _row = 3 WHERE id = 1",
            "WITH x AS (SELECT 1) UPDATE d.kept SET _row = 3",
            merge + "WHEN MATCHED THEN UPDATE SET _row = 3",
            merge + "WHEN MATCHED THEN UPDATE SET id = 5, t.`_row` = s.id",
            merge + "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET _row = 3",
            merge
                + "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, _row) VALUES (7, 7)",
            merge + "WHEN NOT MATCHED THEN INSERT (id, _row) VALUES (7, 7)")) {
      assertThatThrownBy(() -> spark.sql(sql).collectAsList(), sql)
          .isInstanceOf(SparkThrowable.class)
          .hasMessage(
              "[DRAYAGE_UNSUPPORTED] table 'kept': _row cannot be set: the number of a row is fixed"
                  + " SQLSTATE: 0A000");
    }
    assertThat(database.committedSince(before)).isEmpty();

    spark.sql(
        "UPDATE d.kept SET id = :id WHERE _row = :row AND id < 1000 ", Map.of("id", 9L, "row", 2L));
    assertThat(database.rows("kept")).isEqualTo(numbers(0, 1, 9));
    assertThatThrownBy(
            () ->
                spark.sql(
                    "MERGE INTO d.kept t USING kept_source s ON t._row = s.id AND s.id = 0"
                        + " WHEN MATCHED THEN UPDATE SET id = t._row + 20"))
        .hasMessageStartingWith("[DRAYAGE_UNSUPPORTED] a MERGE cannot name _row");
  }

  /** A row has words of the page, the condition, a statement, and a part of the message. */
  @ParameterizedTest
  @Tag("ci")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          `drayage_columns` | UNSUPPORTED | DROP TABLE d.drayage_columns | says what columns are, and cannot be dropped
          `ALTER` | UNSUPPORTED | ALTER TABLE d.page ADD COLUMN y INT | cannot be altered
          renaming | UNSUPPORTED | ALTER TABLE d.page RENAME TO d.other | cannot be renamed
          `PARTITIONED BY` | UNSUPPORTED | CREATE TABLE d.new (id INT) PARTITIONED BY (id) | leave PARTITIONED BY (partitionBy) out
          `CLUSTERED BY` | UNSUPPORTED | CREATE TABLE d.new (id INT) CLUSTERED BY (id) INTO 4 BUCKETS | leave CLUSTERED BY (bucketBy) out
          `CLUSTER BY` | UNSUPPORTED | CREATE TABLE d.new (id INT) CLUSTER BY (id) | leave CLUSTER BY (clusterBy) out
          `LOCATION` | UNSUPPORTED | CREATE TABLE d.new (id INT) LOCATION '/tmp/x' | leave LOCATION out
          rows of `drayage_columns` with new tables alone | UNSUPPORTED | DELETE FROM d.drayage_columns WHERE type = 'x' | says what columns are
          BINARY, ARRAY, MAP, STRUCT | UNSUPPORTED | CREATE TABLE d.new (k INT, raw BINARY) | column 'raw' of table 'new' is BINARY
          BINARY, ARRAY, MAP, STRUCT | UNSUPPORTED | CREATE TABLE d.new AS SELECT array(1) AS many | column 'many' of table 'new' is ARRAY<INT>
          BINARY, ARRAY, MAP, STRUCT | UNSUPPORTED | CREATE TABLE d.new (m MAP<INT, INT>) | column 'm' of table 'new' is MAP<INT, INT>
          longer DECIMALs | UNSUPPORTED | CREATE TABLE d.new (x DECIMAL(19,0)) | column 'x' of table 'new' is DECIMAL(19,0)
          `VERSION AS OF 3` reads snapshot 3 | UNSUPPORTED | SELECT * FROM d.page TIMESTAMP AS OF '2026-01-01' | snapshots are found by their numbers
          `_row` cannot be set | UNSUPPORTED | UPDATE d.page SET _row = 1 | _row cannot be set
          a catalog has no namespaces | UNSUPPORTED | CREATE NAMESPACE d.other | catalog d has no namespaces: a table is d.TABLE
          A table whose columns differ in the case of ASCII letters alone is refused | INVALID_TABLE | CREATE TABLE d.new (`a\u0001` INT) | a
          `DRAYAGE_SNAPSHOT_NOT_FOUND` | SNAPSHOT_NOT_FOUND | SELECT * FROM d.page VERSION AS OF 9999 | does not hold snapshot 9999, only up to
          `DRAYAGE_SNAPSHOT_NOT_FOUND` | SNAPSHOT_NOT_FOUND | SELECT * FROM d.page VERSION AS OF 1 | table page did not exist in snapshot 1
          `DRAYAGE_SNAPSHOT_NOT_FOUND` | SNAPSHOT_NOT_FOUND | SELECT * FROM d.page VERSION AS OF 'monday' | a version is the number of a snapshot, not 'monday'
          `isolation` | INVALID_OPTION | INSERT INTO d.page WITH (isolation = 'read') VALUES (1, 'x', 1) | isolation must be snapshot or serializable, not 'read'
          `txnAppId`, `txnVersion` | INVALID_OPTION | INSERT INTO d.page WITH (txnAppId = 'a', txnVersion = 'x') VALUES (1, 'x', 1) | txnVersion must be a number, not 'x'
          `txnAppId`, `txnVersion` | INVALID_OPTION | INSERT INTO d.page WITH (txnAppID = 'a') VALUES (1, 'x', 1) | txnAppId and txnVersion belong together
          Any other option of a read, a write or a catalog | INVALID_OPTION | INSERT INTO d.page WITH (mode = 'x') VALUES (1, 'x', 1) | there is no write option 'mode'
          Any other option of a read, a write or a catalog | INVALID_OPTION | SELECT * FROM d.page WITH (snapshot = 1) | table page: there is no read option 'snapshot', only maxBytesPerTrigger, maxSnapshotsPerTrigger, startingVersion, versionAsOf
          Any other option of a read, a write or a catalog | INVALID_OPTION | SELECT * FROM page_options.page | catalog page_options: there is no catalog option 'zookeper'
          `fs:FOLDER` or `s3:BUCKET[/PREFIX][?OPTIONS]` | INVALID_OPTION | SELECT * FROM page_store.page | 'ftp:x' is not an object store
          # It fails in a task.
          `DRAYAGE_INVALID_ROWS` | INVALID_ROWS | INSERT INTO d.page SELECT id, CAST(unhex('FF') AS STRING), 1 FROM range(1) | column 't'
          """)
  void refusesWhatThePageSaysWithItsCondition(
      String ofPage, String condition, String sql, String message) throws Exception {
    if (!database.tables().contains("page")) {
      spark.sql("CREATE TABLE d.page AS SELECT 1L AS id, 'x' AS t, CAST(1 AS DECIMAL(10,4)) AS x");
      database.addTo(spark, "page_options");
      spark.conf().set("spark.sql.catalog.page_options.zookeper", "x");
      database.addTo(spark, "page_store", "ftp:x");
    }
    assertThat(Files.readString(Path.of("../../docs/spark.md")).replaceAll("\\s+", " "))
        .contains(ofPage);
    assertThatThrownBy(() -> spark.sql(sql).collectAsList())
        .isInstanceOf(SparkThrowable.class)
        .hasMessageStartingWith("[DRAYAGE_" + condition + "] ")
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n")
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .endsWith(" SQLSTATE: " + ((SparkThrowable) e).getSqlState()))
        .extracting(e -> ((SparkThrowable) e).getCondition())
        .isEqualTo("DRAYAGE_" + condition);
  }

  @Test
  void listsTables() throws Exception {
    spark.range(1).writeTo("d.listed").create();

    assertThat(spark.sql("SHOW TABLES IN d").collectAsList().toString())
        .contains("listed")
        .doesNotContain("drayage_columns");
    assertThat(spark.sql("SHOW NAMESPACES IN d").collectAsList()).isEmpty();
    assertThat(spark.catalog().tableExists("d.listed")).isTrue();
    assertThat(spark.catalog().tableExists("d.default.listed")).isFalse();
    assertThatThrownBy(() -> spark.table("d.default.listed"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> spark.sql("CREATE TABLE d.default.other (id BIGINT)"))
        .hasMessageContaining("SCHEMA_NOT_FOUND");
    for (String use : List.of("USE d.default", "USE d.nothing")) {
      assertThatThrownBy(() -> spark.sql(use)).as(use).hasMessageContaining("SCHEMA_NOT_FOUND");
    }
    spark.catalog().setCurrentCatalog("d");
    try {
      assertThat(spark.sql("SHOW TABLES").collectAsList().toString()).contains("listed");
      assertThat(spark.catalog().tableExists("listed")).isTrue();
      assertThat(spark.catalog().listDatabases().collectAsList()).isEmpty();
      assertThat(spark.table("listed").count()).isEqualTo(1);
    } finally {
      spark.catalog().setCurrentCatalog("spark_catalog");
    }
  }

  @Test
  void deletesAllRowsOfACachedTable() throws Exception {
    spark.sql("CREATE TABLE d.emptied (id BIGINT)");
    try {
      for (String delete :
          List.of(
              "DELETE FROM d.emptied",
              "DELETE FROM d.emptied WHERE true",
              "TRUNCATE TABLE d.emptied")) {
        spark.sql("INSERT INTO d.emptied VALUES (1)");
        spark.sql("CACHE TABLE d.emptied");
        assertThat(spark.table("d.emptied").count()).isEqualTo(1);

        spark.sql(delete);

        assertThat(spark.table("d.emptied").count()).as(delete).isZero();
        assertThat(database.rows("emptied")).as(delete).isEmpty();
      }
    } finally {
      spark.sql("UNCACHE TABLE IF EXISTS d.emptied");
    }
  }

  /** Spark runs the function in a copy of the session, with a copy of its settings. */
  @Test
  @Tag("ci")
  void refusesTheNumberOfTheSessionThatStartedAStreamInEachOfItsBatches() throws Exception {
    spark.sql("CREATE TABLE d.batched (id BIGINT)");
    Path own = Files.createDirectory(folder.resolve("batched"));
    Numbers source = new Numbers(own.resolve("numbers"));
    source.add(2);
    spark.sql("SET spark.drayage.txnAppId=outer");
    spark.sql("SET spark.drayage.txnVersion=1");
    try {
      assertThatThrownBy(
              () -> batches(source, own.resolve("a"), rows -> rows.writeTo("d.batched").append()))
          .hasStackTraceContaining("are set in the session that started the stream");
      spark.sql("INSERT INTO d.batched VALUES (7)");
      for (int run = 0; run < 2; run++) {
        batches(
            source,
            own.resolve("b" + run),
            rows -> {
              rows.sparkSession().conf().set("spark.drayage.txnAppId", "batches");
              rows.sparkSession().conf().set("spark.drayage.txnVersion", "1");
              rows.writeTo("d.batched").append();
            });
      }
      assertThat(database.rows("batched")).isEqualTo(numbers(0, 1, 7));
    } finally {
      spark.conf().unset("spark.drayage.txnAppId");
      spark.conf().unset("spark.drayage.txnVersion");
    }
  }

  private static void batches(Numbers source, Path checkpoint, ThrowingConsumer<Dataset<Row>> each)
      throws Exception {
    StreamingQuery query =
        source.stream(spark)
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", checkpoint.toString())
            .foreachBatch((VoidFunction2<Dataset<Row>, Long>) (rows, epoch) -> each.accept(rows))
            .start();
    try {
      assertThat(query.awaitTermination(300_000)).isTrue();
    } finally {
      query.stop();
    }
  }

  /** Spark identifies a cached table by its name. */
  @Test
  void aCachedTableIsReadAnewAfterAWriteByEachOfItsNames() {
    spark.sql("CREATE TABLE d.cached AS SELECT 0L AS id, 0L AS v");
    spark.sql("CACHE TABLE d.cached");
    try {
      spark.sql("USE d");
      spark.sql("UPDATE cached SET v = 7");
      assertThat(spark.table("d.cached").first().getLong(1)).isEqualTo(7);
      spark.sql("UPDATE d.Cached SET v = v + 1");
      assertThat(spark.table("cached").first().getLong(1)).isEqualTo(8);
      spark.sql(
          "MERGE INTO cached t USING d.cached q ON t.id = q.id WHEN MATCHED THEN UPDATE SET v = q.v + 1");
      assertThat(spark.table("d.cached").first().getLong(1)).isEqualTo(9);
      spark.range(1, 2).selectExpr("id", "id AS v").write().mode("append").saveAsTable("cached");
      assertThat(spark.table("d.cached").count()).isEqualTo(2);
      spark.conf().set("spark.sql.caseSensitive", "true");
      assertThatThrownBy(() -> spark.sql("UPDATE d.Cached SET v = 10"))
          .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
      assertThatThrownBy(() -> spark.sql("CREATE TABLE d.Cached (id BIGINT)"))
          .hasMessageContaining("already exists");
    } finally {
      spark.conf().unset("spark.sql.caseSensitive");
      spark.sql("USE spark_catalog.default");
      spark.sql("UNCACHE TABLE IF EXISTS d.cached");
    }
  }
}
