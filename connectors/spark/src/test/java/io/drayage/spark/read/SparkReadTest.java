package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session of Spark reads what a worker of ours has committed. */
@Tag("ci")
@Timeout(180)
final class SparkReadTest {
  private static final List<String> COLUMNS =
      List.of(
          "bo", "by", "sh", "i", "l", "f", "d", "s", "day", "moment", "local", "price", "narrow");

  @TempDir private static Path folder;
  private static ReadDatabase database;

  @BeforeAll
  static void open() throws Exception {
    database = new ReadDatabase(folder, 1_000);
    Transaction types = database.worker.begin();
    ReadDatabase.createTypes(types);
    types.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.nullable("bo", ColumnType.BOOLEAN),
            ColumnSchema.nullable("by", ColumnType.BYTE),
            ColumnSchema.nullable("sh", ColumnType.SHORT),
            ColumnSchema.nullable("i", ColumnType.INT),
            ColumnSchema.nullable("l", ColumnType.LONG),
            ColumnSchema.nullable("f", ColumnType.FLOAT),
            ColumnSchema.nullable("d", ColumnType.DOUBLE),
            ColumnSchema.nullable("s", ColumnType.STRING),
            ColumnSchema.nullable("day", ColumnType.INT),
            ColumnSchema.nullable("moment", ColumnType.LONG),
            ColumnSchema.nullable("local", ColumnType.LONG),
            ColumnSchema.nullable("price", ColumnType.LONG),
            ColumnSchema.of("narrow", ColumnType.LONG)));
    ReadDatabase.keep(types, "t", "day", "DATE");
    ReadDatabase.keep(types, "t", "moment", "TIMESTAMP WITH TIME ZONE");
    ReadDatabase.keep(types, "t", "local", "TIMESTAMP");
    ReadDatabase.keep(types, "t", "price", "DECIMAL(18,3)");
    ReadDatabase.keep(types, "t", "narrow", "DECIMAL(4,1)");
    insert(
        types,
        true,
        (byte) -128,
        Short.MIN_VALUE,
        Integer.MIN_VALUE,
        Long.MIN_VALUE,
        Float.NaN,
        Double.NaN,
        "",
        -719_162,
        -62_135_596_800_000_000L,
        0L,
        -999_999_999_999_999_999L,
        0L);
    insert(
        types,
        false,
        (byte) 127,
        Short.MAX_VALUE,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        -0.0f,
        Double.MIN_VALUE,
        "a\u0000é\uD83D\uDE00",
        19_000,
        1_710_054_000_123_456L,
        1_710_036_000_654_321L,
        999_999_999_999_999_999L,
        -9_999L);
    insert(types, null, null, null, null, null, null, null, null, null, null, null, null, 9_999L);
    database.worker.commit(types);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static void insert(Transaction into, @Nullable Object... values) {
    Map<String, @Nullable Object> row = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      row.put(COLUMNS.get(i), values[i]);
    }
    long unused = into.insert("t", row);
  }

  private static List<String> rows(String sql) {
    return Arrays.stream((Row[]) database.spark.sql(sql).collect())
        .map(Row::toString)
        .sorted()
        .toList();
  }

  @Test
  void valuesOfAllTypesAreThoseThatWereCommitted() {
    Row[] rows =
        (Row[])
            database.spark.sql("SELECT * FROM " + database.sql("t") + " ORDER BY narrow").collect();
    assertThat(rows).hasSize(3);
    assertThat(rows[0].get(7)).isEqualTo("a\u0000é\uD83D\uDE00");
    assertThat(rows[0].get(0)).isEqualTo(false);
    assertThat(rows[0].get(4)).isEqualTo(Long.MAX_VALUE);
    assertThat(Float.floatToRawIntBits(rows[0].getFloat(5)))
        .isEqualTo(Float.floatToRawIntBits(-0.0f));
    assertThat(rows[0].get(6)).isEqualTo(Double.MIN_VALUE);
    assertThat(rows[0].get(8)).isEqualTo(Date.valueOf("2022-01-08"));
    assertThat(((Timestamp) rows[0].get(9)).toInstant()).isEqualTo("2024-03-10T07:00:00.123456Z");
    assertThat(rows[0].get(10)).isEqualTo(LocalDateTime.parse("2024-03-10T02:00:00.654321"));
    assertThat(rows[0].get(11)).isEqualTo(new BigDecimal("999999999999999.999"));
    assertThat(rows[0].get(12)).isEqualTo(new BigDecimal("-999.9"));
    assertThat(rows[1].get(1)).isEqualTo((byte) -128);
    assertThat(rows[1].get(2)).isEqualTo(Short.MIN_VALUE);
    assertThat(rows[1].get(3)).isEqualTo(Integer.MIN_VALUE);
    assertThat(rows[1].getFloat(5)).isNaN();
    assertThat(rows[1].getDouble(6)).isNaN();
    assertThat(rows[1].get(7)).isEqualTo("");
    assertThat(rows[1].get(11)).isEqualTo(new BigDecimal("-999999999999999.999"));
    for (int column = 0; column < 12; column++) {
      assertThat(rows[2].get(column)).as(COLUMNS.get(column)).isNull();
    }
  }

  /** An hour of that night is missing in New York: only the moment depends on the session. */
  @Test
  void theSessionsTimeZoneChangesMomentsAlone() {
    String sql =
        "SELECT CAST(moment AS STRING), CAST(local AS STRING), CAST(day AS STRING) FROM "
            + database.sql("t")
            + " WHERE bo = false";
    String before = database.spark.conf().get("spark.sql.session.timeZone");
    try {
      database.spark.conf().set("spark.sql.session.timeZone", "America/New_York");
      assertThat(rows(sql))
          .containsExactly("[2024-03-10 03:00:00.123456,2024-03-10 02:00:00.654321,2022-01-08]");
      database.spark.conf().set("spark.sql.session.timeZone", "UTC");
      assertThat(rows(sql))
          .containsExactly("[2024-03-10 07:00:00.123456,2024-03-10 02:00:00.654321,2022-01-08]");
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

  @Test
  void refusesASnapshotThatTheStoreDoesNotHold() {
    assertThatThrownBy(() -> sums("t", "VERSION AS OF 1000000"))
        .hasMessageContaining("does not hold snapshot 1000000, only up to ");
  }

  /** Each statement sees one snapshot, whatever is committed meanwhile. */
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

  /** Its mark is that with which it was looked for: there is no moment without one. */
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
      List<StoredObject> before = objects.list("loading/");
      PlannedSnapshot.OfStore snapshots = new PlannedSnapshot.OfStore(store);

      PlannedSnapshot planned = snapshots.of(database.newest());

      try {
        assertThat(objects.list("loading/")).hasSizeGreaterThan(before.size());
      } finally {
        Reference.reachabilityFence(planned);
      }
    }
  }

  @Test
  void plannedSnapshotsOfAStoreHaveOneMark() throws Exception {
    try (DrayageStore store = new DrayageStore(open(database.objects))) {
      PlannedSnapshot.OfStore snapshots = new PlannedSnapshot.OfStore(store);
      int before = database.objects.list("loading/").size();
      List<PlannedSnapshot> planned = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        database.worker.commit(numbers("planned" + i, 0, 10));
        planned.add(snapshots.of(database.newest()));
        assertThat(snapshots.of(database.newest())).isSameAs(planned.get(i));
      }
      try {
        assertThat(database.objects.list("loading/")).hasSize(before + 1);
      } finally {
        Reference.reachabilityFence(planned);
      }
    }
  }

  private static ObjectStore open(ObjectStore objects) throws IOException {
    return ObjectStores.open(objects.name());
  }
}
