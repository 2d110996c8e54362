package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The listening end of a {@link LoopbackTransport}. One timer, and a thread for each shipment. */
final class LoopbackServer implements TransportServer {
  private final InetSocketAddress address;
  private final ShipmentAcceptor acceptor;
  private final TransportOptions options;
  private final Runnable onClose;
  private final AtomicLong lastId = new AtomicLong();
  private final AtomicLong inFlightBytes = new AtomicLong();
  private final Set<LoopbackShipment> shipments = ConcurrentHashMap.newKeySet();
  private final Future<?> silenceChecks;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "loopback-timer"));

  LoopbackServer(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      Runnable onClose) {
    this.address = address;
    this.acceptor = acceptor;
    this.options = options;
    this.onClose = onClose;
    long periodNs = Math.max(1, options.idleTimeout().toNanos() / 4);
    this.silenceChecks =
        timer.scheduleWithFixedDelay(
            () -> shipments.forEach(LoopbackShipment::checkSilence),
            periodNs,
            periodNs,
            TimeUnit.NANOSECONDS);
  }

  Shipment open(ShipmentHeader header, Duration timeout)
      throws ShipmentException, InterruptedException {
    LoopbackShipment shipment =
        new LoopbackShipment(lastId.incrementAndGet(), options, inFlightBytes);
    shipments.add(shipment);
    shipment.start(header, acceptor, () -> shipments.remove(shipment));
    shipment.awaitAccepted(timeout);
    return shipment;
  }

  void abortAll(ShipmentException cause) {
    shipments.forEach(shipment -> shipment.abort(cause));
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    onClose.run();
    silenceChecks.cancel(false);
    timer.shutdown();
    abortAll(new ShipmentException(Fault.CANCELLED, "the server was closed"));
  }
}
