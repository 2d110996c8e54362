package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests streams that read a table, with a table of the same database at their end. */
@Tag("nightly")
@Timeout(180)
final class ChangesStreamTest {
  private static final long PATIENCE_MS = 60_000;
  private static final int FULL_EVERY = 12;

  @TempDir static Path folder;
  private static SparkSession spark;
  @AutoClose private static TestDatabase database;

  private Path own = folder;
  private String source = "";
  private String target = "";

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session().newSession();
    database = TestDatabase.of(folder, FULL_EVERY);
    database.addTo(spark, "d");
  }

  @BeforeEach
  void makeTable(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    own = Files.createDirectory(folder.resolve(name));
    source = "d." + name;
    target = "d." + name + "Copy";
    spark.sql("CREATE TABLE " + source + " (id BIGINT NOT NULL, text STRING)");
  }

  /** Runs a stream until it has written all input. */
  private void run(Dataset<Row> rows) throws Exception {
    StreamingQuery query =
        rows.writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", own.resolve("checkpoint").toString())
            .toTable(target);
    try {
      assertThat(query.awaitTermination(PATIENCE_MS)).as("the stream ends").isTrue();
    } finally {
      query.stop();
    }
  }

  private static List<String> rows(String sql) {
    return Arrays.stream((Row[]) spark.sql(sql).collect()).map(Row::toString).sorted().toList();
  }

  private void insert(long id) {
    spark.sql("INSERT INTO %s VALUES (%s, 'x')".formatted(source, id));
  }

  private long copies() throws Exception {
    return database.committedSince(0).stream()
        .filter(
            entry ->
                entry.transaction() != null
                    && entry.transaction().app() != null
                    && entry.transaction().app().tables().contains(target.substring(2)))
        .count();
  }

  @Test
  void appendedRowsAreWrittenOnceThroughRestartsAndRepeatedEpochs() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    insert(0);
    insert(1);
    for (int round = 0; round < 6; round++) {
      run(spark.readStream().option("maxSnapshotsPerTrigger", 2).table(source));
      assertThat(rows("SELECT * FROM " + target))
          .as("round %s", round)
          .isEqualTo(rows("SELECT * FROM " + source));
      for (int i = random.nextInt(5); i > 0; i--) {
        insert(100 * round + i);
      }
      if (random.nextBoolean()) {
        boolean unused = Checkpoint.forgetNewestCommit(own.resolve("checkpoint"));
      }
    }
  }

  @Test
  void changesAreWrittenOnceThroughRestartsAndRepeatedEpochs() throws Exception {
    long begin = database.newest();
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 4; i++) {
        switch (random.nextInt(4)) {
          case 0 ->
              spark.sql(
                  "UPDATE %s SET text = concat(text, '%s') WHERE id %% 3 = %s"
                      .formatted(source, i, i % 3));
          case 1 ->
              spark.sql("DELETE FROM %s WHERE id %% 7 = %s".formatted(source, random.nextInt(7)));
          default ->
              spark.sql(
                  "INSERT INTO %s SELECT id, 'n' FROM range(%s)"
                      .formatted(source, random.nextInt(20)));
        }
      }
      run(
          spark
              .readStream()
              .option("startingVersion", begin)
              .option("startingBoundInclusive", false)
              .option("computeUpdates", true)
              .option("maxBytesPerTrigger", random.nextBoolean() ? 1 : 400)
              .changes(source));
      assertThat(rows("SELECT * FROM " + target))
          .as("round %s", round)
          .isEqualTo(
              rows(
                  "SELECT * FROM %s CHANGES FROM VERSION %s EXCLUSIVE WITH (computeUpdates = 'true')"
                      .formatted(source, begin)));
      if (random.nextBoolean()) {
        boolean unused = Checkpoint.forgetNewestCommit(own.resolve("checkpoint"));
      }
    }
  }

  @Test
  void aStreamWithoutAVersionBeginsWithAllRows() throws Exception {
    spark.sql("INSERT INTO %s SELECT id, 'x' FROM range(5)".formatted(source));
    spark.sql("DELETE FROM %s WHERE id = 2".formatted(source));
    long begin = database.newest();
    run(
        spark.sql(
            "SELECT id, _change_type, _commit_version FROM STREAM %s CHANGES".formatted(source)));
    spark.sql("UPDATE %s SET text = 'y' WHERE id = 0".formatted(source));
    long updated = database.newest();
    run(
        spark.sql(
            "SELECT id, _change_type, _commit_version FROM STREAM %s CHANGES".formatted(source)));
    assertThat(rows("SELECT * FROM " + target))
        .containsExactly(
            "[0,delete,%s]".formatted(updated),
            "[0,insert,%s]".formatted(begin),
            "[0,insert,%s]".formatted(updated),
            "[1,insert,%s]".formatted(begin),
            "[3,insert,%s]".formatted(begin),
            "[4,insert,%s]".formatted(begin));
  }

  @Test
  void eachBatchHasAtMostTheLimitOfSnapshots() throws Exception {
    long begin = database.newest();
    for (int i = 0; i < 5; i++) {
      insert(i);
    }
    run(
        spark
            .readStream()
            .option("startingVersion", begin + 1)
            .option("maxSnapshotsPerTrigger", 2)
            .table(source));
    assertThat(copies()).isEqualTo(3);
    assertThat(rows("SELECT id FROM " + target)).hasSize(5);
  }

  /** Each epoch is a commit, which must not make another epoch. */
  @Test
  void commitsToOtherTablesMakeNoBatches() throws Exception {
    insert(1);
    run(spark.readStream().table(source));
    long before = copies();
    for (int i = 0; i < 3; i++) {
      run(spark.readStream().table(source));
    }
    assertThat(copies()).isEqualTo(before);
    for (int i = 0; i < 2 * FULL_EVERY; i++) {
      spark.sql("CREATE TABLE %sOther%s (id BIGINT)".formatted(source, i));
    }
    run(spark.readStream().table(source));
    assertThat(copies()).isBetween(before, before + 2);
    insert(2);
    run(spark.readStream().table(source));
    assertThat(rows("SELECT id FROM " + target)).containsExactly("[1]", "[2]");
  }

  @Test
  void aStreamOfAppendsRefusesOtherChanges() throws Exception {
    insert(1);
    run(spark.readStream().table(source));
    spark.sql("UPDATE %s SET text = 'y'".formatted(source));
    assertThatThrownBy(() -> run(spark.readStream().table(source)))
        .hasMessageContainingAll(
            "DRAYAGE_UNSUPPORTED",
            "snapshot %s updates or deletes rows".formatted(database.newest()));
  }

  @Test
  void endsByNameWhereItsTableIsReplaced() throws Exception {
    insert(1);
    run(spark.readStream().table(source));
    spark.sql("CREATE OR REPLACE TABLE %s AS SELECT 2L AS id, 'new' AS text".formatted(source));
    long replaced = database.newest();
    insert(3);
    assertThatThrownBy(() -> run(spark.readStream().table(source)))
        .hasMessageContainingAll(
            "DRAYAGE_UNSUPPORTED", "snapshot %s drops or replaces it".formatted(replaced));
    assertThat(rows("SELECT id FROM " + target)).containsExactly("[1]");

    own = Files.createDirectory(own.resolve("new"));
    run(spark.readStream().option("startingVersion", replaced).table(source));
    assertThat(rows("SELECT id FROM " + target)).containsExactly("[1]", "[2]", "[3]");
  }

  /** The log goes while the stream is stopped, as a cleaner deletes it. */
  @Test
  void aLaggingStreamIsToldWhatItLost() throws Exception {
    insert(1);
    run(spark.readStream().table(source));
    SnapshotCatalog catalog = new SnapshotCatalog(database.objects());
    long read = database.newest();
    while (catalog.fullTimestamps().stream().noneMatch(full -> full > read + 1)) {
      insert(2);
    }
    long oldest =
        catalog.fullTimestamps().stream().filter(full -> full > read + 1).findFirst().orElseThrow();
    for (SnapshotKeys.Place place : catalog.places()) {
      if (place.timestamp() < oldest || (place.timestamp() == oldest && place.logEntry())) {
        int unused = catalog.delete(catalog.read(place));
      }
    }
    assertThatThrownBy(() -> run(spark.readStream().table(source)))
        .hasMessageContainingAll(
            "DRAYAGE_CHANGES_LOST",
            "the oldest that can be read are those of snapshot %s".formatted(oldest + 1));
    assertThat(rows("SELECT id FROM " + target)).containsExactly("[1]");
  }

  @Test
  void refusesOptionsOfAStreamInAQueryAndWrongValues() {
    assertThatThrownBy(() -> spark.read().option("maxBytesPerTrigger", 1).table(source).count())
        .hasMessageContainingAll("DRAYAGE_INVALID_OPTION", "are options of a stream");
    assertThatThrownBy(
            () -> run(spark.readStream().option("maxSnapshotsPerTrigger", 0).table(source)))
        .hasMessageContainingAll(
            "DRAYAGE_INVALID_OPTION", "maxSnapshotsPerTrigger must be a number from 1 on, not '0'");
  }
}
