package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.coordination.InMemoryCoordination;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.snapshot.SnapshotException;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import io.drayage.testing.Waiting;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.ChangeKind;
import io.drayage.worker.ChangedTable;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.RowChange;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ChangeFeedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;
  @AutoClose private TestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = new TestCluster(folder);
  }

  /** A second database: rows by table and number. */
  private final Map<String, Map<Long, Map<String, @Nullable Object>>> copy = new HashMap<>();

  private ChangeFeed open(long position) throws IOException {
    return ChangeFeed.openAfter(
        new WorkerOptions("feed"),
        new InMemoryCoordination(cluster.cluster),
        cluster.objects,
        position);
  }

  private void apply(CommittedChange change) {
    for (ChangedTable table : change.tables()) {
      Map<Long, Map<String, @Nullable Object>> rows = copy.get(table.schema().name());
      table.forEachRow(
          row -> {
            switch (row.kind()) {
              case INSERT -> assertThat(rows.put(row.row(), row.values())).isNull();
              case UPDATE -> {
                assertThat(rows.get(row.row())).containsAllEntriesOf(row.before());
                rows.get(row.row()).putAll(row.values());
              }
              case DELETE -> assertThat(rows.remove(row.row())).isEqualTo(row.before());
            }
          });
    }
  }

  private void load(StoreSnapshot snapshot) {
    copy.putAll(contents(snapshot));
  }

  private static Map<String, Map<Long, Map<String, @Nullable Object>>> contents(
      StoreSnapshot snapshot) {
    Map<String, Map<Long, Map<String, @Nullable Object>>> tables = new HashMap<>();
    for (StoredTable table : snapshot.tables()) {
      Map<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();
      for (long row = 0; row < table.rowCount(); row++) {
        if (!table.isDeleted(row)) {
          Map<String, @Nullable Object> values = new HashMap<>();
          long at = row;
          table.columns().forEach(column -> values.put(column.schema().name(), column.get(at)));
          rows.put(row, values);
        }
      }
      tables.put(table.schema().name(), rows);
    }
    return tables;
  }

  private static CommittedChange next(ChangeFeed feed) throws Exception {
    CommittedChange change = feed.next(PATIENCE);
    assertThat(change).isNotNull();
    return change;
  }

  @Test
  void aCopyThatIsStoppedAndGoesOnEqualsTheSource() throws Exception {
    cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    try (ChangeFeed feed = open(0)) {
      load(feed.snapshot());
    }
    long position = 0;
    List<Long> seen = new ArrayList<>();
    List<Long> committed = new ArrayList<>();
    for (int turn = 0; turn < 4; turn++) {
      for (int i = 1; i <= 3; i++) {
        Transaction transaction = Workload.next(worker.snapshot(), 1, turn * 3 + i);
        if (i == 2 && turn > 0) {
          transaction.delete("events", turn);
        }
        committed.add(worker.commit(transaction).timestamp());
      }
      try (ChangeFeed feed = open(position)) {
        for (int i = 0; i < 3; i++) {
          CommittedChange change = next(feed);
          apply(change);
          position = change.snapshot();
          seen.add(position);
        }
        assertThat(feed.next(Duration.ofMillis(1))).isNull();
      }
    }
    assertThat(seen).isEqualTo(committed);
    assertThat(copy).isEqualTo(contents(worker.snapshot()));
  }

  /** Two transactions on one snapshot, where the second one overwrites. */
  @Test
  void aChangeIsWhatACommitDidAndNotWhatItsCargoSays() throws Exception {
    cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    StoreSnapshot base = worker.snapshot();
    Transaction first = Transaction.on(base);
    first.delete("left", 3);
    first.insert("events", Map.of("worker", 1, "number", 1));
    Transaction second = Transaction.on(base);
    second.update("left", "number", 3, 7);
    second.update("left", "number", 4, 8);
    second.update("left", "number", 5, 9);
    second.delete("left", 3);
    second.delete("left", 5);
    second.insert("events", Map.of("worker", 2, "number", 1, "note", "x"));
    worker.commit(first);
    worker.commit(second, new CommitOptions(Acknowledgement.STORED, OnConflict.OVERWRITE));

    List<RowChange> rows = new ArrayList<>();
    try (ChangeFeed feed = open(base.timestamp())) {
      CommittedChange unused = next(feed);
      CommittedChange change = next(feed);
      assertThat(change.transactionId()).isEqualTo(second.id());
      change.tables().forEach(table -> table.forEachRow(rows::add));
    }

    assertThat(rows.stream().map(row -> row.kind() + " " + row.row() + " " + row.values()))
        .containsExactly(
            "UPDATE 4 {number=8}", "DELETE 5 {}", "INSERT 1 {worker=2, number=1, note=x}");
    assertThat(rows)
        .filteredOn(row -> row.kind() == ChangeKind.DELETE)
        .first()
        .satisfies(row -> assertThat(row.before()).isEqualTo(Map.of("number", 0)));
  }

  @Test
  void anOpenFeedKeepsTheLogAndAClosedOneIsToldWhatIsGone() throws Exception {
    cluster.transactor(TestCluster.options("t1", TestCluster.LIMITS, 2, TestCluster.PATIENCE));
    SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
    SnapshotCleaner cleaner = new SnapshotCleaner(catalog, System::nanoTime);
    Worker worker = cluster.worker("w1");
    List<Long> committed = new ArrayList<>();
    try (ChangeFeed feed = open(0)) {
      load(feed.snapshot());
      for (int i = 1; catalog.fullTimestamps().size() < 4; i++) {
        committed.add(worker.commit(Workload.next(worker.snapshot(), 1, i)).timestamp());
      }
      int unused = cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of());
      for (long timestamp : committed) {
        CommittedChange change = next(feed);
        assertThat(change.snapshot()).isEqualTo(timestamp);
        apply(change);
      }
      assertThat(copy).isEqualTo(contents(worker.snapshot()));
    }
    Waiting.await(() -> prunedBeyond(catalog, cleaner));

    assertFails(
        () -> open(1),
        SnapshotException.class,
        "the log no longer has snapshot 2, the next after 1: it is part of a full snapshot");
    try (ChangeFeed feed =
        ChangeFeed.openNewest(
            new WorkerOptions("feed"),
            new InMemoryCoordination(cluster.cluster),
            cluster.objects)) {
      assertThat(contents(feed.snapshot())).isEqualTo(contents(worker.snapshot()));
    }
  }

  private static boolean prunedBeyond(SnapshotCatalog catalog, SnapshotCleaner cleaner)
      throws IOException {
    int unused = cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of());
    return catalog.fullTimestamps().get(0) > 1;
  }

  @Test
  void aPositionThatIsNotPublishedIsRefused() throws Exception {
    cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    long newest = worker.commit(Workload.next(worker.snapshot(), 1, 1)).timestamp();

    assertThatThrownBy(() -> open(newest + 5))
        .hasMessage(
            format(
                "no feed can begin after snapshot %d: snapshots 0 to %d are published",
                newest + 5, newest));
    assertThatThrownBy(() -> open(-1)).hasMessageContaining("after snapshot -1");
  }

  @Test
  void aTakeoverMovesThePositionAndAClosedFeedSaysSo() throws Exception {
    TransactorNode first = cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    ChangeFeed feed = open(worker.snapshot().timestamp());
    cluster.transactor("t2");
    first.close();
    long timestamp = worker.commit(Workload.next(worker.snapshot(), 1, 1)).timestamp();

    assertThat(next(feed).snapshot()).isEqualTo(timestamp);
    assertThat(feed.position()).isEqualTo(timestamp);
    feed.close();
    assertFails(
        () -> feed.next(Duration.ZERO),
        IllegalStateException.class,
        "closed, at snapshot " + timestamp);
  }
}
