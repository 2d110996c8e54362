package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.MemoryStore;
import io.drayage.testing.ChildJvm;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The work of a node before it reports that it is there. */
@Timeout(120)
class TransactorStartTest {
  private static final long DEADLINE_S = 60;
  private static final int PAGES = 1_000;
  private static final int PAGE_ROWS = 8_000;

  @TempDir private Path folder;

  @Test
  void itHasLoadedWhatIsPublished() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      long published = 0;
      for (int number = 1; number <= 3; number++) {
        published = worker.commit(Workload.next(worker.snapshot(), 1, number)).timestamp();
      }
      TransactorNode node = cluster.transactor("t2", cluster.deaf(new ArrayList<>()));
      assertThat(node.snapshot().timestamp()).isEqualTo(published);
    }
  }

  /** Opens the database of a folder. */
  static final class Opens {
    private Opens() {}

    /** Needs the store's name as its argument. */
    public static void main(String[] args) throws Exception {
      try (ObjectStore objects = ObjectStores.open(args[0])) {
        Replica.open(objects, 1, 1 << 20, 0, ReceiverLimits.DATA_ONLY).close();
      }
    }
  }

  @Test
  void aDatabaseLargerThanTheHeapIsRefusedByNameBeforeItIsLoaded() throws Exception {
    String store = "fs:" + folder.resolve("store");
    try (ObjectStore objects = ObjectStores.open(store);
        SnapshotMaintenance first = new SnapshotMaintenance(new SnapshotCatalog(objects))) {
      MemoryStore large = new MemoryStore();
      large.createTable(
          new TableSchema("t", List.of(new ColumnSchema("c", ColumnType.LONG, false))), 0);
      long unused =
          large.commit(
              ChangeCargo.builder(UUID.randomUUID(), 0)
                  .table("t", table -> table.insert("c", ColumnValues.of(longs())))
                  .build());
      first.makeDatabase(large.snapshot());
    }
    List<String> small = List.of("-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    assertThatThrownBy(() -> ChildJvm.run(folder, DEADLINE_S, small, Opens.class, store))
        .hasMessageContaining(
            "OutOfMemoryError: the database in fs:%s is too large for this node: "
                .formatted(folder.resolve("store")))
        .hasMessageContaining(" does not fit into the heap of this node, ")
        .hasMessageContaining(" bytes of memory, more than 7/8 of the heap; ")
        .hasMessageContaining("give it more by -Xmx");
    ChildJvm.run(folder, DEADLINE_S, List.of("-Xmx256m"), Opens.class, store);
  }

  private static long[][] longs() {
    long[][] pages = new long[PAGES][PAGE_ROWS];
    return pages;
  }
}
