package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written by Spark in one process, read by our own API. */
class BatchWriteTest {
  @TempDir static Path folder;

  private static SparkSession spark;
  private static TestDatabase database;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session();
    database = new TestDatabase(folder);
    database.addTo(spark, "d");
  }

  @AfterAll
  static void stop() {
    database.close();
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

    assertThat(database.newest()).isEqualTo(before + 1);
    List<List<Object>> rows = database.rows("appended");
    assertThat(rows).hasSize(5_000).contains(List.of(0L, "NULL"), List.of(4_999L, "n4999"));
    assertThat(rows.stream().map(row -> row.get(0)).distinct()).hasSize(5_000);
    assertThat(spark.table("d.appended").where("note = 'n4999'").collectAsList().get(0).getLong(0))
        .isEqualTo(4_999);
  }

  @Test
  void createsTableWithoutRows() throws Exception {
    spark.sql("CREATE TABLE d.empty (id INT, day DATE, price DECIMAL(12,2))");

    assertThat(database.tables()).contains("empty", "drayage_columns");
    assertThat(database.rows("empty")).isEmpty();
    assertThat(database.rows("drayage_columns"))
        .contains(List.of("empty", "day", "DATE"), List.of("empty", "price", "DECIMAL(12,2)"));
    assertThat(spark.sql("DESCRIBE d.empty").collectAsList().toString())
        .contains("[id,int,", "[day,date,", "[price,decimal(12,2),");
  }

  @Test
  void commitsTableAndRowsTogether() throws Exception {
    long before = database.newest();

    spark.sql("CREATE TABLE d.made AS SELECT id, id * 2 AS twice FROM range(0, 100, 1, 3)");

    assertThat(database.newest()).isEqualTo(before + 1);
    assertThat(database.rows("made")).hasSize(100).contains(List.of(99L, 198L));
  }

  @Test
  void savesAsTable() throws Exception {
    spark.range(3).write().saveAsTable("d.saved");
    spark.range(3, 5).write().mode("append").saveAsTable("d.saved");
    assertThat(database.rows("saved")).isEqualTo(numbers(0, 1, 2, 3, 4));

    spark.range(7, 9).write().mode("overwrite").saveAsTable("d.saved");

    assertThat(database.rows("saved")).isEqualTo(numbers(7, 8));
  }

  @Test
  void leavesNoTableOfJobThatFails() throws Exception {
    long before = database.newest();

    assertThatThrownBy(
            () ->
                spark.sql(
                    "CREATE TABLE d.failed AS SELECT raise_error('no') AS x FROM range(0, 10, 1, 2)"))
        .hasMessageContaining("no");

    assertThat(database.tables()).doesNotContain("failed");
    assertThat(database.newest()).isLessThanOrEqualTo(before + 1); // The end of the transaction.
    assertThat(database.rows("drayage_columns").toString()).doesNotContain("failed");
  }

  @Test
  void replacesAllRowsInOneCommit() throws Exception {
    spark.range(10).writeTo("d.replaced").create();
    long before = database.newest();

    spark.sql("INSERT OVERWRITE TABLE d.replaced SELECT id FROM range(20, 23)");

    assertThat(database.newest()).isEqualTo(before + 1);
    assertThat(database.rows("replaced")).isEqualTo(numbers(20, 21, 22));

    spark.sql("TRUNCATE TABLE d.replaced");
    assertThat(database.rows("replaced")).isEmpty();
  }

  @Test
  void takesEffectOnceForOneVersionOfAnApplication() throws Exception {
    spark.range(0).writeTo("d.once").create();
    for (int run = 0; run < 3; run++) {
      spark
          .range(5)
          .writeTo("d.once")
          .option("txnAppId", "job-1")
          .option("txnVersion", "7")
          .append();
    }
    assertThat(database.rows("once")).isEqualTo(numbers(0, 1, 2, 3, 4));

    spark
        .range(5, 6)
        .writeTo("d.once")
        .option("txnAppId", "job-1")
        .option("txnVersion", "8")
        .append();
    assertThat(database.rows("once")).isEqualTo(numbers(0, 1, 2, 3, 4, 5));
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
  void appendsNothing() throws Exception {
    spark.range(1).writeTo("d.nothing").create();
    spark.range(0).writeTo("d.nothing").append();

    assertThat(database.rows("nothing")).isEqualTo(numbers(0));
  }

  @Test
  void keepsTypesAndNulls() throws Exception {
    spark.sql(
        """
        CREATE TABLE d.types AS
        SELECT true AS b, CAST(-1 AS TINYINT) AS y, CAST(-2 AS SMALLINT) AS s, CAST(-3 AS INT) AS i,
          -4L AS l, CAST('NaN' AS FLOAT) AS f, -0.0D AS d, 'ä€😀' AS t, DATE '1969-12-31' AS day,
          TIMESTAMP '2026-10-25 00:30:00 UTC' AS at, TIMESTAMP_NTZ '2026-10-25 02:30:00' AS local,
          CAST('-999999999999999.999' AS DECIMAL(18,3)) AS m, CAST('1.5' AS DECIMAL(3,1)) AS n
        UNION ALL
        SELECT null, null, null, null, null, null, null, null, null, null, null, null, null
        """);

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
  void refusesTypesThatThereIsNoPlaceFor() throws Exception {
    assertThatThrownBy(() -> spark.sql("CREATE TABLE d.bin (k INT, raw BINARY)"))
        .hasMessageContaining("column 'raw' of table 'bin' is BINARY");
    assertThatThrownBy(() -> spark.sql("CREATE TABLE d.nested AS SELECT array(1) AS many"))
        .hasMessageContaining("column 'many' of table 'nested' is ARRAY<INT>");
    assertThatThrownBy(() -> spark.sql("CREATE TABLE d.long (x DECIMAL(19,2))"))
        .hasMessageContaining("column 'x' of table 'long' is DECIMAL(19,2)");
    assertThat(database.tables()).doesNotContain("bin", "nested", "long");
  }

  @Test
  void refusesWhatTablesCannotDo() throws Exception {
    spark.range(1).writeTo("d.fixed").create();
    assertThatThrownBy(() -> spark.sql("DROP TABLE d.fixed")).hasMessageContaining("dropped");
    assertThatThrownBy(() -> spark.sql("ALTER TABLE d.fixed ADD COLUMN x INT"))
        .hasMessageContaining("altered");
    assertThatThrownBy(() -> spark.sql("CREATE TABLE d.fixed (id BIGINT)"))
        .hasMessageContaining("already exists");
    assertThatThrownBy(
            () -> spark.sql("CREATE TABLE d.parts (id BIGINT, k INT) PARTITIONED BY (k)"))
        .hasMessageContaining("PARTITIONED BY");
    assertThatThrownBy(() -> spark.range(1).writeTo("d.fixed").option("txnAppID", "x").append())
        .hasMessageContaining("txnVersion");
    assertThatThrownBy(() -> spark.range(1).writeTo("d.fixed").option("mode", "x").append())
        .hasMessageContaining("no write option 'mode'");
  }

  @Test
  void listsTables() throws Exception {
    spark.range(1).writeTo("d.listed").create();

    assertThat(spark.sql("SHOW TABLES IN d").collectAsList().toString())
        .contains("listed")
        .doesNotContain("drayage_columns");
    assertThat(spark.sql("SHOW NAMESPACES IN d").collectAsList().toString()).contains("default");
    assertThat(spark.catalog().tableExists("d.default.listed")).isTrue();
  }
}
