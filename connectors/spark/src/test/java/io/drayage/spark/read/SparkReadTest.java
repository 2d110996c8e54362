package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.StoredObject;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.spark.database.DrayageStore;
import io.drayage.store.Transaction;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session of Spark reads the commits of a worker of Drayage. */
@Tag("ci")
@Timeout(180)
final class SparkReadTest {
  @TempDir private static Path folder;
  @AutoClose private static ReadDatabase database;

  @BeforeAll
  static void open() throws Exception {
    database = new ReadDatabase(folder, 1_000);
  }

  private static List<String> rows(String sql) {
    return Arrays.stream((Row[]) database.spark.sql(sql).collect())
        .map(Row::toString)
        .sorted()
        .toList();
  }

  /** New York skips an hour of that night: only a point in time depends on the session's zone. */
  @Test
  void theSessionsTimeZoneChangesMomentsAlone() {
    String table = database.sql("zones");
    List<String> unused =
        rows(
            "CREATE TABLE %s AS SELECT TIMESTAMP '2024-03-10 07:00:00.123456 UTC' AS moment, TIMESTAMP_NTZ '2024-03-10 02:00:00.654321' AS local, DATE '2022-01-08' AS day"
                .formatted(table));
    String sql =
        "SELECT CAST(moment AS STRING), CAST(local AS STRING), CAST(day AS STRING) FROM " + table;
    String before = database.spark.conf().get("spark.sql.session.timeZone");
    try {
      for (String zone : List.of("America/New_York", "UTC")) {
        database.spark.conf().set("spark.sql.session.timeZone", zone);
        assertThat(rows(sql))
            .containsExactly(
                "[2024-03-10 %s:00:00.123456,2024-03-10 02:00:00.654321,2022-01-08]"
                    .formatted(zone.equals("UTC") ? "07" : "03"));
      }
    } finally {
      database.spark.conf().set("spark.sql.session.timeZone", before);
    }
  }

  private static Transaction numbers(String table, long from, long to) {
    Transaction transaction = database.worker.begin();
    transaction.createTable(
        TableSchema.of(
            table,
            ColumnSchema.of("n", ColumnType.LONG),
            ColumnSchema.of("twice", ColumnType.LONG)));
    long[] numbers = LongStream.range(from, to).toArray();
    long unused =
        transaction.insertRows(
            table,
            Map.of(
                "n", ColumnValues.of(new long[][] {numbers}),
                "twice",
                    ColumnValues.of(
                        new long[][] {Arrays.stream(numbers).map(n -> 2 * n).toArray()})));
    return transaction;
  }

  private static List<String> sums(String table, String version) {
    return rows("SELECT count(*), sum(n), sum(twice) FROM " + database.sql(table) + " " + version);
  }

  @Test
  void readsTheNewestSnapshotOrTheOneThatIsAskedFor() throws Exception {
    int rows = 300_000;
    database.worker.commit(numbers("versions", 0, rows));
    long first = database.worker.snapshot().timestamp();
    assertThat(sums("versions", "")).containsExactly("[300000,44999850000,89999700000]");

    Transaction second = database.worker.begin();
    second.update("versions", "twice", 5, 0L);
    for (long row = 100_000; row < 200_000; row++) {
      second.delete("versions", row);
    }
    second.insert("versions", Map.of("n", 7L, "twice", 14L));
    database.worker.commit(second);
    String now = "[200001,29999900007,59999800004]";
    assertThat(sums("versions", "")).containsExactly(now);
    assertThat(sums("versions", "VERSION AS OF " + first))
        .containsExactly("[300000,44999850000,89999700000]");
    assertThat(rows("SELECT count(*) FROM " + database.sql("versions")))
        .containsExactly("[200001]");
    assertThat(
            rows("SELECT n, twice FROM " + database.sql("versions") + " WHERE n BETWEEN 4 AND 7"))
        .containsExactly("[4,8]", "[5,0]", "[6,12]", "[7,14]", "[7,14]");
  }

  /** Each statement reads one snapshot during other commits. */
  @Test
  void readsWhileOthersCommit() throws Exception {
    database.worker.commit(numbers("busy", 0, 200_000));
    ExecutorService committing = Executors.newSingleThreadExecutor();
    try {
      long last = 0;
      for (int i = 0; i < 5; i++) {
        Future<?> commits = committing.submit(SparkReadTest::commitPairs);
        Row row =
            ((Row[])
                    database
                        .spark
                        .sql("SELECT count(*), sum(n), sum(twice) FROM " + database.sql("busy"))
                        .collect())
                [0];
        assertThat(row.getLong(0)).isGreaterThanOrEqualTo(last);
        assertThat(row.getLong(0) % 2).isZero();
        assertThat(row.getLong(1)).isEqualTo(19_999_900_000L);
        assertThat(row.getLong(2)).isEqualTo(39_999_800_000L);
        last = row.getLong(0);
        assertThat(commits.get()).isNull();
      }
      assertThat(last).isGreaterThan(200_000);
    } finally {
      committing.shutdown();
    }
  }

  private static @Nullable Void commitPairs() throws Exception {
    for (int i = 0; i < 4; i++) {
      Transaction transaction = database.worker.begin();
      transaction.insert("busy", Map.of("n", 1L, "twice", 2L));
      transaction.insert("busy", Map.of("n", -1L, "twice", -2L));
      database.worker.commit(transaction);
    }
    return null;
  }

  @Test
  void tellsRowsAndBytesOfTheColumnsThatAreAskedFor() throws Exception {
    database.worker.commit(numbers("sizes", 0, 200_000));
    String plan =
        database
            .spark
            .sql("SELECT n FROM " + database.sql("sizes"))
            .queryExecution()
            .explainString(org.apache.spark.sql.execution.ExplainMode.fromString("cost"));
    assertThat(plan).contains("sizeInBytes=1562.5 KiB, rowCount=2.00E+5");
    assertThat(plan).contains("columns [n]");
  }

  /** A planned snapshot shares the mark of the search, so that it is always marked. */
  @Test
  void aPlannedSnapshotIsMarkedThoughNoMoreMarksCanBeMade() throws Exception {
    AtomicInteger marks = new AtomicInteger();
    ObjectStore objects =
        new ForwardingStore(database.objects) {
          @Override
          public void put(String key, ByteBuffer content) throws IOException {
            if (key.startsWith("loading/") && marks.incrementAndGet() > 1) {
              throw new ObjectStoreException(name(), key, "503");
            }
            super.put(key, content);
          }

          @Override
          public void close() {}
        };
    try (DrayageStore store = new DrayageStore(objects)) {
      Set<String> before = marks();
      PlannedSnapshot.OfStore snapshots = new PlannedSnapshot.OfStore(store);

      PlannedSnapshot planned = snapshots.of(database.newest());

      try {
        assertThat(marksMadeSince(before)).isNotEmpty();
      } finally {
        Reference.reachabilityFence(planned);
      }
    }
  }

  @Test
  void plannedSnapshotsOfAStoreHaveOneMark() throws Exception {
    try (DrayageStore store = new DrayageStore(ObjectStores.open(database.objects.name()))) {
      PlannedSnapshot.OfStore snapshots = new PlannedSnapshot.OfStore(store);
      Set<String> before = marks();
      List<PlannedSnapshot> planned = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        database.worker.commit(numbers("planned" + i, 0, 10));
        planned.add(snapshots.of(database.newest()));
        assertThat(snapshots.of(database.newest())).isSameAs(planned.get(i));
      }
      try {
        assertThat(marksMadeSince(before)).hasSize(1);
      } finally {
        Reference.reachabilityFence(planned);
      }
    }
  }

  private static Set<String> marks() throws IOException {
    return database.objects.list("loading/").stream()
        .map(StoredObject::key)
        .collect(Collectors.toSet());
  }

  /** Returns the marks that were not there before. The marks of other tests may go meanwhile. */
  private static Set<String> marksMadeSince(Set<String> before) throws IOException {
    Set<String> marks = marks();
    marks.removeAll(before);
    return marks;
  }
}
