package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
  private final Map<Long, LoopbackSession> sessions = new ConcurrentHashMap<>();
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
    LoopbackSession session = new LoopbackSession(shipment.id(), options, this, shipment);
    sessions.put(shipment.id(), session);
    shipments.add(shipment);
    shipment.start(
        () -> session.withHandler(acceptor.accept(header, session)),
        () -> shipments.remove(shipment));
    shipment.awaitAccepted(timeout);
    return shipment;
  }

  ResumedShipment resume(ResumeTicket ticket, Duration timeout)
      throws ShipmentException, InterruptedException {
    LoopbackSession session = sessions.get(ticket.shipmentId());
    if (session == null) {
      throw new ShipmentException(
          Fault.EXPIRED, "shipment %,d is unknown or expired".formatted(ticket.shipmentId()));
    }
    BitSet received = session.settle();
    LoopbackShipment shipment = new LoopbackShipment(ticket.shipmentId(), options, inFlightBytes);
    shipments.add(shipment);
    session.connect(shipment);
    shipment.start(() -> session, () -> shipments.remove(shipment));
    shipment.awaitAccepted(timeout);
    return new ResumedShipment(shipment, received);
  }

  void later(Duration delay, Runnable task) {
    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
        .execute(task);
  }

  void forget(long shipmentId) {
    sessions.remove(shipmentId);
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
    ShipmentException cause = new ShipmentException(Fault.CANCELLED, "the server was closed");
    abortAll(cause);
    sessions.values().forEach(session -> session.abandon(cause));
  }
}
