package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.Workload;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commit protocol over every transport and in both pipelines. */
@Timeout(60)
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
      TransactorNode second = cluster.transactorHere("t2", system);
      commitAll(
          cluster,
          system,
          3,
          5,
          () -> {
            while (cluster.history.size() < 7) {
              TimeUnit.MILLISECONDS.sleep(1);
            }
            first.close();
            return null;
          });

      assertThat(second.isPrimary()).isTrue();
      assertThat(cluster.history.size()).isEqualTo(15);
      cluster.history.check(cluster.objects);
    }
  }

  /** More than one host may have shipments under way. */
  @Test
  void nobodyStarvesAmongManyWorkersOfOneHost() throws Exception {
    try (RealCluster cluster = new RealCluster(folder)) {
      cluster.transactorHere("t1");
      commitAll(cluster, "netty:raw+none@1", Workload.WORKERS, 3, () -> null);

      assertThat(cluster.history.size()).isEqualTo(3 * Workload.WORKERS);
      cluster.history.check(cluster.objects);
    }
  }

  private interface Disturbance {
    Void disturb() throws Exception;
  }

  private static void commitAll(
      RealCluster cluster, String system, int workers, int commits, Disturbance meanwhile)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> committing = new ArrayList<>();
      for (int w = 0; w < workers; w++) {
        int number = w;
        Worker worker = cluster.worker("w" + w, system);
        committing.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < commits; i++) {
                    cluster.commit(worker, number);
                  }
                  return null;
                }));
      }
      Void unused = meanwhile.disturb();
      for (Future<?> each : committing) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
