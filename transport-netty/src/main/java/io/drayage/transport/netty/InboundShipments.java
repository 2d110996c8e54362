package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.memory.ByteBudget;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The shipments of one server: those under way, the suspended ones included, and how the last ones
 * ended. Thread-safe: called by all event loops.
 */
final class InboundShipments {
  private final ShipmentAcceptor acceptor;
  private final TransportOptions options;
  private final ByteBudget budget;
  private final Peers peers;
  private final EndedShipments ended;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, ServerShipment> underWay = new ConcurrentHashMap<>();

  /** Starts anywhere, so that a frame of an earlier server is not taken for one of ours. */
  private final AtomicLong lastId = new AtomicLong(random.nextInt() & 0xFFFFFFFFL);

  /** Guards nothing but the wait for the last shipment. */
  private final Object oneLess = new Object();

  private volatile boolean draining;

  InboundShipments(ShipmentAcceptor acceptor, TransportOptions options, Peers peers) {
    this.acceptor = acceptor;
    this.options = options;
    this.peers = peers;
    this.budget = new ByteBudget(options.serverBudgetBytes());
    this.ended = new EndedShipments(options.resumeWindow());
  }

  /**
   * Takes a new shipment. On the event loop of its first connection, which becomes its home.
   *
   * @param wanted how many connections the worker would like to use
   * @throws ShipmentException if it is refused
   */
  ServerShipment open(ShipmentHeader header, int wanted, ServerConnection first)
      throws ShipmentException {
    if (draining) {
      throw new ShipmentException(Fault.BUSY, "the transactor is shutting down");
    }
    Room room = new Room(options, budget, peers, first.peer());
    ServerShipment shipment =
        new ServerShipment(
            this,
            lastId.incrementAndGet(),
            new Owner(Token.random(random), first.provenWorker()),
            first.eventLoop(),
            room,
            options);
    underWay.put(shipment.shipmentId(), shipment);
    try {
      shipment.reserve();
      shipment.handleWith(acceptor.accept(header, shipment));
    } catch (ShipmentException | RuntimeException | Error e) {
      shipment.discard();
      throw ShipmentException.of(e);
    }
    int connections = shipment.isResumable() ? room.makeFor(wanted) : 1;
    shipment.begin(first, room.shareBytes(connections), connections);
    return shipment;
  }

  /** The shipment under way with this number. */
  @Nullable ServerShipment find(long shipmentId) {
    return underWay.get(shipmentId);
  }

  /** How the shipment with this number ended, if that is still known. */
  EndedShipments.@Nullable Ended findEnded(long shipmentId) {
    return ended.find(shipmentId);
  }

  /** Forgets a shipment that is over. */
  void remove(ServerShipment shipment) {
    underWay.remove(shipment.shipmentId());
    synchronized (oneLess) {
      oneLess.notifyAll();
    }
  }

  /** Keeps the end of a shipment, before it is {@link #remove removed}. */
  void keepEnd(long shipmentId, EndedShipments.Ended end) {
    ended.keep(shipmentId, end);
  }

  boolean isDraining() {
    return draining;
  }

  /** Takes no more shipments, and waits until those under way are over, but no longer than this. */
  void drain(Duration timeout) {
    draining = true;
    underWay.values().forEach(ServerShipment::endIfSuspended);
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    synchronized (oneLess) {
      long leftMs = timeout.toMillis();
      try {
        while (!underWay.isEmpty() && leftMs > 0) {
          oneLess.wait(leftMs);
          leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Fails what is under way. */
  void failAll(ShipmentException cause) {
    underWay.values().forEach(shipment -> shipment.shutDown(cause));
  }
}
