package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectStores;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that cannot start releases everything, because its start may be retried for long. */
@Timeout(180)
class FailedStartTest {
  @TempDir private Path folder;

  @Test
  void aWorkerThatCannotJoinLeavesNoThread() throws Exception {
    assertLeavesNoThread(
        (cluster, lost) ->
            Worker.open(
                new WorkerOptions("w2"),
                lost,
                cluster.objects,
                address -> cluster.sender(address.getPort())));
  }

  @Test
  void aTransactorThatCannotJoinLeavesNoThread() throws Exception {
    assertLeavesNoThread((cluster, lost) -> cluster.transactor("t2", lost));
  }

  @Test
  void aTransactorThatCannotWriteTheStoreSaysWhyAndMakesNothing() throws Exception {
    FaultyStore readOnly = new FaultyStore(ObjectStores.open("fs:" + folder));
    readOnly.refuseWriters("Read-only file system");
    try (TestCluster cluster = new TestCluster(readOnly)) {
      assertThatExceptionOfType(ObjectStoreException.class)
          .isThrownBy(() -> cluster.transactor("t1"))
          .withMessage("fs:%s: it cannot be written: Read-only file system", folder);
      assertThat(readOnly.list("")).isEmpty();
    }
  }

  private interface Start {
    AutoCloseable start(TestCluster cluster, Coordination lost) throws IOException;
  }

  private void assertLeavesNoThread(Start start) throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.transactor("t1");
      cluster.worker("w1");
      Set<Thread> before = threads();
      try (Coordination lost = lost(cluster)) {
        assertThatExceptionOfType(CoordinationException.class)
            .isThrownBy(() -> start.start(cluster, lost));
      }
      awaitNoneBut(before);
    }
  }

  /** Makes a coordination that is lost when a node wants to join. */
  private static Coordination lost(TestCluster cluster) {
    return new InMemoryCoordination(cluster.cluster) {
      @Override
      public Membership join(NodeInfo node) throws CoordinationException {
        throw new CoordinationException("no answer");
      }
    };
  }

  /** The threads that follow the log. Each holds a copy of the database. */
  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("drayage-follow"));
    return threads;
  }

  private static void awaitNoneBut(Set<Thread> before) throws InterruptedException {
    Set<Thread> left = threads();
    left.removeAll(before);
    for (Thread thread : left) {
      thread.join(10_000);
    }
    left.removeIf(thread -> !thread.isAlive());
    assertThat(left).isEmpty();
  }
}
