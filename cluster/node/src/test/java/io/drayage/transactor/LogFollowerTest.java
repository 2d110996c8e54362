package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.database.LogPosition;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.LogFollower;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.testing.Waiting;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LogFollowerTest {
  @TempDir Path folder;

  /** Otherwise a primary's replica could advance along the log of the next one. */
  @Test
  void nothingAdvancesOnceItIsPaused() throws Exception {
    FaultyStore store = new FaultyStore(ObjectStores.open("fs:" + folder));
    try (TestCluster cluster = new TestCluster(store)) {
      cluster.transactor("t1");
      Replica replica = Replica.open(store, 1, 1 << 20, 0, ReceiverLimits.DATA_ONLY);
      Worker worker = cluster.worker("w1");
      long published = worker.commit(Workload.nextLarge(worker.snapshot(), 1, 1)).timestamp();
      LogPosition position = new SnapshotCatalog(store).entry(published).position();
      CountDownLatch reading = new CountDownLatch(1);
      CountDownLatch mayRead = new CountDownLatch(1);
      store.beforeReads(
          () -> {
            reading.countDown();
            mayRead.await();
          });
      try (replica;
          LogFollower follower = new LogFollower(replica, "a test", "follow")) {
        follower.publish(position);
        reading.await();
        Waiting.Running<Long> pausing =
            Waiting.start(
                () -> {
                  follower.pause();
                  return replica.snapshot().timestamp();
                });
        Waiting.awaitParked(pausing.thread());
        mayRead.countDown();

        assertThat(pausing.get()).isEqualTo(published);
      }
    }
  }
}
