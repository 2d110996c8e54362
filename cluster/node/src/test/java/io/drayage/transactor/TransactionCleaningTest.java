package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.Columns;
import io.drayage.store.MemoryLimit;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Work during the cleaning of transactions of several workers. */
@Timeout(120)
class TransactionCleaningTest {
  private static final long PAGE_BYTES = (long) ColumnValues.DEFAULT_ROWS_PER_PAGE * Long.BYTES;
  private static final int FULL_SNAPSHOT_EVERY = 2;

  /** Changed by no fragment. */
  private static final long LAST_ROW = ColumnValues.DEFAULT_ROWS_PER_PAGE - 1;

  @TempDir Path folder;

  private FaultyStore store;
  private TestCluster cluster;
  private TransactorNode primary;

  @BeforeEach
  void start() throws Exception {
    store = new FaultyStore(ObjectStores.open("fs:" + folder));
    cluster = new TestCluster(store);
    primary =
        cluster.transactor(
            TransactorOptions.builder("t1", InetSocketAddress.createUnresolved("127.0.0.1", 0))
                .tables(
                    List.of(
                        new InitialTable(
                            TableSchema.of("cells", ColumnSchema.of("value", ColumnType.LONG)),
                            ColumnValues.DEFAULT_ROWS_PER_PAGE)))
                .limits(TestCluster.LIMITS)
                .codecThreads(2)
                // Room for the page, and for three of its earlier versions.
                .memory(new MemoryLimit(2 * PAGE_BYTES, 5 * PAGE_BYTES))
                .historyBytes(1 << 24)
                .fullSnapshotEvery(FULL_SNAPSHOT_EVERY)
                .build());
    Waiting.await(primary::isPrimary);
  }

  @AfterEach
  void close() {
    store.mend();
    cluster.close();
  }

  private static ChangeCargo update(DistributedTransaction transaction, long row) {
    ColumnValues value = ColumnValues.of(new long[][] {{7}});
    return ChangeCargo.builder(UUID.randomUUID(), transaction.base())
        .table("cells", changes -> changes.update("value", Columns.rows(row), value))
        .build();
  }

  private List<UUID> send(DistributedTransaction transaction, int fragments) throws Exception {
    List<UUID> sent = new ArrayList<>();
    try (FragmentSender sender = cluster.fragments(transaction.handle())) {
      for (int row = 0; row < fragments; row++) {
        sent.addAll(sender.send(update(transaction, row)));
      }
    }
    return sent;
  }

  private void commit(int fragments) throws Exception {
    try (DistributedTransaction transaction = cluster.begin("driver")) {
      var unused = transaction.commit(send(transaction, fragments));
    }
  }

  private boolean isClean() throws IOException {
    return cluster.objects.list("open/").isEmpty() && cluster.objects.list("fragments/").isEmpty();
  }

  private long newestFull() throws IOException {
    return new SnapshotCatalog(cluster.objects).newestFull().orElseThrow().timestamp();
  }

  private void updateOften(Worker worker) throws Exception {
    for (int i = 1; i <= 10; i++) {
      Transaction next = worker.begin();
      next.update("cells", "value", LAST_ROW, (long) i);
      worker.commit(next);
    }
  }

  @Test
  void fullSnapshotsAndUpdatesDoNotWaitForIt() throws Exception {
    Worker worker = cluster.worker("w1");
    store.stall("fragments/", FaultyStore.Call.DELETE);
    commit(3);
    Waiting.await(() -> store.stalled() > 0);
    long before = primary.snapshot().timestamp();

    updateOften(worker);

    Waiting.await(() -> newestFull() > before + FULL_SNAPSHOT_EVERY);
    assertThat(isClean()).as("it stands still").isFalse();
    store.mend();
    Waiting.await(this::isClean);
  }

  @Test
  void fullSnapshotsAndUpdatesDoNotWaitForTheDeletionOfWhatTheyReplace() throws Exception {
    Worker worker = cluster.worker("w1");
    store.stall("loading/", FaultyStore.Call.LIST); // Listed before anything is deleted.

    updateOften(worker);

    Waiting.await(() -> store.stalled() > 0);
    store.mend();
  }

  @Test
  void someAreDeletedAtOnceAndNoneIsReadBefore() throws Exception {
    store.stall("fragments/", FaultyStore.Call.DELETE);
    commit(30);
    Waiting.await(() -> store.stalled() == 8);
    assertThat(cluster.objects.list("fragments/")).hasSize(30);
    store.mend();
    Waiting.await(this::isClean);
    assertThat(store.read("fragments/")).isEmpty();
  }
}
