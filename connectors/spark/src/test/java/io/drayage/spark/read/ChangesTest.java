package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.LogPosition;
import io.drayage.replica.TableLog;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.spark.database.DrayageStore;
import io.drayage.store.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the changes of random commits with a plain model of the table. */
@Tag("ci")
@Timeout(300)
final class ChangesTest {
  private static final int COMMITS = 16;

  private static final StructType ALL =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("text", DataTypes.StringType)
          .add("n", DataTypes.IntegerType)
          .add("_row", DataTypes.LongType, false)
          .add("_change_type", DataTypes.StringType, false)
          .add("_commit_version", DataTypes.LongType, false);

  @TempDir private static Path folder;
  @AutoClose private static ReadDatabase database;

  @BeforeAll
  static void open() throws Exception {
    database = new ReadDatabase(folder, 5);
    // Keeps the whole log, which ends with the store.
    LoadingMarks.Marked unused = DrayageStore.of(database.options()).markAfter(0);
  }

  /** One change of a row, as a reader sees it. */
  private record Seen(
      long version,
      String type,
      long row,
      @Nullable Object id,
      @Nullable Object text,
      @Nullable Object n) {
    Seen only(Collection<String> columns) {
      return new Seen(
          columns.contains("_commit_version") ? version : 0,
          columns.contains("_change_type") ? type : "",
          columns.contains("_row") ? row : 0,
          columns.contains("id") ? id : null,
          columns.contains("text") ? text : null,
          columns.contains("n") ? n : null);
    }
  }

  /** A table that random commits change, with its rows in each snapshot. */
  private static final class Model {
    final String table;
    final SplittableRandom random;
    final TreeMap<Long, TreeMap<Long, Map<String, @Nullable Object>>> states = new TreeMap<>();
    final TreeMap<Long, List<Seen>> changes = new TreeMap<>();
    TreeMap<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();

    Model(String table, long seed) throws Exception {
      this.table = table;
      this.random = new SplittableRandom(seed);
      states.put(database.worker.snapshot().timestamp(), new TreeMap<>());
      Transaction first = database.worker.begin();
      first.createTable(
          TableSchema.of(
              table,
              new ColumnSchema("id", ColumnType.LONG, false),
              new ColumnSchema("text", ColumnType.STRING, true),
              new ColumnSchema("n", ColumnType.INT, true)));
      first.createTable(TableSchema.of("beside " + table, ColumnSchema.of("id", ColumnType.LONG)));
      commit(first, insert(first, 1 + random.nextInt(20)));
      for (int i = 1; i < COMMITS; i++) {
        change();
      }
    }

    private @Nullable Object value(String column) {
      boolean isNull = random.nextInt(4) == 0;
      return switch (column) {
        case "id" -> random.nextLong(1_000);
        case "text" -> isNull ? null : "t" + "x".repeat(random.nextInt(5)) + random.nextInt(100);
        default -> isNull ? null : random.nextInt(100);
      };
    }

    /** Inserts rows of which the transaction keeps all. */
    private List<Seen> insert(Transaction transaction, int count) {
      List<Seen> seen = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Map<String, @Nullable Object> row = new HashMap<>();
        for (String column : List.of("id", "text", "n")) {
          row.put(column, value(column));
        }
        long number = transaction.insert(table, row);
        rows.put(number, row);
        seen.add(seen("insert", number, row));
      }
      return seen;
    }

    private static Seen seen(String type, long number, Map<String, @Nullable Object> row) {
      return new Seen(0, type, number, row.get("id"), row.get("text"), row.get("n"));
    }

    private void change() throws Exception {
      Transaction transaction = database.worker.begin();
      List<Seen> seen = new ArrayList<>();
      int kind = random.nextInt(6);
      if (kind == 0) {
        long unused = transaction.insert("beside " + table, Map.of("id", 1L));
      }
      if (kind > 1) {
        List<Long> live = new ArrayList<>(rows.keySet());
        TreeMap<Long, Map<String, @Nullable Object>> before = new TreeMap<>(rows);
        for (int i = random.nextInt(6); i > 0 && !live.isEmpty(); i--) {
          long number = live.get(random.nextInt(live.size()));
          Map<String, @Nullable Object> row = rows.get(number);
          if (row == null) {
            continue;
          }
          if (random.nextInt(3) > 0) {
            String column = List.of("id", "text", "n").get(random.nextInt(3));
            Object value = value(column);
            transaction.update(table, column, number, value);
            Map<String, @Nullable Object> updated = new HashMap<>(row);
            updated.put(column, value);
            rows.put(number, updated);
          } else {
            transaction.delete(table, number);
            rows.remove(number);
          }
        }
        before.forEach(
            (number, row) -> {
              Map<String, @Nullable Object> now = rows.get(number);
              if (now == null) {
                seen.add(seen("delete", number, row));
              } else if (now != row) {
                seen.add(seen("update_preimage", number, row));
                seen.add(seen("update_postimage", number, now));
              }
            });
      }
      if (kind == 1 || kind > 3) {
        seen.addAll(insert(transaction, random.nextInt(4)));
      }
      commit(transaction, seen);
    }

    private void commit(Transaction transaction, List<Seen> seen) throws Exception {
      database.worker.commit(transaction);
      long version = database.worker.snapshot().timestamp();
      states.put(version, new TreeMap<>(rows));
      changes.put(
          version,
          seen.stream()
              .map(each -> new Seen(version, each.type, each.row, each.id, each.text, each.n))
              .toList());
    }

    List<Seen> expected(long after, long to, boolean updates, Collection<String> columns) {
      return changes.subMap(after, false, to, true).values().stream()
          .flatMap(List::stream)
          .map(each -> updates ? each : asDeleteAndInsert(each))
          .map(each -> each.only(columns))
          .toList();
    }

    private static Seen asDeleteAndInsert(Seen seen) {
      String type =
          seen.type.equals("update_preimage")
              ? "delete"
              : seen.type.equals("update_postimage") ? "insert" : seen.type;
      return new Seen(seen.version, type, seen.row, seen.id, seen.text, seen.n);
    }

    /** Applies changes to the rows of a snapshot, in the order of their snapshots. */
    void requireReplay(long after, long to, List<Seen> seen) {
      TreeMap<Long, Map<String, @Nullable Object>> replayed =
          new TreeMap<>(Objects.requireNonNull(states.floorEntry(after)).getValue());
      for (Seen each :
          seen.stream().sorted((a, b) -> Long.compare(a.version, b.version)).toList()) {
        if (each.type.equals("delete") || each.type.equals("update_preimage")) {
          assertThat(seen(each.type, each.row, Objects.requireNonNull(replayed.remove(each.row))))
              .isEqualTo(new Seen(0, each.type, each.row, each.id, each.text, each.n));
        } else {
          Map<String, @Nullable Object> row = new HashMap<>();
          row.put("id", each.id);
          row.put("text", each.text);
          row.put("n", each.n);
          assertThat(replayed.put(each.row, row)).isNull();
        }
      }
      assertThat(replayed).isEqualTo(Objects.requireNonNull(states.floorEntry(to)).getValue());
    }
  }

  private static LogPosition position(long version) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(database.objects);
    return new LogPosition(
        catalog.database().orElseThrow(), version, catalog.checksum(version).orElseThrow());
  }

  /** Reads changes as tasks do, each change in a task of its own or all in one. */
  private static List<Seen> read(
      String table, long after, long to, boolean updates, StructType columns, boolean apart)
      throws Exception {
    List<String> stored =
        Arrays.stream(columns.fieldNames()).filter(each -> !each.startsWith("_")).toList();
    ChangesReaderFactory factory =
        new ChangesReaderFactory(
            database.options(),
            table,
            0,
            "_row",
            columns,
            stored.isEmpty() ? List.of("n") : stored,
            updates ? ChangesReaderFactory.Rows.UPDATED : ChangesReaderFactory.Rows.CHANGED);
    List<Seen> seen = new ArrayList<>();
    try (TableLog log = DrayageStore.of(database.options()).log(table, position(after))) {
      List<TableLog.Change> changes = log.advance(position(to));
      List<LogPart> parts =
          apart
              ? changes.stream().map(each -> new LogPart(List.of(each))).toList()
              : LogPart.cut(changes, 2);
      for (LogPart part : parts) {
        try (PartitionReader<ColumnarBatch> reader = factory.createColumnarReader(part)) {
          while (reader.next()) {
            reader.get().rowIterator().forEachRemaining(row -> seen.add(seen(row, columns)));
          }
        }
      }
    }
    return seen;
  }

  private static Seen seen(InternalRow row, StructType columns) {
    Map<String, Object> values = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      StructField field = columns.apply(i);
      if (!row.isNullAt(i)) {
        Object value = row.get(i, field.dataType());
        values.put(field.name(), value instanceof Number ? value : value.toString());
      }
    }
    return new Seen(
        (long) values.getOrDefault("_commit_version", 0L),
        (String) values.getOrDefault("_change_type", ""),
        (long) values.getOrDefault("_row", 0L),
        values.get("id"),
        values.get("text"),
        values.get("n"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void changesBetweenAnyTwoSnapshotsAreThoseOfTheModel(long seed) throws Exception {
    Model model = new Model("seed" + seed, seed);
    List<Long> versions = List.copyOf(model.states.keySet());
    SplittableRandom random = new SplittableRandom(seed);
    for (long after : versions) {
      for (long to : versions.subList(versions.indexOf(after) + 1, versions.size())) {
        boolean apart = random.nextInt(3) == 0;
        String range = "seed %s, after %s, to %s".formatted(seed, after, to);
        List<Seen> all = read(model.table, after, to, true, ALL, apart);
        assertThat(all)
            .as(range)
            .containsExactlyInAnyOrderElementsOf(
                model.expected(after, to, true, List.of(ALL.fieldNames())));
        model.requireReplay(after, to, all);
        StructType some = new StructType();
        for (StructField field : ALL.fields()) {
          some = random.nextBoolean() ? some.add(field) : some;
        }
        assertThat(read(model.table, after, to, false, some, apart))
            .as("%s, columns %s", range, some)
            .containsExactlyInAnyOrderElementsOf(
                model.expected(after, to, false, List.of(some.fieldNames())));
      }
    }
  }

  private static List<String> rows(String sql) {
    return Arrays.stream((Row[]) database.spark.sql(sql).collect())
        .map(Row::toString)
        .sorted()
        .toList();
  }

  private static long version(String sql) throws Exception {
    List<String> unused = rows(sql);
    return Objects.requireNonNull(new SnapshotCatalog(database.objects).newestEntry())
        .manifest()
        .timestamp();
  }

  @Test
  void statementsOfSparkAreSeenAsChanges() throws Exception {
    String t = database.sql("stock");
    long made =
        version(
            "CREATE TABLE %s AS SELECT /*+ REPARTITION(3) */ id, DECIMAL(id) / 4 AS price, 'A' AS shelf FROM range(5)"
                .formatted(t));
    long updated = version("UPDATE %s SET shelf = 'B' WHERE id < 2".formatted(t));
    long deleted = version("DELETE FROM %s WHERE id = 2".formatted(t));
    long merged =
        version(
            "MERGE INTO %s s USING (SELECT * FROM VALUES (1, 'C'), (9, 'D') AS d(id, shelf)) d ON s.id = d.id WHEN MATCHED THEN UPDATE SET shelf = d.shelf WHEN NOT MATCHED THEN INSERT (id, price, shelf) VALUES (d.id, 1, d.shelf)"
                .formatted(t));
    String select =
        "SELECT _commit_version - %s AS v, _change_type, id, shelf FROM %s CHANGES "
            .formatted(made, t);
    assertThat(rows(select + "FROM VERSION %s WITH (computeUpdates = 'true')".formatted(updated)))
        .containsExactlyInAnyOrder(
            "[%s,delete,2,A]".formatted(deleted - made),
            "[%s,insert,9,D]".formatted(merged - made),
            "[%s,update_postimage,1,C]".formatted(merged - made),
            "[%s,update_preimage,1,B]".formatted(merged - made),
            "[1,update_postimage,0,B]",
            "[1,update_postimage,1,B]",
            "[1,update_preimage,0,A]",
            "[1,update_preimage,1,A]");
    assertThat(rows(select + "FROM VERSION %s TO VERSION %s".formatted(made, made)))
        .containsExactlyInAnyOrder(
            "[0,insert,0,A]",
            "[0,insert,1,A]",
            "[0,insert,2,A]",
            "[0,insert,3,A]",
            "[0,insert,4,A]");
    assertThat(rows(select + "FROM VERSION %s EXCLUSIVE TO VERSION %s".formatted(made, updated)))
        .containsExactlyInAnyOrder(
            "[1,delete,0,A]", "[1,delete,1,A]", "[1,insert,0,B]", "[1,insert,1,B]");
    assertThat(rows(select + "FROM VERSION %s EXCLUSIVE".formatted(merged))).isEmpty();
    assertThat(
            rows(
                select
                    + "FROM VERSION %s WITH (deduplicationMode = 'netChanges', computeUpdates = 'true')"
                        .formatted(updated)))
        .extracting(each -> each.substring(each.indexOf(',')))
        .containsExactlyInAnyOrder(
            ",delete,2,A]",
            ",insert,9,D]",
            ",update_postimage,0,B]",
            ",update_postimage,1,C]",
            ",update_preimage,0,A]",
            ",update_preimage,1,A]");
    assertThat(
            rows("SELECT count(*), min(price) FROM %s CHANGES FROM VERSION %s".formatted(t, made)))
        .containsExactlyInAnyOrder("[13,0.000000]");
    assertThat(
            rows(
                "SELECT count(*) FROM %s CHANGES FROM VERSION %s WHERE _commit_version BETWEEN %s AND %s"
                    .formatted(t, made, updated, deleted)))
        .containsExactlyInAnyOrder("[5]");
    assertThat(
            database
                .spark
                .sql(
                    "SELECT id FROM %s CHANGES FROM VERSION %s WHERE _commit_version <= %s"
                        .formatted(t, made, updated))
                .queryExecution()
                .executedPlan()
                .toString())
        .contains("up to snapshot %s, columns [id, _commit_version]".formatted(updated));
    assertThat(
            database
                .spark
                .read()
                .option("startingVersion", made)
                .option("endingVersion", merged)
                .option("endingBoundInclusive", false)
                .changes(t)
                .count())
        .isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FROM VERSION 0 | DRAYAGE_CHANGES_LOST | no longer has the changes from snapshot 0 to 0: the oldest that can be read are those of snapshot 1 SQLSTATE: 55000",
        "FROM VERSION 999999 | DRAYAGE_SNAPSHOT_NOT_FOUND | before 999999",
        "FROM VERSION 1 TO VERSION 999999 | DRAYAGE_SNAPSHOT_NOT_FOUND | does not hold snapshot 999999",
        "FROM VERSION 2 TO VERSION 1 | DRAYAGE_INVALID_RANGE | the changes end with 1, before they begin with 2 SQLSTATE: 22003",
        "FROM VERSION 'x' | DRAYAGE_SNAPSHOT_NOT_FOUND | a version is the number of a snapshot, not 'x'",
        "FROM TIMESTAMP '2026-01-01' | DRAYAGE_UNSUPPORTED | use FROM VERSION",
        "FROM VERSION 1 WITH (snapshot = 1) | DRAYAGE_INVALID_OPTION | there is no changes option 'snapshot'"
      })
  void refusesByName(String range, String condition, String why) throws Exception {
    String t = database.sql("refused");
    if (!database.spark.catalog().tableExists(t)) {
      long unused = version("CREATE TABLE " + t + " AS SELECT 1 AS a");
    }
    assertThatThrownBy(() -> rows("SELECT * FROM " + t + " CHANGES " + range))
        .hasMessageContainingAll(condition, why);
    assertThatThrownBy(() -> database.spark.read().changes(t).count())
        .hasMessageContainingAll("DRAYAGE_INVALID_RANGE", "FROM VERSION");
  }

  @Test
  void refusesATableWhoseColumnHasANameOfChanges() throws Exception {
    String t = database.sql("reserved");
    long version = version("CREATE TABLE " + t + " AS SELECT 1 AS _Commit_Version");
    assertThatThrownBy(() -> rows("SELECT * FROM %s CHANGES FROM VERSION %s".formatted(t, version)))
        .hasMessageContainingAll("DRAYAGE_UNSUPPORTED", "_commit_version");
  }

  /** Deletes what full snapshots have replaced, as a cleaner does. */
  @Test
  void tellsTheOldestChangesOfATrimmedLog(@TempDir Path other) throws Exception {
    try (ReadDatabase trimmed = new ReadDatabase(other, 3)) {
      String t = trimmed.sql("t");
      trimmed.spark.sql("CREATE TABLE " + t + " (id BIGINT)");
      SnapshotCatalog catalog = new SnapshotCatalog(trimmed.objects);
      while (catalog.fullTimestamps().size() < 3) {
        trimmed.spark.sql("INSERT INTO " + t + " VALUES (1)");
      }
      long oldest = catalog.fullTimestamps().get(1);
      for (SnapshotKeys.Place place : catalog.places()) {
        if (place.timestamp() < oldest || (place.timestamp() == oldest && place.logEntry())) {
          int unused = catalog.delete(catalog.read(place));
        }
      }
      assertThatThrownBy(
              () ->
                  trimmed.spark.sql("SELECT * FROM %s CHANGES FROM VERSION 2".formatted(t)).count())
          .hasMessageContainingAll(
              "[DRAYAGE_CHANGES_LOST] table t: the log of ",
              "no longer has the changes from snapshot 2 to %s: the oldest that can be read are those of snapshot %s"
                  .formatted(oldest, oldest + 1));
      assertThat(
              trimmed
                  .spark
                  .sql("SELECT * FROM %s CHANGES FROM VERSION %s".formatted(t, oldest + 1))
                  .count())
          .isEqualTo(catalog.newestTimestamp() - oldest);
    }
  }
}
