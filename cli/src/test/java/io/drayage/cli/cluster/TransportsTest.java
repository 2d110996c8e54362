package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.transactor.SideBySide;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.Workload;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commit protocol over every transport and in both pipelines. */
@Timeout(180)
@Tag("nightly")
class TransportsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grpc:java+none",
        "grpc:kryo+lz4",
        "grpc-tuned:raw+none@2",
        "netty:java+none",
        "netty:raw+zstd:1@2",
        "netty:columnar+none@2"
      })
  void commitAndFailOver(String system) throws Exception {
    try (RealCluster cluster = new RealCluster(folder)) {
      TransactorNode first = cluster.transactorHere("t1", system);
      TransactorNode unused = cluster.transactorHere("t2", system);
      SideBySide workers =
          SideBySide.start(
              3,
              number -> {
                Worker worker = cluster.worker("w" + number, system);
                for (int i = 0; i < 5; i++) {
                  cluster.commit(worker, number);
                }
              });
      cluster.history.awaitSize(7);
      first.close();
      workers.await();

      // Only the second one can have committed the rest. On a slow machine, the first one's session
      // may have ended.
      assertThat(first.isPrimary()).isFalse();
      assertThat(cluster.history.size()).isEqualTo(15);
      cluster.history.check(cluster.objects);
    }
  }

  /** There are more workers than shipments that one host may have at the same time. */
  @Test
  void nobodyStarvesAmongManyWorkersOfOneHost() throws Exception {
    try (RealCluster cluster = new RealCluster(folder)) {
      cluster.transactorHere("t1");
      SideBySide.start(Workload.WORKERS, number -> cluster.commit(number, 3)).await();

      assertThat(cluster.history.size()).isEqualTo(3 * Workload.WORKERS);
      cluster.history.check(cluster.objects);
    }
  }
}
