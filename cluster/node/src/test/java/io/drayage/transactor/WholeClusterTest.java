package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.S3Server;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster in one JVM: S3, ZooKeeper, transactors and workers. */
class WholeClusterTest {
  private static final int COMMITS = 15;

  @TempDir private Path folder;

  private final History history = new History();

  @Test
  @Tag("ci")
  @Timeout(300)
  void commitsThroughS3WhileZooKeeperIsRestarted() throws Exception {
    S3Server s3 = S3Server.start(folder.resolve("s3"));
    String store = "s3:%s/db?endpoint=%s".formatted(S3Server.BUCKET, s3.endpoint());
    EmbeddedZooKeeper zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
    int port = zookeeper.port();
    try (ObjectStore objects = ObjectStores.open(store);
        TestCluster cluster = new TestCluster(objects, () -> connect(port))) {
      cluster.transactor("t1");
      cluster.transactor("t2");
      SideBySide workers = SideBySide.start(2, number -> commitAll(cluster, number));
      history.awaitSize(COMMITS / 2);
      zookeeper.close();
      zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), port);
      workers.await();
      assertThat(history.size()).isEqualTo(2 * COMMITS);
      history.check(objects);
    } finally {
      zookeeper.close();
      s3.stop();
    }
  }

  private static Coordination connect(int port) throws IOException {
    return ZooKeeperCoordination.connect(
        ZooKeeperOptions.of("127.0.0.1:" + port)
            .withTimeouts(Duration.ofSeconds(4), Duration.ofSeconds(20)));
  }

  private void commitAll(TestCluster cluster, int number) throws Exception {
    Worker worker = cluster.worker("w" + number);
    worker.addListener(Workload::check);
    for (int i = 1; i <= COMMITS; i++) {
      history.commit(worker, number, i);
    }
  }
}
