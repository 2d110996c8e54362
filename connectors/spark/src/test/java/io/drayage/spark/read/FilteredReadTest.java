package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.spark.LocalSpark;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the bytes that a query reads of a table of 100 pages, if its filter matches one page.
 *
 * <pre>mvn test -Pnightly -pl connectors/spark -am -Dtest=FilteredReadTest \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Tag("nightly")
@Timeout(1_800)
final class FilteredReadTest {
  private static final System.Logger LOG = System.getLogger(FilteredReadTest.class.getName());
  private static final int PAGES = 100;
  private static final long ROWS = PAGES * 65_536L;

  @TempDir private static Path folder;

  private record Reading(Row row, long bytes, long skipped) {}

  private static Reading read(ReadDatabase database, String filter) throws Exception {
    String sql =
        format(
            "SELECT count(*), sum(price), max(note), sum(part) FROM %s WHERE %s",
            database.sql("orders"), filter);
    Row row = ((Row[]) database.spark.sql(sql).collect())[0];
    Map<String, String> metrics = LocalSpark.metrics(0);
    return new Reading(
        row,
        number(metrics.get("Drayage: bytes read from the store")),
        number(metrics.get("Drayage: pages skipped")));
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  @Test
  void readsFewBytesForOnePageOfAHundred() throws Exception {
    try (ReadDatabase database = new ReadDatabase(folder, 2)) {
      String table = database.sql("orders");
      database.spark.sql(
          format(
              """
          CREATE TABLE %s AS SELECT
            id,
            timestamp_seconds(1700000000 + id DIV 4) AS moment,
            CAST(hash(id) %% 100000 / 100.0 AS DECIMAL(12, 2)) AS price,
            abs(hash(id, 1)) %% 200000 AS part,
            CAST(rand(1) AS DOUBLE) AS weight,
            substr(sha2(CAST(id AS STRING), 256), 1, 20) AS note,
            hash(id, 2) AS a, hash(id, 3) AS b, hash(id, 4) AS c
          FROM range(0, %d, 1, 1)
          """,
              table, ROWS));
      SnapshotCatalog catalog = new SnapshotCatalog(database.objects);
      long wanted = catalog.newestTimestamp();
      for (int i = 0; catalog.fullTimestamps().stream().noneMatch(full -> full >= wanted); i++) {
        database.spark.sql(format("CREATE TABLE %s (n INT)", database.sql("more" + i)));
      }

      String moments = "moment %s BETWEEN timestamp_seconds(%d) AND timestamp_seconds(%d)";
      long begin = 1_700_000_000L + ROWS / 8 + 100;
      Reading with = read(database, format(moments, "", begin, begin + 1_000));
      Reading without =
          read(database, format(moments, "+ INTERVAL 0 SECONDS", begin, begin + 1_000));

      LOG.log(
          Level.INFO,
          () ->
              format(
                  "one page of %d: %,d bytes read with the filter pushed, %,d without",
                  PAGES, with.bytes, without.bytes));
      assertThat(with.row).isEqualTo(without.row);
      assertThat(with.skipped).isEqualTo(PAGES - 1);
      assertThat(without.skipped).isZero();
      assertThat(with.bytes).isLessThan(without.bytes / 20);
    }
  }
}
