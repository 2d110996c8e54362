package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.Lag;
import io.drayage.testing.Waiting;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A primary hands over to a chosen node. */
@Timeout(120)
class HandOverTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  @TempDir private Path folder;

  private final List<String> steps = new CopyOnWriteArrayList<>();
  private final List<String> waits = new CopyOnWriteArrayList<>();

  /** The delayed notifications of a node. */
  private final List<Consumer<PublishedSnapshot>> late = new CopyOnWriteArrayList<>();

  private StepDown stepDown(Coordination operator, Duration patience) {
    return new StepDown(operator, patience, steps::add, waits::add);
  }

  @Test
  void theOneThatIsNamedTakesOverAndNobodyElse() throws Exception {
    try (TestCluster cluster = new TestCluster(folder);
        Coordination operator = new InMemoryCoordination(cluster.cluster)) {
      TransactorNode first = cluster.transactor("t1");
      cluster.transactor("t2");
      TransactorNode third = cluster.transactor("t3");
      StepDown stepDown = stepDown(operator, TestCluster.PATIENCE);
      PrimaryInfo primary = stepDown.primary();
      assertThat(first.isPrimary()).isTrue();
      assertThat(primary).isEqualTo(new PrimaryInfo(first.node(), 1));
      assertThatThrownBy(() -> stepDown.handOver(primary, "t9"))
          .isInstanceOf(IOException.class)
          .hasMessage("t9 is not in the cluster: t1 stays primary");
      assertThat(first.isPrimary()).isTrue();

      assertThat(stepDown.handOver(primary, "t3")).isEqualTo(new PrimaryInfo(third.node(), 2));

      assertThat(third.isPrimary()).isTrue();
      assertThat(operator.published())
          .hasValueSatisfying(published -> assertThat(published.epoch()).isEqualTo(2));
      assertThat(steps).containsExactly("t1 hands over: t3 is elected, epoch 2");
      assertThat(waits).isEmpty();
    }
  }

  @Test
  void whoIsBehindIsWaitedForAndThePrimaryStays() throws Exception {
    try (TestCluster cluster = new TestCluster(folder);
        Coordination operator = new InMemoryCoordination(cluster.cluster)) {
      TransactorNode first = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      TransactorNode behind = cluster.transactor("t2", cluster.deaf(late));
      assertThat(behind.status().behind()).as("before it has heard anything").isNull();
      for (int number = 1; number <= 2; number++) {
        worker.commit(Workload.next(worker.snapshot(), 1, number));
      }
      long published = worker.snapshot().timestamp();
      PrimaryInfo primary = stepDown(operator, TestCluster.PATIENCE).primary();
      assertThatThrownBy(() -> stepDown(operator, SHORT).handOver(primary, "t2"))
          .isInstanceOf(IOException.class)
          .hasMessage(
              format(
                      "t1 stays primary: t2 has loaded snapshot 1 of %d, and it did not catch up",
                      published)
                  + " within 0 s");
      assertThat(waits.get(0))
          .isEqualTo(
              format("t2 has loaded snapshot 1 of %d: waiting until it has caught up", published));
      assertThat(first.isPrimary()).isTrue();
      assertThat(steps).isEmpty();
      waits.clear();

      // The command sees it up to date: it falls behind only when the primary is asked.
      Optional<NodeProgress> loaded = Optional.of(new NodeProgress(published, 0));
      AtomicBoolean isAsked = new AtomicBoolean();
      List<String> asking = new CopyOnWriteArrayList<>();
      try (Coordination early =
          new InMemoryCoordination(cluster.cluster) {
            @Override
            public Optional<NodeProgress> progress(String node) {
              return isAsked.get() ? super.progress(node) : loaded;
            }

            @Override
            public void requestHandOver(long epoch, String to) {
              isAsked.set(true);
              asking.add(to);
              super.requestHandOver(epoch, to);
            }
          }) {
        Consumer<String> catchesUp =
            line -> {
              waits.add(line);
              assertThat(first.isPrimary()).isTrue();
              if (waits.size() == 1) {
                late.get(0).accept(published(operator));
                Waiting.await(() -> Lag.NONE.equals(behind.status().behind()));
              }
            };
        StepDown patient = new StepDown(early, TestCluster.PATIENCE, steps::add, catchesUp);
        assertThat(patient.handOver(primary, "t2").node()).isEqualTo(behind.node());
      }
      assertThat(waits)
          .startsWith(
              format("t1 does not hand over to t2 yet: t2 has loaded snapshot 1 of %d", published));
      assertThat(asking).containsExactly("t2", "t2");
      assertThat(behind.isPrimary()).isTrue();
      Waiting.await(() -> !first.isPrimary());
    }
  }

  private static PublishedSnapshot published(Coordination operator) {
    try {
      return operator.published().orElseThrow();
    } catch (CoordinationException e) {
      throw new AssertionError(e);
    }
  }
}
