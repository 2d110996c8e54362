package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.Waiting;
import io.drayage.transactor.micrometer.CommitTimers;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.worker.Worker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class TransactorMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir private Path folder;

  private double gauge(String name, String node) {
    return registry.get(name).tag("node", node).gauge().value();
  }

  @Test
  void showAPrimaryAndItsStandby() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode primary = cluster.transactor("t1");
      TransactorNode standby = cluster.transactor("t2");
      TransactorMeters.bind(registry, primary, "node", "t1");
      TransactorMeters.bind(registry, standby, "node", "t2");
      Worker worker = cluster.worker("w1");
      worker.commit(Workload.next(worker.snapshot(), 1, 1));
      Waiting.await(() -> standby.snapshot().timestamp() == worker.snapshot().timestamp());
      Waiting.await(() -> primary.status().pendingCommits() == 0);

      assertThat(gauge("drayage.primary", "t1")).isEqualTo(1);
      assertThat(gauge("drayage.primary", "t2")).isZero();
      assertThat(gauge("drayage.epoch", "t1")).isPositive();
      assertThat(gauge("drayage.snapshot.loaded", "t2")).isEqualTo(worker.snapshot().timestamp());
      assertThat(gauge("drayage.follower.lag", "t2")).isZero();
      assertThat(gauge("drayage.commits.pending", "t1")).isZero();
      assertThat(gauge("drayage.database.memory", "t1")).isPositive();
      assertThat(gauge("drayage.receiving.memory.limit", "t1"))
          .isEqualTo(TestCluster.LIMITS.maxReceivingBytes());
      assertThat(primary.shipments()).isEmpty();
    }
  }

  @Test
  void everyNameIsDocumented() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode node = cluster.transactor("t1");
      TransactorMeters.bind(registry, node);
      CommitTimers unused = new CommitTimers(registry);
      String documented = Files.readString(Path.of("..", "docs", "metrics.md"));

      assertThat(registry.getMeters())
          .filteredOn(meter -> !meter.getId().getName().endsWith(".histogram")) // Its buckets.
          .hasSizeGreaterThan(15)
          .allSatisfy(
              meter -> {
                assertThat(documented).contains("`" + meter.getId().getName() + "`");
                assertThat(meter.getId().getDescription()).isNotBlank();
              });
      assertThat(registry.get("drayage.commit").tag("step", "log").timer().count()).isZero();
      assertThat(registry.get("drayage.commit").timer().baseTimeUnit()).isEqualTo(TimeUnit.SECONDS);
    }
  }
}
