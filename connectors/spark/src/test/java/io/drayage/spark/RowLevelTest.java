package io.drayage.spark;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Tests {@code UPDATE}, {@code DELETE} and {@code MERGE} by Spark in one process. */
@Tag("nightly")
@Timeout(300)
class RowLevelTest {
  /** More than two pages, so that several tasks read. */
  private static final int MANY_ROWS = 140_000;

  private static final List<String> COLUMNS =
      List.of("b", "y", "s", "i", "l", "f", "d", "t", "day", "at", "local", "m", "n");

  /** A value of each column, computed from a number {@code x}. */
  private static final List<String> VALUES =
      List.of(
          "x % 2 = 0",
          "CAST(x % 100 AS TINYINT)",
          "CAST(x % 10000 AS SMALLINT)",
          "CAST(x % 1000000 AS INT)",
          "x * 1000000007",
          "CASE WHEN x % 11 = 0 THEN CAST('NaN' AS FLOAT) ELSE CAST(x / 7 AS FLOAT) END",
          "CASE WHEN x % 13 = 0 THEN CAST('NaN' AS DOUBLE) ELSE CAST(x / 3 AS DOUBLE) END",
          "CASE WHEN x % 5 = 0 THEN '' ELSE concat('tä', x % 1000) END",
          "date_add(DATE '1960-01-01', CAST(x % 40000 AS INT))",
          "timestamp_micros(x * 86399999999)",
          "CAST(timestamp_micros(x * 3600000001) AS TIMESTAMP_NTZ)",
          "CAST(x * 12345 / 1000 AS DECIMAL(18,3))",
          "CAST(x % 100 / 10 AS DECIMAL(3,1))");

  /** The function {@code held} counts it down, and then waits for the second latch. */
  private static volatile CountDownLatch reached = new CountDownLatch(0);

  private static volatile CountDownLatch goOn = new CountDownLatch(0);

  @TempDir static Path folder;

  private static SparkSession spark;
  private static TestDatabase database;
  private static ExecutorService other;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session();
    database = new TestDatabase(folder);
    database.addTo(spark, "r");
    setCodegen(false);
    other = Executors.newCachedThreadPool();
    UDF1<Long, Long> held =
        value -> {
          reached.countDown();
          if (!goOn.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody lets it go on");
          }
          return value;
        };
    spark.udf().register("held", held, DataTypes.LongType);
  }

  @AfterAll
  static void stop() {
    setCodegen(true);
    other.shutdownNow();
    database.close();
  }

  /** Switches compilation, which takes longer than small statements themselves. */
  private static void setCodegen(boolean on) {
    spark.conf().set("spark.sql.codegen.wholeStage", on);
    spark.conf().set("spark.sql.codegen.factoryMode", on ? "FALLBACK" : "NO_CODEGEN");
  }

  private static List<List<Object>> rows(String sql) {
    return spark.sql(sql).collectAsList().stream()
        .map(row -> (List<Object>) new ArrayList<>(CollectionConverters.asJava(row.toSeq())))
        .toList();
  }

  private static String rawBytes() throws Exception {
    return LocalSpark.metrics(0).get("Drayage: raw bytes of fragments");
  }

  // Changes are compared with a computed table.

  /** The expected table: a view of Spark that is computed from values. */
  private static final class Oracle {
    private final String table;
    private final Random random;
    private final int rowCount;
    private Dataset<Row> rows;

    Oracle(String table, long seed, int rowCount) {
      this.table = table;
      this.rowCount = rowCount;
      this.random = new Random(seed);
      this.rows = values("range(0, " + rowCount + ", 1, 3)", 1).localCheckpoint();
    }

    /** Returns a row for each id of a source. All values except the id may be null. */
    private Dataset<Row> values(String ids, long salt) {
      StringBuilder columns = new StringBuilder();
      for (int i = 0; i < COLUMNS.size(); i++) {
        columns.append(
            format(
                ", CASE WHEN (id * %d + %d) %% 7 = 0 THEN NULL ELSE %s END AS %s",
                31 + i, salt, VALUES.get(i), COLUMNS.get(i)));
      }
      return spark.sql(
          format(
              "SELECT id%s FROM (SELECT id, (id * 7919 + %d) %% 1000003 AS x FROM %s)",
              columns, salt * 104_729, ids));
    }

    void create() throws Exception {
      rows.writeTo(table).create();
    }

    private String predicate() {
      int from = random.nextInt(rowCount);
      return List.of(
              format("id BETWEEN %d AND %d", from, from + random.nextInt(rowCount / 3)),
              format("id %% %d = %d", 2 + random.nextInt(50), random.nextInt(2)),
              "b AND i > " + random.nextInt(1_000_000),
              "d IS NULL OR isnan(f)",
              format("t LIKE 't_%d%%'", random.nextInt(10)),
              format("n > %d.5", random.nextInt(9)))
          .get(random.nextInt(6));
    }

    /** Returns assignments to some columns: of other columns, of null, or of their own values. */
    private List<List<String>> assignments() {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < COLUMNS.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      List<List<String>> chosen = new ArrayList<>();
      for (int i : order.subList(0, 1 + random.nextInt(4))) {
        String value =
            switch (random.nextInt(4)) {
              case 0 -> "NULL";
              case 1 -> COLUMNS.get(i);
              // No part of the values contains this letter.
              default -> VALUES.get(i).replace("x", "(id + " + random.nextInt(1_000) + ")");
            };
        chosen.add(List.of(COLUMNS.get(i), value));
      }
      return chosen;
    }

    private static String select(List<List<String>> assignments, String when) {
      return COLUMNS.stream()
          .map(
              column ->
                  assignments.stream()
                      .filter(each -> each.get(0).equals(column))
                      .map(
                          each ->
                              "CASE WHEN %s THEN %s ELSE %s END AS %s"
                                  .formatted(when, each.get(1), column, column))
                      .findFirst()
                      .orElse(column))
          .collect(Collectors.joining(", "));
    }

    private static String set(List<List<String>> assignments) {
      return assignments.stream()
          .map(each -> each.get(0) + " = " + each.get(1))
          .collect(Collectors.joining(", "));
    }

    /** Makes a step, and returns its statement. */
    String step(int number) {
      rows.createOrReplaceTempView("oracle");
      return switch (number % 3) {
        case 0 -> update();
        case 1 -> delete();
        default -> merge();
      };
    }

    private String update() {
      String when = predicate();
      List<List<String>> assignments = assignments();
      become("SELECT id, %s FROM oracle".formatted(select(assignments, when)));
      return "UPDATE %s SET %s WHERE %s".formatted(table, set(assignments), when);
    }

    private String delete() {
      String when = predicate() + " AND id % 3 = 1";
      become("SELECT * FROM oracle WHERE NOT coalesce(%s, false)".formatted(when));
      return "DELETE FROM %s WHERE %s".formatted(table, when);
    }

    private String merge() {
      int first = random.nextInt(rowCount);
      int every = 1 + random.nextInt(20);
      values(format("range(%d, %d, %d, 2)", first, first + rowCount / 2, every), random.nextInt(99))
          .createOrReplaceTempView("source");
      String updated = COLUMNS.get(random.nextInt(COLUMNS.size()));
      become(
          """
          SELECT o.id, %s FROM oracle o LEFT JOIN source s ON o.id = s.id
          WHERE NOT coalesce(s.id IS NOT NULL AND o.i %% 5 = 0, false)
            AND NOT coalesce(s.id IS NULL AND o.id %% 17 = 0 AND o.y > 50, false)
          UNION ALL
          SELECT s.* FROM source s LEFT ANTI JOIN oracle o ON o.id = s.id WHERE s.l IS NOT NULL
          """
              .formatted(
                  COLUMNS.stream()
                      .map(
                          column ->
                              column.equals("t") || column.equals(updated)
                                  ? "CASE WHEN s.id IS NOT NULL THEN s.%1$s ELSE o.%1$s END AS %1$s"
                                      .formatted(column)
                                  : "o." + column)
                      .collect(Collectors.joining(", "))));
      return """
      MERGE INTO %1$s o USING source s ON o.id = s.id
      WHEN MATCHED AND o.i %% 5 = 0 THEN DELETE
      WHEN MATCHED THEN UPDATE SET o.t = s.t%2$s
      WHEN NOT MATCHED AND s.l IS NOT NULL THEN INSERT *
      WHEN NOT MATCHED BY SOURCE AND o.id %% 17 = 0 AND o.y > 50 THEN DELETE
      """
          .formatted(table, updated.equals("t") ? "" : ", o.%1$s = s.%1$s".formatted(updated));
    }

    private void become(String sql) {
      rows = spark.sql(sql).localCheckpoint();
    }

    String digest() {
      return digest(rows);
    }

    static String digest(Dataset<Row> rows) {
      String all = "id, " + String.join(", ", COLUMNS);
      return rows.selectExpr("count(*)", "sum(CAST(xxhash64(%s) AS DECIMAL(20,0)))".formatted(all))
          .collectAsList()
          .toString();
    }
  }

  private static void compareWithOracle(String table, long seed, int rowCount, int steps)
      throws Exception {
    Oracle oracle = new Oracle("r." + table, seed, rowCount);
    oracle.create();
    for (int step = 0; step < steps; step++) {
      String statement = oracle.step(step);
      long before = database.newest();
      spark.sql(statement);
      assertThat(database.committedSince(before)).as(statement).hasSizeLessThanOrEqualTo(1);
      assertThat(Oracle.digest(spark.table("r." + table)))
          .as("seed %d, step %d: %s", seed, step, statement)
          .isEqualTo(oracle.digest());
    }
  }

  @Test
  void changesWhatStatementsSay() throws Exception {
    compareWithOracle("random", 41, 3_000, 3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void changesWhatManyStatementsSay(long seed) throws Exception {
    setCodegen(true);
    spark.conf().set("spark.sql.adaptive.enabled", seed % 2 == 0);
    try {
      compareWithOracle("random" + seed, seed, MANY_ROWS, 12);
    } finally {
      setCodegen(false);
      spark.conf().unset("spark.sql.adaptive.enabled");
    }
  }

  // Bytes that are sent:

  @Test
  void sendsCellsThatDifferAlone() throws Exception {
    spark.sql(
        "CREATE TABLE r.cells AS SELECT id, CAST(id AS INT) AS a, concat('t', id) AS t, id AS z"
            + " FROM range(1000)");

    spark.sql("UPDATE r.cells SET a = a + 1, t = t, z = 5 WHERE id < 10");
    // 10 values of a, and 9 of z.
    assertThat(rawBytes()).isEqualTo(Integer.toString(10 * (8 + 4) + 9 * (8 + 8)));

    spark.sql("UPDATE r.cells SET a = a, t = concat('t', id)");
    assertThat(rawBytes()).isEqualTo("0");
    assertThat(LocalSpark.metrics(0)).containsEntry("Drayage: fragments", "0");

    spark.sql("DELETE FROM r.cells WHERE id % 100 = 3");
    assertThat(rawBytes()).isEqualTo("80");
    assertThat(rows("SELECT count(*), sum(a), sum(z) FROM r.cells"))
        .isEqualTo(List.of(List.of(990L, 494_979L, 494_973L)));
  }

  @Test
  void tellsValuesApartByTheirBits() throws Exception {
    float other = Float.intBitsToFloat(0x7FC0_0001);
    spark
        .createDataFrame(
            List.of(RowFactory.create(1L, other, -0.0), RowFactory.create(2L, Float.NaN, 0.0)),
            new StructType()
                .add("id", DataTypes.LongType)
                .add("f", DataTypes.FloatType)
                .add("d", DataTypes.DoubleType))
        .writeTo("r.bits")
        .create();

    spark.sql("UPDATE r.bits SET f = f, d = d");
    assertThat(rawBytes()).isEqualTo("0");
    spark.sql("UPDATE r.bits SET f = CAST('NaN' AS FLOAT), d = 0.0D");
    assertThat(rawBytes()).isEqualTo(Integer.toString((8 + 4) + (8 + 8)));
  }

  @Test
  void updatesToNullAndBack() throws Exception {
    spark.sql("CREATE TABLE r.nulls (id BIGINT NOT NULL, t STRING, i INT)");
    spark.sql("INSERT INTO r.nulls VALUES (1, NULL, 0), (2, '', NULL), (3, 'x', 3)");
    spark.sql(
        "UPDATE r.nulls SET t = CASE WHEN t IS NULL THEN '' END, i = CASE WHEN i IS NULL THEN 0"
            + " END");
    assertThat(database.rows("nulls"))
        .isEqualTo(
            List.of(List.of(1L, "", "NULL"), List.of(2L, "NULL", 0), List.of(3L, "NULL", "NULL")));
    assertThatThrownBy(() -> spark.sql("UPDATE r.nulls SET id = CAST(NULL AS BIGINT)"))
        .hasMessageContaining("NULL");
  }

  @Test
  void deletesRowThatSeveralMatchOnce() throws Exception {
    spark.range(0, 10, 1, 1).writeTo("r.matched").create();
    spark.sql(
        """
        MERGE INTO r.matched t USING (SELECT id % 4 AS id FROM range(0, 8, 1, 4)) s ON t.id = s.id
        WHEN MATCHED THEN DELETE
        """);
    assertThat(database.rows("matched")).hasSize(6);
  }

  @Test
  void knowsRowsByNumbersBesideColumnOfThatName() throws Exception {
    spark.sql("CREATE TABLE r.named AS SELECT id + 5 AS _row, id AS __ROW FROM range(3)");
    spark.sql("UPDATE r.named SET _row = 0 WHERE __row = 2");
    assertThat(database.rows("named"))
        .isEqualTo(List.of(List.of(0L, 2L), List.of(5L, 0L), List.of(6L, 1L)));
    assertThat(rows("SELECT ___row FROM r.named WHERE _row = 6")).isEqualTo(List.of(List.of(1L)));
  }

  // Concurrent transactions:

  /** Runs a statement on another thread until it calls {@code held}, and another statement then. */
  private static Future<?> meanwhile(String statement, String others) throws Exception {
    reached = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    Future<?> running = other.submit(() -> spark.sql(statement));
    try {
      assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
      spark.sql(others);
    } finally {
      goOn.countDown();
    }
    return running;
  }

  @Test
  void refusesCellsThatOthersHaveUpdated() throws Exception {
    spark.sql("CREATE TABLE r.shared AS SELECT id, id AS a, id AS c FROM range(100)");
    Future<?> loser =
        meanwhile(
            "UPDATE r.shared SET a = held(a) + 1 WHERE id = 7",
            "UPDATE r.shared SET a = 70 WHERE id = 7");
    assertThatThrownBy(loser::get)
        .cause()
        .hasMessageStartingWith("[DRAYAGE_CONFLICT] ")
        .hasMessageEndingWith(" SQLSTATE: 40001")
        .hasMessageContaining("table shared")
        .hasMessageContaining("column 'a'")
        .hasMessageContaining("updated by others since snapshot")
        .hasMessageContaining("run the statement again");

    meanwhile(
            "UPDATE r.shared SET a = held(a) + 1 WHERE id = 7",
            "UPDATE r.shared SET c = 71, a = 8 WHERE id IN (7, 8) AND id = 7 AND c = 0")
        .get(60, TimeUnit.SECONDS);
    meanwhile(
            "UPDATE r.shared SET a = held(a) + 1 WHERE id = 7",
            "UPDATE r.shared SET c = 71 WHERE id = 7")
        .get(60, TimeUnit.SECONDS);
    assertThat(rows("SELECT a, c FROM r.shared WHERE id = 7"))
        .isEqualTo(List.of(List.of(72L, 71L)));

    Future<?> late =
        meanwhile(
            "DELETE FROM r.shared WHERE held(id) = 9", "UPDATE r.shared SET c = 0 WHERE id = 9");
    assertThatThrownBy(late::get).hasMessageContaining("updated by others since snapshot");
  }

  @ParameterizedTest
  @CsvSource({"snapshot, false", "serializable, true", "snapshot, true", "serializable, false"})
  void insertsWhatOthersInsertUnlessSerializable(String isolation, boolean insertsAlone)
      throws Exception {
    String table = "r.race_%s_%s".formatted(isolation, insertsAlone);
    spark.range(3).withColumn("v", functions.lit(0)).writeTo(table).create();
    spark.conf().set("spark.drayage.isolation", isolation);
    try {
      Future<?> merge =
          meanwhile(
              """
              MERGE INTO %s t USING (SELECT held(id) AS id FROM range(5, 6)) s ON t.id = s.id
              %s WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, 1)
              """
                  .formatted(table, insertsAlone ? "" : "WHEN MATCHED THEN UPDATE SET v = 1"),
              "INSERT INTO %s VALUES (5, 2)".formatted(table));
      if (isolation.equals("serializable")) {
        assertThatThrownBy(merge::get).hasMessageContaining("the transaction is serializable");
      } else {
        merge.get(60, TimeUnit.SECONDS);
      }
    } finally {
      spark.conf().unset("spark.drayage.isolation");
    }
    assertThat(rows("SELECT v FROM %s WHERE id = 5 ORDER BY v".formatted(table)))
        .isEqualTo(
            isolation.equals("serializable")
                ? List.of(List.of(2))
                : List.of(List.of(1), List.of(2)));
  }
}
