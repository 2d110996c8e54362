package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.snapshot.SnapshotCatalog;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads tables that were replaced after the full snapshot that has their predecessors. */
@Tag("ci")
@Timeout(300)
final class ReplacedReadTest {
  private static final int FULL_EVERY = 8;

  @TempDir private static Path folder;
  @AutoClose private static ReadDatabase database;

  @BeforeAll
  static void open() throws Exception {
    database = new ReadDatabase(folder, FULL_EVERY);
  }

  private static String rows(String sql) {
    return Arrays.toString((Row[]) database.spark.sql(sql).collect());
  }

  private static long newest() throws Exception {
    return new SnapshotCatalog(database.objects).newestTimestamp();
  }

  /** Commits until the newest snapshot has a full one. */
  private static void awaitFull() throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(database.objects);
    long wanted = catalog.newestTimestamp();
    for (int i = 0; catalog.fullTimestamps().stream().noneMatch(full -> full >= wanted); i++) {
      rows(format("CREATE TABLE %s (n INT)", database.sql("more" + wanted + "_" + i)));
    }
  }

  @Test
  void hasNothingOfTheOldTable() throws Exception {
    String table = database.sql("t");
    rows(format("CREATE TABLE %s AS SELECT id, 'old' AS s FROM range(0, 200000, 1, 1)", table));
    awaitFull();
    long before = newest();
    rows(
        format(
            "CREATE OR REPLACE TABLE %s AS SELECT id + 1000000 AS id, id AS n FROM range(0, 70000, 1, 1)",
            table));
    long made = newest();

    assertThat(rows(format("SELECT count(*), min(id), max(id) FROM %s", table)))
        .isEqualTo("[[70000,1000000,1069999]]");
    assertThat(rows(format("SELECT n FROM %s WHERE id = 1000007", table))).isEqualTo("[[7]]");
    assertThat(rows(format("SELECT count(*) FROM %s WHERE id < 200000", table))).isEqualTo("[[0]]");

    rows(format("UPDATE %s SET n = -1 WHERE id = 1000008", table));
    rows(format("DELETE FROM %s WHERE id = 1000009", table));
    assertThat(rows(format("SELECT count(*), min(n) FROM %s", table))).isEqualTo("[[69999,-1]]");
    assertThat(rows(format("SELECT n FROM %s WHERE id BETWEEN 1000007 AND 1000010", table)))
        .isEqualTo("[[7], [-1], [10]]");
    assertThat(
            rows(
                format(
                    "SELECT _commit_version, _change_type, count(*) FROM %s CHANGES FROM VERSION 1 WITH (computeUpdates = 'true') GROUP BY 1, 2 ORDER BY 1, 2",
                    table)))
        .isEqualTo(
            format(
                "[[%d,insert,70000], [%d,update_postimage,1], [%d,update_preimage,1], [%d,delete,1]]",
                made, made + 1, made + 1, made + 2));

    assertThat(
            rows(
                format(
                    "SELECT count(*) FROM %s CHANGES FROM VERSION 1 WHERE _commit_version <= %d",
                    table, before)))
        .as("an end before the table was made")
        .isEqualTo("[[0]]");

    assertThat(rows(format("SELECT count(*), max(s) FROM %s VERSION AS OF %d", table, before)))
        .isEqualTo("[[200000,old]]");
    assertThat(
            rows(
                format(
                    "SELECT count(*), max(s) FROM %s CHANGES FROM VERSION 1 TO VERSION %d",
                    table, before)))
        .isEqualTo("[[200000,old]]");
    awaitFull();
    assertThat(rows(format("SELECT count(*), min(id), max(id) FROM %s", table)))
        .isEqualTo("[[69999,1000000,1069999]]");
  }
}
