package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A standby that is not notified until the log that it needs is deleted, and begins anew. */
class OutrunStandbyTest {
  @TempDir private Path folder;

  @Test
  void answersInMaintenanceWhatWasCommittedBeforeItBeganAnew() throws Exception {
    List<Consumer<PublishedSnapshot>> heard = new CopyOnWriteArrayList<>();
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode first =
          cluster.transactor(
              TestCluster.options("t1", TestCluster.LIMITS, 3, TestCluster.PATIENCE));
      Coordination deaf = cluster.deaf(heard);
      TransactorNode standby = cluster.transactor("t2", deaf);
      Worker worker = cluster.worker("w1");
      long timestamp = 0;
      Transaction committed = null;
      while (timestamp < 4) {
        committed = Workload.next(worker.snapshot(), 1, (int) timestamp + 1);
        timestamp = worker.commit(committed).timestamp();
      }
      deleteUpToFull(cluster, 3);
      heard.get(0).accept(cluster.cluster.published());
      Waiting.await(() -> standby.snapshot().timestamp() >= 4);

      first.close();
      Waiting.await(standby::isPrimary);
      deaf.maintain(true, "the store moves");
      Waiting.await(() -> standby.status().maintenance().isOn());

      assertThat(worker.commit(committed).timestamp()).isEqualTo(timestamp);
    }
  }

  /** Deletes as a primary does, which waits longer, and may do some of it in parallel. */
  private static void deleteUpToFull(TestCluster cluster, long full) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
    while (!catalog.fullTimestamps().contains(full)) {
      Thread.onSpinWait();
    }
    cluster.objects.delete(format("snapshots/%020d.full", 0));
    for (long timestamp = 1; timestamp <= full; timestamp++) {
      cluster.objects.delete(format("snapshots/%020d.commit", timestamp));
    }
  }
}
