package io.drayage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import io.drayage.coordination.TestCandidate;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.testing.Waiting;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PrimarySenderTest {
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final CountDownLatch connecting = new CountDownLatch(1);
  private final CountDownLatch mayConnect = new CountDownLatch(1);
  private final AtomicInteger closed = new AtomicInteger();

  /** The sender resolves the address of a host, and reads files. */
  @Test
  void learnsOfANewPrimaryWhileItConnects() throws Exception {
    try (InMemoryCoordination coordination = new InMemoryCoordination(cluster)) {
      PrimarySender sender = new PrimarySender(coordination, this::connect);
      TestCandidate first = new TestCandidate();
      Registration candidacy = coordination.stand(new NodeInfo("t1", "127.0.0.1:1"), first);
      first.awaitElected();
      Waiting.Running<Object> sending =
          Waiting.start(
              () ->
                  sender.send(ChangeCargo.builder(new UUID(1, 1), 0).build(), SendOptions.DEFAULT));
      connecting.await();

      coordination.stand(new NodeInfo("t2", "127.0.0.1:2"), new TestCandidate());
      candidacy.close();
      assertThat(sender.awaitOther(60_000)).isTrue();

      sender.close();
      mayConnect.countDown();
      assertThat(failure(sending)).extracting(ShipmentException::fault).isEqualTo(Fault.REFUSED);
      assertThat(closed).as("what was connected in vain").hasValue(1);
    }
  }

  private static ShipmentException failure(Waiting.Running<Object> sending) throws Exception {
    try {
      throw new AssertionError(sending.get());
    } catch (ExecutionException e) {
      return (ShipmentException) e.getCause();
    }
  }

  private CargoSender connect(InetSocketAddress address) {
    connecting.countDown();
    Waits.orInterrupted(mayConnect::await);
    return new CargoSender() {
      @Override
      public SendReport send(ChangeCargo cargo, SendOptions options) {
        throw new UnsupportedOperationException("nobody is there");
      }

      @Override
      public DrayageMetrics metrics() {
        return new DrayageMetrics();
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
  }
}
