package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.snapshot.SnapshotManifest;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.types.DataTypes;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drops and replaces tables with Spark in one process. */
class ReplacedTablesTest {
  private static final Semaphore STARTED = new Semaphore(0);
  private static final Semaphore GO = new Semaphore(0);

  @TempDir static Path folder;

  private static SparkSession spark;
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session().newSession();
    database = new TestDatabase(folder);
    database.addTo(spark, "d");
    spark
        .udf()
        .register(
            "held",
            (UDF1<Long, Long>)
                value -> {
                  STARTED.release();
                  GO.acquire();
                  return value;
                },
            DataTypes.LongType);
  }

  private static List<List<Object>> numbers(long... values) {
    return LongStream.of(values).mapToObj(value -> List.<Object>of(value)).toList();
  }

  private static String read(String sql) {
    return spark.sql(sql).collectAsList().toString();
  }

  @Test
  void dropsATable() throws Exception {
    spark.sql("CREATE TABLE d.gone AS SELECT 1L AS id, CAST(1.5 AS DECIMAL(10,2)) AS x");
    assertThat(read("SELECT * FROM d.gone")).isEqualTo("[[1,1.50]]");
    long before = database.newest();

    spark.sql("DROP TABLE d.Gone");

    List<SnapshotManifest> commits = database.committedSince(before);
    assertThat(commits).hasSize(1);
    assertThat(commits.get(0).droppedTables()).containsExactly("gone");
    assertThat(database.tables()).doesNotContain("gone");
    assertThat(database.rows("drayage_columns").toString()).doesNotContain("gone");
    assertThat(spark.catalog().tableExists("d.gone")).isFalse();
    assertThatThrownBy(() -> spark.sql("SELECT * FROM d.gone"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> spark.sql("DROP TABLE d.gone"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    spark.sql("DROP TABLE IF EXISTS d.gone");
    assertThat(database.committedSince(before)).hasSize(1);
    assertThat(read("SELECT * FROM d.gone VERSION AS OF " + before)).isEqualTo("[[1,1.50]]");

    // Nothing of the old table is shown in a new one, not even by the cache of columns.
    spark.sql("CREATE TABLE d.gone AS SELECT 2L AS id, 150L AS x");
    assertThat(read("SELECT * FROM d.gone")).isEqualTo("[[2,150]]");
    assertThat(read("SELECT * FROM d.gone VERSION AS OF " + before)).isEqualTo("[[1,1.50]]");
    spark.sql("INSERT INTO d.gone VALUES (3, 4)");
    spark.sql("UPDATE d.gone SET x = 5 WHERE id = 2");
    assertThat(read("SELECT _row, * FROM d.gone ORDER BY id")).isEqualTo("[[0,2,5], [1,3,4]]");
    assertThatThrownBy(() -> spark.sql("DROP TABLE d.drayage_columns"))
        .hasMessageContaining("table drayage_columns says what columns are");
  }

  @Test
  void replacesATableInOneCommit() throws Exception {
    Map<String, ThrowingConsumer<String>> ways = new LinkedHashMap<>();
    ways.put(
        "selected",
        table ->
            spark.sql(
                "CREATE OR REPLACE TABLE " + table + " AS SELECT CAST(7 AS DECIMAL(9,1)) AS y"));
    ways.put(
        "replaced",
        table -> spark.sql("REPLACE TABLE " + table + " AS SELECT CAST(7 AS DECIMAL(9,1)) AS y"));
    ways.put(
        "saved",
        table ->
            spark
                .sql("SELECT CAST(7 AS DECIMAL(9,1)) AS y")
                .write()
                .mode("overwrite")
                .saveAsTable(table));
    ways.put(
        "written",
        table -> spark.sql("SELECT CAST(7 AS DECIMAL(9,1)) AS y").writeTo(table).createOrReplace());
    ways.put(
        "again",
        table -> spark.sql("SELECT CAST(7 AS DECIMAL(9,1)) AS y").writeTo(table).replace());
    for (Map.Entry<String, ThrowingConsumer<String>> way : ways.entrySet()) {
      String name = "replaced_" + way.getKey();
      String table = "d." + name;
      spark.sql("CREATE TABLE " + table + " AS SELECT 1L AS id, CAST(1 AS DECIMAL(10,4)) AS y");
      long before = database.newest();

      way.getValue().accept(table);

      List<SnapshotManifest> commits = database.committedSince(before);
      assertThat(commits).as(name).hasSize(1);
      assertThat(commits.get(0).droppedTables()).as(name).containsExactly(name);
      Row row = spark.table(table).first();
      assertThat(row.size()).as(name).isEqualTo(1);
      assertThat(row.getDecimal(0)).as(name).isEqualTo(new BigDecimal("7.0"));
      assertThat(read("SELECT * FROM " + table + " VERSION AS OF " + before))
          .isEqualTo("[[1,1.0000]]");
      assertThat(database.rows("drayage_columns"))
          .filteredOn(type -> type.get(0).equals(name))
          .as(name)
          .hasSize(1);
    }
  }

  @Test
  void replacesATableWithoutRows() throws Exception {
    spark.sql("CREATE TABLE d.emptied AS SELECT 1L AS id");
    spark.sql("CREATE OR REPLACE TABLE d.emptied (name STRING)");
    assertThat(spark.table("d.emptied").schema().simpleString()).isEqualTo("struct<name:string>");
    assertThat(database.rows("emptied")).isEmpty();
    spark.sql("REPLACE TABLE d.emptied (id BIGINT)");
    spark.sql("INSERT INTO d.emptied VALUES (5)");
    assertThat(database.rows("emptied")).isEqualTo(numbers(5));
    assertThatThrownBy(() -> spark.sql("REPLACE TABLE d.never (id BIGINT)"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    spark.sql("CREATE OR REPLACE TABLE d.emptied AS SELECT id + 1 AS next FROM d.emptied");
    assertThat(database.rows("emptied")).isEqualTo(numbers(6));
  }

  @Test
  void leavesTheTableIfTheReplacementFails() throws Exception {
    spark.sql("CREATE TABLE d.stays AS SELECT 1L AS id");
    long before = database.newest();

    assertThatThrownBy(
            () ->
                spark.sql(
                    "CREATE OR REPLACE TABLE d.stays AS"
                        + " SELECT CAST(raise_error(concat('no', id)) AS INT) AS x"
                        + " FROM range(0, 10, 1, 2)"))
        .hasMessageContaining("[USER_RAISED_EXCEPTION] no");

    assertThat(database.committedSince(before)).isEmpty();
    assertThat(read("SELECT * FROM d.stays")).isEqualTo("[[1]]");
  }

  /** The first writer wins: neither rows nor a replacement are lost without an error. */
  @Test
  @Timeout(120)
  void conflictsWithWhoeverWroteMeanwhile() throws Exception {
    String held = " AS SELECT held(id) AS id FROM range(7, 8, 1, 1)";
    spark.sql("CREATE TABLE d.raced AS SELECT 1L AS id");

    CompletableFuture<Void> replacing =
        CompletableFuture.runAsync(() -> spark.sql("CREATE OR REPLACE TABLE d.raced" + held));
    STARTED.acquire();
    spark.sql("INSERT INTO d.raced VALUES (2)");
    GO.release();
    assertThatThrownBy(replacing::get)
        .hasStackTraceContaining("DRAYAGE_CONFLICT")
        .hasStackTraceContaining("table 'raced' is to be dropped, and was changed by others since");
    assertThat(database.rows("raced")).isEqualTo(numbers(1, 2));

    CompletableFuture<Void> inserting =
        CompletableFuture.runAsync(
            () -> spark.sql("INSERT INTO d.raced SELECT held(id) FROM range(7, 8, 1, 1)"));
    STARTED.acquire();
    spark.sql("DROP TABLE d.raced");
    spark.sql("CREATE TABLE d.raced AS SELECT 3L AS id");
    GO.release();
    assertThatThrownBy(inserting::get)
        .hasStackTraceContaining("DRAYAGE_CONFLICT")
        .hasStackTraceContaining("table 'raced' was dropped by others since");
    assertThat(database.rows("raced")).isEqualTo(numbers(3));
  }

  /** A running query was planned for the table before; a restarted one writes to the new table. */
  @Test
  @Tag("ci")
  @Timeout(120)
  void aStreamDoesNotWriteToAnotherTableOfTheName() throws Exception {
    spark.sql("CREATE TABLE d.streamed (id BIGINT NOT NULL)");
    Path own = Files.createDirectory(folder.resolve("streamed"));
    Numbers numbers = new Numbers(own.resolve("numbers"));
    numbers.add(2);
    StreamingQuery query = stream(numbers, own);
    try {
      query.processAllAvailable();
      assertThat(database.rows("streamed")).isEqualTo(numbers(0, 1));
      spark.sql("CREATE OR REPLACE TABLE d.streamed (id BIGINT NOT NULL)");
      numbers.add(1);
      assertThatThrownBy(query::processAllAvailable)
          .hasMessageContaining("table 'streamed' is another one");
    } finally {
      query.stop();
    }
    assertThat(database.rows("streamed")).isEmpty();
    StreamingQuery again = stream(numbers, own);
    try {
      again.processAllAvailable();
    } finally {
      again.stop();
    }
    assertThat(database.rows("streamed")).isEqualTo(numbers(2));
  }

  private static StreamingQuery stream(Numbers numbers, Path own) throws Exception {
    return numbers.stream(spark)
        .writeStream()
        .option("checkpointLocation", own.resolve("checkpoint").toString())
        .toTable("d.streamed");
  }

  /** Statements at random, and what they leave in each snapshot. */
  @Test
  @Tag("ci")
  @Timeout(300)
  void randomStatementsLeaveWhatTheySay() throws Exception {
    SplittableRandom random = new SplittableRandom(58);
    Map<String, List<List<Object>>> tables = new TreeMap<>();
    Map<Long, Map<String, List<List<Object>>>> byVersion = new LinkedHashMap<>();
    for (int step = 0; step < 40; step++) {
      String name = random.nextBoolean() ? "random_a" : "random_b";
      List<List<Object>> rows = tables.get(name);
      long id = step;
      boolean noted = random.nextBoolean();
      String select = id + "L AS id" + (noted ? ", 'x' AS note" : "");
      List<Object> row = noted ? List.of(id, "x") : List.of(id);
      int action = random.nextInt(5);
      if (rows == null || action == 0) {
        spark.sql("CREATE OR REPLACE TABLE d." + name + " AS SELECT " + select);
        tables.put(name, new ArrayList<>(List.of(row)));
      } else if (action == 1) {
        spark.sql("DROP TABLE d." + name);
        tables.remove(name);
      } else if (action == 2) {
        spark.sql("DELETE FROM d." + name + " WHERE id % 2 = 0");
        rows.removeIf(each -> (long) each.get(0) % 2 == 0);
      } else {
        boolean wide = spark.table("d." + name).schema().size() == 2;
        spark.sql("INSERT INTO d." + name + " SELECT " + id + (wide ? ", 'x'" : ""));
        rows.add(wide ? List.of(id, "x") : List.of(id));
      }
      Map<String, List<List<Object>>> now = new TreeMap<>();
      tables.forEach((table, all) -> now.put(table, List.copyOf(all)));
      byVersion.put(database.newest(), now);
    }
    for (Map.Entry<Long, Map<String, List<List<Object>>>> each : byVersion.entrySet()) {
      for (String name : List.of("random_a", "random_b")) {
        List<List<Object>> expected = each.getValue().get(name);
        String sql = "SELECT * FROM d." + name + " VERSION AS OF " + each.getKey();
        if (expected == null) {
          assertThatThrownBy(() -> spark.sql(sql)).as(sql).isInstanceOf(Exception.class);
          continue;
        }
        List<List<Object>> found = new ArrayList<>();
        for (Row row : spark.sql(sql).collectAsList()) {
          found.add(row.size() == 1 ? List.of(row.get(0)) : List.of(row.get(0), row.get(1)));
        }
        assertThat(found).as(sql).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }
}
