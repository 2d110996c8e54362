package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.database.LogPosition;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.internal.Waits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.Waiting;
import io.drayage.transport.AskedTransport;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node that is deposed and elected again before it is notified of either. */
@Timeout(180)
class StepDownTest {
  @TempDir private Path folder;

  private final AtomicReference<CandidacyListener> listener = new AtomicReference<>();
  private final AskedTransport transport = new AskedTransport();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean tooEarly = new AtomicBoolean();

  @Test
  void theNextTermBeginsWhenTheOneBeforeHasEnded() throws Exception {
    try (ObjectStore objects = ObjectStores.open("fs:" + folder);
        Coordination coordination = coordination();
        TransactorNode node =
            TransactorNode.start(
                TestCluster.options("t1"),
                coordination,
                objects,
                transport,
                commit -> {},
                new DrayageMetrics())) {
      Term first = term(1);
      listener.get().elected(first);
      Waiting.await(node::isPrimary);
      ShipmentHandler unused =
          transport.ask(
              ShipmentHeaders.of(new UUID(1, 1), 1, Pipeline.SEGMENTS, 2, 1, "w1"), slowReplies());
      listener.get().deposed(first);
      ending.await();
      listener.get().elected(term(2));
      assertThat(node.status().isPrimary()).isFalse();
      mayEnd.countDown();
      Waiting.await(() -> node.epoch().equals(Optional.of(2L)));

      assertThat(tooEarly).as("the second term began too early").isFalse();
    }
  }

  /** Makes a coordination where the test decides who is elected. */
  private Coordination coordination() {
    return new InMemoryCoordination(new InMemoryCluster()) {
      @Override
      public Registration stand(NodeInfo node, CandidacyListener candidate) {
        listener.set(candidate);
        return () -> {};
      }
    };
  }

  private Term term(long number) {
    return new TestTerm(number) {
      @Override
      public void publish(LogPosition position) {
        if (number > 1 && !ended.get()) {
          tooEarly.set(true);
        }
      }
    };
  }

  /** Answers of a shipment that holds up the end of its term. */
  private ShipmentReplies slowReplies() {
    return new RecordingReplies(1) {
      @Override
      public void failed(ShipmentException cause) {
        ending.countDown();
        Waits.orInterrupted(mayEnd::await);
        ended.set(true);
      }
    };
  }
}
