package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.drayage.spark.database.Shared;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads the changes of a hundredth of a table, beside the comparison of two of its snapshots in
 * Spark. Prints the bytes that this process reads, with those of shuffles, its CPU time and the
 * elapsed time, each with empty caches: {@code -Ddrayage.changes.rows=6000000}.
 */
@Tag("nightly")
@Timeout(900)
final class ChangesCostTest {
  private static final int ROUNDS = 3;
  private static final long ROWS = Long.getLong("drayage.changes.rows", 1_000_000);

  @TempDir static Path folder;
  private static SparkSession spark;
  @AutoClose private static TestDatabase database;
  private static long made;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session().newSession();
    database = new TestDatabase(folder);
    database.addTo(spark, "d");
    spark.sql(
        "CREATE TABLE d.t AS SELECT id, id * 7 %% 1000 AS quantity, rand(1) * 10000 AS price, concat('item ', id %% 5000) AS name FROM range(0, %s, 1, 8)"
            .formatted(ROWS));
    made = database.newest();
  }

  /** The effort of one query. */
  private record Cost(long bytes, long cpuNs, long wallNs) {
    private static Cost now() throws Exception {
      long read =
          Files.readAllLines(Path.of("/proc/self/io")).stream()
              .filter(line -> line.startsWith("rchar: "))
              .mapToLong(line -> Long.parseLong(line.substring("rchar: ".length())))
              .sum();
      OperatingSystemMXBean system =
          (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Cost(read, system.getProcessCpuTime(), System.nanoTime());
    }

    private Cost since(Cost before) {
      return new Cost(bytes - before.bytes, cpuNs - before.cpuNs, wallNs - before.wallNs);
    }

    private static Cost of(String what, String sql, List<Row> expected) throws Exception {
      Shared.closeAll();
      Cost before = now();
      List<Row> rows = spark.sql(sql).collectAsList();
      Cost cost = now().since(before);
      assertThat(rows).isEqualTo(expected.isEmpty() ? rows : expected);
      System.out.printf(
          Locale.ROOT,
          "%s of %,d rows: %.1f MB read, %.2f s CPU, %.2f s, %s%n",
          what,
          ROWS,
          cost.bytes / 1e6,
          cost.cpuNs / (double) TimeUnit.SECONDS.toNanos(1),
          cost.wallNs / (double) TimeUnit.SECONDS.toNanos(1),
          rows);
      return cost;
    }
  }

  private static void compare(String what, long after) throws Exception {
    String columns = "xxhash64(%1$s._row, %1$s.id, %1$s.quantity, %1$s.price, %1$s.name)";
    String changes =
        "SELECT count(*), bit_xor(%s) FROM d.t CHANGES FROM VERSION %s EXCLUSIVE WITH (computeUpdates = 'true') AS t"
            .formatted(columns.formatted("t"), after);
    String snapshots =
        ("WITH x AS (SELECT _row, * FROM d.t VERSION AS OF %s), y AS (SELECT _row, * FROM d.t), both AS (SELECT x._row IS NULL AS made, y._row IS NULL AS gone, %s AS hx, %s AS hy FROM x FULL OUTER JOIN y ON x._row = y._row) "
                + "SELECT count(*), bit_xor(h) FROM (SELECT hx AS h FROM both WHERE NOT made AND (gone OR hx <> hy) UNION ALL SELECT hy FROM both WHERE NOT gone AND (made OR hx <> hy))")
            .formatted(after, columns.formatted("x"), columns.formatted("y"));
    List<Row> expected = spark.sql(snapshots).collectAsList();
    Cost last = null;
    for (int round = 0; round < ROUNDS; round++) {
      last = Cost.of(what + ", changes", changes, expected);
      Cost compared = Cost.of(what + ", two snapshots", snapshots, expected);
      assertThat(last.bytes).isLessThan(compared.bytes);
    }
  }

  @Test
  void changesCostLessThanComparingSnapshots() throws Exception {
    spark.sql("INSERT INTO d.t SELECT id, 1, 2, 'new' FROM range(%s)".formatted(ROWS / 100));
    compare("1 % inserted", made);
    long inserted = database.newest();
    spark.sql("UPDATE d.t SET quantity = quantity + 1 WHERE pmod(hash(id), 100) = 0");
    compare("1 % updated", inserted);
  }
}
