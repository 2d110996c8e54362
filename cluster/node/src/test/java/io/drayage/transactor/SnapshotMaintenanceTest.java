package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotMaintenanceTest {
  private static final UUID DATABASE = new UUID(1, 1);

  @TempDir private Path folder;

  /** The writer was paused while the next primary wrote two newer ones, and pruned. */
  @Test
  void aFullSnapshotThatComesAfterTwoNewerOnesIsDeleted() throws Exception {
    MemoryStore store = new MemoryStore();
    store.createTables(Workload.tables());
    StoreSnapshot old = store.snapshot();
    try (ObjectStore objects = ObjectStores.open("fs:" + folder);
        SnapshotMaintenance late = new SnapshotMaintenance(new SnapshotCatalog(objects))) {
      SnapshotCatalog catalog = new SnapshotCatalog(objects);
      SnapshotEntry pruned = full(catalog, old);
      for (int number = 1; number <= 2; number++) {
        long unused = store.commit(Workload.next(store.snapshot(), 1, number).toCargo());
        SnapshotEntry unusedEntry = full(catalog, store.snapshot());
      }
      assertThat(catalog.delete(List.of(pruned))).isPositive();
      int stored = objects.list("").size();

      late.writeLater(old, pruned, null, 1, () -> KnownTransactions.NONE);
      Waiting.await(() -> late.neededSince() == Long.MAX_VALUE);

      assertThat(catalog.fullTimestamps()).hasSize(2).doesNotContain(old.timestamp());
      assertThat(objects.list("")).hasSize(stored);
    }
  }

  @Test
  void theNextFullSnapshotWaitsForTimeOrForAsManyBytesOfCommits() throws Exception {
    AtomicLong clockNs = new AtomicLong();
    ObjectStore slow =
        new ForwardingStore(ObjectStores.open("fs:" + folder)) {
          @Override
          public ObjectUpload begin(String key) throws IOException {
            clockNs.addAndGet(1_000);
            return super.begin(key);
          }
        };
    MemoryStore store = new MemoryStore();
    store.createTables(Workload.tables());
    SnapshotCatalog catalog = new SnapshotCatalog(slow);
    try (slow;
        SnapshotMaintenance maintenance = new SnapshotMaintenance(catalog, clockNs::get)) {
      assertThat(isWritten(maintenance, store, catalog)).isTrue();
      long tookNs = clockNs.get();
      assertThat(isWritten(maintenance, store, catalog)).isFalse();
      clockNs.addAndGet(9 * tookNs - 1);
      assertThat(isWritten(maintenance, store, catalog)).isFalse();
      clockNs.addAndGet(1);
      assertThat(isWritten(maintenance, store, catalog)).isTrue();

      assertThat(isWritten(maintenance, store, catalog)).isFalse();
      maintenance.logged(catalog.full(catalog.fullTimestamps().get(1))); // As many bytes as it has.
      assertThat(isWritten(maintenance, store, catalog)).isTrue();
    }
  }

  /** Whether the full snapshot after a further commit is written. */
  private static boolean isWritten(
      SnapshotMaintenance maintenance, MemoryStore store, SnapshotCatalog catalog)
      throws Exception {
    long timestamp = store.commit(Workload.next(store.snapshot(), 1, 1).toCargo());
    int before = catalog.fullTimestamps().size();
    SnapshotManifest entry =
        new SnapshotManifest(
            new SnapshotKind.Takeover(DATABASE), DATABASE, timestamp, 1, 0, Instant.EPOCH);
    maintenance.writeLater(
        store.snapshot(), new SnapshotEntry(entry, 0), null, 1, () -> KnownTransactions.NONE);
    Waiting.await(() -> maintenance.neededSince() == Long.MAX_VALUE);
    return catalog.fullTimestamps().size() > before;
  }

  private static SnapshotEntry full(SnapshotCatalog catalog, StoreSnapshot snapshot)
      throws Exception {
    return new FullSnapshotWriter(
            catalog, Serializers.ofName("columnar"), Compressors.ofName("zstd"))
        .write(
            FullContents.toCargo(snapshot),
            new LogPosition(DATABASE, snapshot.timestamp(), 0),
            null,
            1,
            KnownTransactions.NONE);
  }
}
