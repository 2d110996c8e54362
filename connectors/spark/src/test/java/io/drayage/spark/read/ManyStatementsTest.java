package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver with a long life: {@code -Dspark.statements=10000} statements that change a table, each
 * with a query of the new snapshot.
 */
@Tag("nightly")
final class ManyStatementsTest {
  private static final int STATEMENTS = Integer.getInteger("spark.statements", 300);
  private static final int FULL_SNAPSHOT_EVERY = 40;

  /** Number of statements between two garbage collections. */
  private static final int ROUND = 50;

  /** The limit: columns that are kept, and columns that were read since the last collection. */
  private static final int MOST_COLUMNS = 4 * ROUND;

  @TempDir Path folder;

  @Test
  @Timeout(7_200)
  void leaveNeitherThreadsNorMarksNorKeys() throws Exception {
    try (ReadDatabase database = new ReadDatabase(folder, FULL_SNAPSHOT_EVERY)) {
      String table = database.sql("t");
      database.spark.conf().set("spark.sql.codegen.wholeStage", false);
      run(database, "CREATE TABLE " + table + " AS SELECT id, 0L AS v FROM range(3)");
      ColumnCache cache = ColumnCache.of(database.options());
      long threads = 0;
      for (int i = 1; i <= STATEMENTS; i++) {
        run(
            database,
            i % 2 == 0
                ? format("UPDATE %s SET v = %d WHERE id = 0", table, i)
                : format("INSERT INTO %s VALUES (%d, %d)", table, i + 2, i));
        assertThat(newest(database, table)).isEqualTo(i);
        if (i % ROUND == 0) {
          assertThat(threadsOf("drayage-loading")).as("threads that mark").isLessThanOrEqualTo(1);
          assertThat(database.objects.list("loading/").size())
              .as("marks, one a full snapshot")
              .isLessThanOrEqualTo(2 + ROUND / FULL_SNAPSHOT_EVERY);
          assertThat(cache.knownColumns()).as("keys of columns").isLessThanOrEqualTo(MOST_COLUMNS);
          long now = threadsOf("drayage");
          threads = threads == 0 ? now : threads;
          assertThat(now).as("threads of ours").isLessThanOrEqualTo(threads + 5);
          System.gc();
        }
      }
    }
  }

  private static void run(ReadDatabase database, String sql) {
    Object unused = database.spark.sql(sql);
  }

  private static long newest(ReadDatabase database, String table) {
    return ((Row[]) database.spark.sql("SELECT max(v) FROM " + table).collect())[0].getLong(0);
  }

  private static long threadsOf(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .count();
  }
}
