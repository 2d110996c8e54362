package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.StoredObject;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.MemoryLimit;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes on while transactions of several workers are cleaned up. */
@Timeout(120)
class TransactionCleaningTest {
  private static final long PAGE_BYTES = (long) ColumnValues.DEFAULT_ROWS_PER_PAGE * Long.BYTES;
  private static final int FULL_SNAPSHOT_EVERY = 2;

  /** Of no fragment. */
  private static final long LAST_ROW = ColumnValues.DEFAULT_ROWS_PER_PAGE - 1;

  @TempDir Path folder;

  /** The records of fragments that were read. */
  private final Set<String> recordsRead = ConcurrentHashMap.newKeySet();

  /** The keys that are not deleted, or prefix that is not listed, until it goes on. */
  private volatile String slow = "none";

  private final CountDownLatch deleting = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger standing = new AtomicInteger();
  private TestCluster cluster;
  private TransactorNode primary;

  private final class SlowStore extends ForwardingStore {
    SlowStore() throws IOException {
      super(ObjectStores.open("fs:" + folder));
    }

    @Override
    public void delete(String key) throws IOException {
      standStill(key);
      super.delete(key);
    }

    private void standStill(String key) throws IOException {
      if (key.startsWith(slow)) {
        standing.incrementAndGet();
        deleting.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new ObjectStoreException(name(), key, "interrupted", e);
        }
      }
    }

    @Override
    public List<StoredObject> list(String prefix) throws IOException {
      if (prefix.equals("loading/")) {
        standStill(prefix);
      }
      return super.list(prefix);
    }

    @Override
    public long size(String key) throws IOException {
      if (key.startsWith("fragments/")) {
        recordsRead.add(key);
      }
      return super.size(key);
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(new SlowStore());
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
                // Room for the page, and for three that it was before.
                .memory(new MemoryLimit(2 * PAGE_BYTES, 5 * PAGE_BYTES))
                .historyBytes(1 << 24)
                .fullSnapshotEvery(FULL_SNAPSHOT_EVERY)
                .build());
    Waiting.await(primary::isPrimary);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    cluster.close();
  }

  private static ChangeCargo update(DistributedTransaction transaction, long row) {
    return ChangeCargo.builder(UUID.randomUUID(), transaction.base())
        .table(
            "cells",
            changes ->
                changes.update(
                    "value",
                    ColumnValues.of(new long[][] {{row}}),
                    ColumnValues.of(new long[][] {{7}})))
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

  private List<StoredObject> list(String prefix) {
    try {
      return cluster.objects.list(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isClean() {
    return list("open/").isEmpty() && list("fragments/").isEmpty();
  }

  private long newestFull() {
    try {
      List<Long> all = new SnapshotCatalog(cluster.objects).fullTimestamps();
      return all.get(all.size() - 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    slow = "fragments/";
    commit(3);
    deleting.await();
    long before = primary.snapshot().timestamp();

    updateOften(worker);

    Waiting.await(() -> newestFull() > before + FULL_SNAPSHOT_EVERY);
    assertThat(isClean()).as("it stands still").isFalse();
    goOn.countDown();
    Waiting.await(this::isClean);
  }

  @Test
  void fullSnapshotsAndUpdatesDoNotWaitForTheDeletionOfWhatTheyReplace() throws Exception {
    Worker worker = cluster.worker("w1");
    slow = "loading/"; // Looked at before anything is deleted.

    updateOften(worker);

    deleting.await();
    goOn.countDown();
  }

  @Test
  void someAreDeletedAtOnceAndNoneIsReadBefore() throws Exception {
    slow = "fragments/";
    commit(30);
    deleting.await();

    Waiting.await(() -> standing.get() == 8);
    assertThat(list("fragments/")).hasSize(30);
    goOn.countDown();
    Waiting.await(this::isClean);
    assertThat(recordsRead).isEmpty();
  }
}
