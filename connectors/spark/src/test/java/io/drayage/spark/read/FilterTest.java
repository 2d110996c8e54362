package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.snapshot.SnapshotCatalog;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Filters, aggregates and limits of Spark, with and without pages that are left out. */
@Tag("ci")
@Timeout(600)
final class FilterTest {
  private static final int PAGE = 65_536;
  private static final int ROWS = 4 * PAGE;

  /** Values that grow with {@code id}, so that pages have different bounds. */
  private static final String COLUMNS =
      """
      id,
      id % 7 < 3 AND id < 100000 AS flag,
      CAST(id DIV 3000 AS TINYINT) AS b,
      CAST(id DIV 10 AS SMALLINT) AS s,
      IF(id % 11 = 0, NULL, CAST(id AS INT)) AS i,
      IF(id BETWEEN 70000 AND 190000, NULL, id * 1000003) AS l,
      float(IF(id % 50021 = 7, double('NaN'), double(id - 130000))) AS f,
      CASE WHEN id = 5 THEN double('-0.0') WHEN id % 100003 = 9 THEN double('NaN') ELSE id / 8 END
        AS d,
      concat(CASE WHEN id < 80000 THEN 'é' WHEN id < 150000 THEN '\uFFFD' ELSE '😀' END, id) AS t,
      concat(repeat('long ', 9), lpad(id, 7, '0')) AS u,
      date_add(DATE '2020-01-01', CAST(id DIV 100 AS INT)) AS day,
      timestamp_seconds(1600000000 + id) AS moment,
      CAST(timestamp_seconds(1600000000 + id) AS TIMESTAMP_NTZ) AS local,
      CAST(id / 100 AS DECIMAL(12, 2)) AS price
      """;

  @TempDir private static Path folder;
  @AutoClose private static ReadDatabase database;

  @BeforeAll
  static void makeTables() throws Exception {
    database = new ReadDatabase(folder, 2);
    run(
        format(
            "CREATE TABLE %s AS SELECT %s FROM range(0, %d, 1, 1)",
            database.sql("t"), COLUMNS, ROWS));
    awaitFull();
  }

  private static Dataset<Row> run(String sql) {
    return database.spark.sql(sql);
  }

  private static List<String> rows(String sql) {
    return Arrays.stream((Row[]) run(sql).collect()).map(Row::toString).sorted().toList();
  }

  /** Commits until a full snapshot has all earlier commits. */
  private static void awaitFull() throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(database.objects);
    long wanted = catalog.newestTimestamp();
    for (int i = 0; catalog.fullTimestamps().stream().noneMatch(full -> full >= wanted); i++) {
      run(format("CREATE TABLE %s (n INT)", database.sql("more" + wanted + "_" + i)));
    }
  }

  private static String plan(String sql) {
    return run(sql).queryExecution().toString();
  }

  private static String literal(String column, SplittableRandom random) {
    int id = random.nextInt(-5, ROWS + 5);
    return switch (column) {
      case "flag" -> Boolean.toString(random.nextBoolean());
      case "b" -> format("CAST(%d AS TINYINT)", random.nextInt(-5, 90));
      case "s" -> format("CAST(%d AS SMALLINT)", random.nextInt(-32_768, 32_768));
      case "i" -> Integer.toString(id);
      case "l" -> id * 1_000_003L + "L";
      case "f" -> random.nextInt(5) == 0 ? "CAST('NaN' AS FLOAT)" : (id - 130_000) + "F";
      case "d" ->
          random.nextInt(5) == 0
              ? List.of("CAST('NaN' AS DOUBLE)", "-0.0D", "0.0D").get(random.nextInt(3))
              : id / 8.0 + "D";
      case "t" -> "'" + List.of("é", "\uFFFD", "😀").get(random.nextInt(3)) + id + "'";
      case "u" -> format("concat(repeat('long ', 9), lpad(%d, 7, '0'))", Math.max(0, id));
      case "day" -> format("date_add(DATE '2020-01-01', %d)", id / 100);
      case "moment" -> format("timestamp_seconds(%d)", 1_600_000_000L + id);
      case "local" -> format("CAST(timestamp_seconds(%d) AS TIMESTAMP_NTZ)", 1_600_000_000L + id);
      case "price" -> format("CAST(%d / 100 AS DECIMAL(12, 2))", id);
      default -> Integer.toString(id);
    };
  }

  private static String filter(int depth, SplittableRandom random) {
    List<String> columns =
        List.of(
            "id", "flag", "b", "s", "i", "l", "f", "d", "t", "u", "day", "moment", "local", "price",
            "_row");
    String column = columns.get(random.nextInt(columns.size()));
    return switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0 -> column + (random.nextBoolean() ? " IS NULL" : " IS NOT NULL");
      case 1 -> format("%s IN (%s, %s)", column, literal(column, random), literal(column, random));
      case 2 ->
          format("%s BETWEEN %s AND %s", column, literal(column, random), literal(column, random));
      case 3 -> format("t LIKE '%s%d%%'", random.nextBoolean() ? "é" : "😀", random.nextInt(30));
      case 6 -> format("(%s AND %s)", filter(depth - 1, random), filter(depth - 1, random));
      case 7 -> format("(%s OR %s)", filter(depth - 1, random), filter(depth - 1, random));
      case 8 -> format("NOT (%s)", filter(depth - 1, random));
      default ->
          format(
              "%s %s %s",
              column,
              List.of("=", "<", "<=", ">", ">=", "<>", "<=>").get(random.nextInt(7)),
              literal(column, random));
    };
  }

  /** Compares queries with a copy of the table, whose filters Spark evaluates alone. */
  private static int requireSame(String table, int from, int queries) {
    Dataset<Row> copy = run("SELECT _row, * FROM " + database.sql(table)).localCheckpoint();
    copy.createOrReplaceTempView("copy");
    int skipping = 0;
    for (int seed = from; seed < from + queries; seed++) {
      String filter = filter(2, new SplittableRandom(seed));
      String query = "SELECT count(*), sum(hash(*)), min(_row), max(_row) FROM (SELECT %s FROM %s)";
      String sql = format(query, "_row, *", database.sql(table) + " WHERE " + filter);
      assertThat(rows(sql))
          .as("seed %s: %s", seed, filter)
          .isEqualTo(rows(format(query, "*", "copy WHERE " + filter)));
      skipping += plan(sql).contains(" pages by filters") ? 1 : 0;
    }
    return skipping;
  }

  @Test
  void filtersGiveTheSameRows() {
    assertThat(requireSame("t", 0, 20)).isGreaterThan(8);
  }

  @Test
  void filtersGiveTheSameRowsAfterChanges() throws Exception {
    String table = database.sql("changed");
    run(format("CREATE TABLE %s AS SELECT * FROM %s", table, database.sql("t")));
    awaitFull();
    List<String> changes =
        List.of(
            "UPDATE $t SET i = -3, t = 'a', d = double('NaN') WHERE id = 200000",
            "DELETE FROM $t WHERE id BETWEEN 60000 AND 131100",
            "UPDATE $t SET l = 5, flag = NULL, price = NULL WHERE id % 90000 = 1",
            "INSERT INTO $t SELECT " + COLUMNS + " FROM range(300000, 300100)");
    for (int i = 0; i < changes.size(); i++) {
      run(changes.get(i).replace("$t", table));
      assertThat(requireSame("changed", 1_000 * i, 6)).isPositive();
    }
    awaitFull();
    assertThat(requireSame("changed", 9_000, 6)).isPositive();
  }

  @Test
  void rowsSinceTheFullSnapshotAreReadWithoutThoseBefore() throws Exception {
    String table = database.sql("grown");
    run(format("CREATE TABLE %s AS SELECT id FROM range(0, 140000, 1, 1)", table));
    awaitFull();
    run(format("INSERT INTO %s SELECT id FROM range(140000, 300000, 1, 1)", table));
    String newer = format("SELECT count(*), min(id), max(id) FROM %s WHERE _row >= 200000", table);
    assertThat(plan(newer)).contains(" pages by filters [");
    assertThat(rows(newer)).containsExactly("[100000,200000,299999]");
    assertThat(rows(format("SELECT count(*) FROM %s WHERE id >= 299999", table)))
        .containsExactly("[1]");
  }

  @Test
  void aFilterReadsFewPages() {
    String sql =
        format("SELECT count(*) FROM %s WHERE price = 700.07 AND u > 'long'", database.sql("t"));
    assertThat(plan(sql)).contains(", 1 of 4 pages by filters [");
    assertThat(rows(sql)).containsExactly("[1]");
    assertThat(plan(format("SELECT l FROM %s WHERE _row = 7", database.sql("t"))))
        .contains(", 1 of 4 pages by filters [");
    assertThat(plan(format("SELECT l FROM %s WHERE id < 0", database.sql("t"))))
        .contains(", 0 of 4 pages by filters [");
    assertThat(rows(format("SELECT l FROM %s WHERE id < 0", database.sql("t")))).isEmpty();
  }

  @Test
  void limitsReadTheFirstPages() {
    String sql = format("SELECT id FROM %s LIMIT 10", database.sql("t"));
    assertThat(plan(sql)).contains(", 1 of 4 pages by limit 10");
    assertThat(rows(sql)).hasSize(10);
    String more = format("SELECT id FROM %s LIMIT %d", database.sql("t"), PAGE + 1);
    assertThat(plan(more)).contains(", 2 of 4 pages by limit 65537");
    assertThat(rows(more)).hasSize(PAGE + 1);
    assertThat(rows(format("SELECT id FROM %s LIMIT 5 OFFSET 65534", database.sql("t"))))
        .hasSize(5);
    assertThat(rows(format("SELECT id FROM %s WHERE id > 131072 LIMIT 5", database.sql("t"))))
        .hasSize(5);
  }

  @Test
  void aggregatesAreKnown() throws Exception {
    String table = database.sql("counted");
    run(format("CREATE TABLE %s AS SELECT * FROM %s", table, database.sql("t")));
    String count = "SELECT count(*) FROM " + table;
    assertThat(plan(count)).contains("LocalTableScan").doesNotContain("BatchScan");
    assertThat(rows(count)).containsExactly("[" + ROWS + "]");
    String extremes =
        "SELECT min(id), max(id), min(b), max(s), min(i), max(l), min(f), max(f), max(d), min(t),"
            + " max(t), min(day), max(moment), max(local), min(price), max(price),"
            + " count(*), max(flag) FROM "
            + table;
    awaitFull();
    run("SELECT * FROM " + table).localCheckpoint().createOrReplaceTempView("read");
    assertThat(plan(extremes)).contains("LocalTableScan").doesNotContain("BatchScan");
    assertThat(rows(extremes)).isEqualTo(rows(extremes.replace(table, "read")));
    assertThat(plan("SELECT max(u) FROM " + table)).as("cut").contains("BatchScan");
    assertThat(plan(format("SELECT min(id) FROM %s WHERE id > 5", table))).contains("BatchScan");
    assertThat(plan(format("SELECT b, count(*) FROM %s GROUP BY b", table))).contains("BatchScan");
    assertThat(plan("SELECT count(i), count(DISTINCT b) FROM " + table)).contains("BatchScan");

    run(format("DELETE FROM %s WHERE id BETWEEN 100000 AND 190000", table));
    assertThat(rows(count)).containsExactly("[" + (ROWS - 90_001) + "]");
    assertThat(plan("SELECT min(id), max(id) FROM " + table))
        .as("the extremes are in other pages")
        .contains("LocalTableScan");
    run(format("DELETE FROM %s WHERE id = 0", table));
    assertThat(plan("SELECT min(id) FROM " + table)).contains("BatchScan");
    assertThat(rows("SELECT min(id), max(id) FROM " + table))
        .containsExactly("[1," + (ROWS - 1) + "]");
    assertThat(plan("SELECT max(id) FROM " + table)).contains("LocalTableScan");
    run(format("UPDATE %s SET id = 900000 WHERE id = 1", table));
    assertThat(rows("SELECT min(id), max(id), max(price) FROM " + table))
        .containsExactly("[2,900000,2621.43]");
    run("DELETE FROM " + table);
    awaitFull();
    assertThat(rows("SELECT min(id), max(t), count(*) FROM " + table))
        .containsExactly("[null,null,0]");
  }
}
