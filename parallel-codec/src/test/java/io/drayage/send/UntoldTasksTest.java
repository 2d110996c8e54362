package io.drayage.send;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.transport.ForwardingShipment;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shipment fails while there is no memory to notify all of its encode tasks. */
@Timeout(180)
final class UntoldTasksTest {
  private static final int THREADS = 2;

  /** A cargo with a frame for each thread. */
  private static final ChangeCargo CARGO =
      CargoBytes.cargoOf(ColumnValues.of(new long[1][1 << 19]));

  private final AtomicInteger cancels = new AtomicInteger();

  /** A shipment that is never writable. One task fails it when all tasks wait. */
  private final class Stuck extends ForwardingShipment {
    private final Queue<Producer> waiting = new ConcurrentLinkedQueue<>();

    Stuck(Shipment shipment) {
      super(shipment);
    }

    @Override
    public int producerThreads() {
      return THREADS;
    }

    @Override
    public void whenIdle(Producer producer) {
      waiting.add(producer);
      if (waiting.size() == THREADS) {
        Producer first = waiting.remove();
        ShipmentException lost = new ShipmentException(Fault.INTERNAL, "planted");
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> first.onOver(lost));
      }
    }

    @Override
    public void cancel(ShipmentException cause) {
      if (cancels.incrementAndGet() == 1) {
        throw new OutOfMemoryError("planted");
      }
      waiting.forEach(producer -> producer.onOver(cause));
      super.cancel(cause);
    }
  }

  private final class StuckClient implements TransportClient {
    private final TransportClient client;

    StuckClient(TransportClient client) {
      this.client = client;
    }

    @Override
    public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
      return new Stuck(client.open(header));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Test
  void areToldAgain() throws Exception {
    try (Ends ends = new Ends(new LoopbackTransport(), TransportOptions.DEFAULT)) {
      ends.receive(cargo -> 1);
      CodecPool pool = ends.opened(new CodecPool(THREADS, "encode"));
      SegmentsSender sender = ends.opened(CargoBytes.sender(new StuckClient(ends.client()), pool));
      assertFault(Fault.INTERNAL, () -> sender.send(CARGO)).hasMessage("planted");
      assertThat(cancels).hasValueGreaterThan(1);
    }
  }
}
