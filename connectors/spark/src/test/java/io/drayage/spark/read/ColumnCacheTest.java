package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.spark.database.DrayageStore;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
@Timeout(180)
final class ColumnCacheTest {
  private static final int ROWS = 1_200_000;
  private static final List<String> COLUMNS = List.of("a", "b", "c", "d");

  @TempDir private static Path folder;
  @AutoClose private static ReadDatabase database;

  /** Bytes of each read of data. */
  private final Queue<Integer> reads = new ConcurrentLinkedQueue<>();

  private final ColumnCache cache = cache(Long.MAX_VALUE);

  @BeforeAll
  static void open() throws Exception {
    database = new ReadDatabase(folder, 2);
    Transaction transaction = database.worker.begin();
    SplittableRandom random = new SplittableRandom(1);
    Map<String, ColumnValues> values = new HashMap<>();
    List<ColumnSchema> schemas = new ArrayList<>();
    for (String column : COLUMNS) {
      values.put(column, ColumnValues.of(new long[][] {random.longs(ROWS).toArray()}));
      schemas.add(ColumnSchema.of(column, ColumnType.LONG));
    }
    transaction.createTable(new TableSchema("t", schemas));
    long unused = transaction.insertRows("t", values);
    database.worker.commit(transaction);
    long committed = database.worker.snapshot().timestamp();
    update("d", 0);
    update("d", 1);
    SnapshotCatalog catalog = new SnapshotCatalog(database.objects);
    while (catalog.fullTimestamps().stream().noneMatch(full -> full >= committed)) {
      update("d", 2);
    }
  }

  private static long update(String column, long row) throws Exception {
    Transaction transaction = database.worker.begin();
    transaction.update("t", column, row, 7L);
    database.worker.commit(transaction);
    return database.worker.snapshot().timestamp();
  }

  private ColumnCache cache(long maxBytes) {
    return new ColumnCache(
        new DrayageStore(
            new ForwardingStore(database.objects) {
              @Override
              public void read(String key, long offset, ByteBuffer target) throws IOException {
                if (key.startsWith("data/")) {
                  reads.add(target.remaining());
                }
                super.read(key, offset, target);
              }
            }),
        maxBytes);
  }

  private static void assertSame(StoredTable read, String column) {
    StoredColumn expected = database.worker.snapshot().table("t").column(column);
    for (long row = 0; row < ROWS; row += 9_973) {
      assertThat(read.get(column, row)).isEqualTo(expected.get(row));
    }
    assertThat(read.get(column, 0)).isEqualTo(expected.get(0));
    assertThat(read.rowCount()).isEqualTo(ROWS);
  }

  @Test
  void columnsThatAreNotAskedForAreNotRead() throws Exception {
    LogPosition now = database.newest();
    assertSame(cache.get("t", List.of("b"), now), "b");
    long column = ROWS * (long) Long.BYTES;
    assertThat(reads.stream().mapToLong(Integer::longValue).sum())
        .isBetween(column, column * COLUMNS.size() * 3 / 4);
  }

  @Test
  void tasksThatAskAtOnceShareOneLoad() throws Exception {
    LogPosition now = database.newest();
    ExecutorService tasks = Executors.newFixedThreadPool(6);
    try {
      Callable<StoredTable> task = () -> cache.get("t", List.of("c", "a"), now);
      List<StoredColumn> columns = new ArrayList<>();
      for (Future<StoredTable> read :
          tasks.invokeAll(List.of(task, task, task, task, task, task))) {
        columns.add(read.get().column("c"));
      }
      StoredColumn one = columns.get(0);
      assertThat(columns).allSatisfy(each -> assertThat(each).isSameAs(one));
    } finally {
      tasks.shutdown();
    }
    int once = reads.size();
    assertSame(cache.get("t", List.of("a"), now), "a");
    assertThat(reads).hasSize(once);
  }

  @Test
  void aLaterSnapshotReadsTheLogSince() throws Exception {
    LogPosition before = database.newest();
    StoredTable earlier = cache.get("t", List.of("a", "b"), before);
    reads.clear();
    Transaction transaction = database.worker.begin();
    transaction.update("t", "b", ROWS - 1, 8L);
    transaction.delete("t", 70_000);
    database.worker.commit(transaction);
    LogPosition after = database.newest();
    StoredTable later = cache.get("t", List.of("a", "b"), after);
    assertThat(later.column("a").slice(0).page()).isSameAs(earlier.column("a").slice(0).page());
    assertThat(later.column("b").slice(0).page()).isSameAs(earlier.column("b").slice(0).page());
    assertThat(later.get("b", ROWS - 1)).isEqualTo(8L);
    assertThat(earlier.get("b", ROWS - 1)).isNotEqualTo(8L);
    assertThat(later.isDeleted(70_000)).isTrue();
    assertThat(earlier.isDeleted(70_000)).isFalse();
    // Not even one of two columns was read: the full snapshot's list of tables has a block.
    assertThat(reads.stream().mapToLong(Integer::longValue).sum())
        .isLessThan(ROWS * (long) Long.BYTES);
  }

  @Test
  void keepsTheColumnsThatWereUsedLastUpToItsBytes() throws Exception {
    LogPosition now = database.newest();
    long limit = ROWS * 2L * Long.BYTES + 100_000;
    ColumnCache small = cache(limit);
    for (String column : List.of("a", "b", "a", "c", "d", "a")) {
      assertSame(small.get("t", List.of(column), now), column);
      assertThat(small.keptBytes()).isLessThanOrEqualTo(limit);
    }
    assertThat(small.keptBytes()).isGreaterThan(limit / 3);
    assertSame(small.get("t", COLUMNS, now), "d");
    assertThat(small.keptBytes()).isLessThanOrEqualTo(limit);
  }

  /** Columns may be advanced or loaded meanwhile. */
  @Test
  void whatNobodyReadsIsForgotten() throws Exception {
    ColumnCache small = cache(1);
    int most = 0;
    for (int row = 0; row < 8; row++) {
      update("d", row);
      assertThat(small.get("t", List.of("d"), database.newest()).get("d", row)).isEqualTo(7L);
      System.gc();
      most = Math.max(most, small.knownColumns());
    }
    assertThat(most).isLessThanOrEqualTo(3);
  }

  @Test
  void keepsFewSnapshotsOfAColumnHoweverMuchRoomThereIs() throws Exception {
    for (int row = 0; row < 12; row++) {
      update("d", row);
      assertThat(cache.get("t", List.of("d"), database.newest()).get("d", row)).isEqualTo(7L);
    }
    System.gc();
    update("d", 0);
    assertThat(cache.get("t", List.of("d"), database.newest()).get("d", 0)).isEqualTo(7L);
    assertThat(cache.knownColumns()).isBetween(8, 9);
  }

  @Test
  void aSnapshotOfTheSameNumberInAnotherHistoryIsAnother() throws Exception {
    LogPosition now = database.newest();
    assertSame(cache.get("t", List.of("a"), now), "a");
    for (LogPosition other :
        List.of(
            new LogPosition(now.database(), now.timestamp(), now.checksum() + 1),
            new LogPosition(new UUID(1, 2), now.timestamp(), now.checksum()))) {
      assertThatThrownBy(() -> cache.get("t", List.of("a"), other))
          .isInstanceOf(ForeignDatabaseException.class)
          .hasMessageContainingAll(now.toString(), other.toString());
    }
  }
}
