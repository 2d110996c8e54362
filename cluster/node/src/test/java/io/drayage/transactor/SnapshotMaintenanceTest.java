package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.testing.Waiting;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
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
