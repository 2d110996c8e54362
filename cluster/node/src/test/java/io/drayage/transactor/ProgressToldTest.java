package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.NodeProgress;
import io.drayage.store.MemoryLimit;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of nodes to the cluster. */
class ProgressToldTest {
  private static final long LIMIT = 1 << 20;

  @TempDir private Path folder;

  @Test
  void nodesTellHowFarAndHowFullTheyAre() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.primary(
          TestCluster.options("t1").toBuilder().memory(new MemoryLimit(LIMIT, LIMIT)).build());
      Coordination coordination = cluster.coordination();
      Worker worker = cluster.worker("w1");
      long snapshot = worker.commit(insert(worker)).timestamp();

      await(coordination, "w1", told -> told.loaded() == snapshot);
      await(coordination, "t1", told -> told.loaded() == snapshot);
      NodeProgress told = coordination.progress("t1").orElseThrow();
      assertThat(told.databaseBytes()).isPositive().isLessThan(LIMIT);
      assertThat(told.maxDatabaseBytes()).isEqualTo(LIMIT);
      assertThat(told.fragmentBytes()).isZero();
      assertThat(told.store()).isEqualTo(cluster.objects.name());
      assertThat(coordination.progress("w1").orElseThrow().store())
          .isEqualTo(cluster.objects.name());

      try (DistributedTransaction open = cluster.begin("driver");
          FragmentSender sender = cluster.fragments(open.handle())) {
        sender.send(insert(worker).toCargo());
        await(coordination, "t1", now -> now.fragmentBytes() > 0);
      }
      await(coordination, "t1", now -> now.fragmentBytes() == 0);
    }
  }

  private static Transaction insert(Worker worker) {
    Transaction transaction = worker.begin();
    transaction.insert("events", Map.of("worker", 1, "number", 1, "note", "one"));
    return transaction;
  }

  private static void await(
      Coordination coordination, String node, Predicate<NodeProgress> wanted) {
    Waiting.await(() -> coordination.progress(node).filter(wanted).isPresent());
  }
}
