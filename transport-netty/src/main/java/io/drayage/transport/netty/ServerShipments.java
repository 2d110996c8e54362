package io.drayage.transport.netty;

import io.drayage.codec.pool.FatalErrors;
import io.drayage.frame.Fault;
import io.drayage.frame.Join;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The shipments of one server: those under way, the suspended ones included, and how the last ones
 * ended. Thread-safe: called by all event loops.
 */
final class ServerShipments {
  private final ShipmentAcceptor acceptor;
  private final TransportOptions options;
  private final Peers peers;
  private final EndedShipments ended;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, ServerShipment> underWay = new ConcurrentHashMap<>();

  /** Starts anywhere, so that a frame of an earlier server is not taken for one of ours. */
  private final AtomicLong lastId = new AtomicLong(random.nextInt() & 0xFFFFFFFFL);

  /** Guards nothing but the wait for the last shipment. */
  private final Object oneLess = new Object();

  private volatile boolean draining;

  ServerShipments(ShipmentAcceptor acceptor, TransportOptions options, Peers peers) {
    this.acceptor = acceptor;
    this.options = options;
    this.peers = peers;
    this.ended = new EndedShipments(options.resumeWindow());
  }

  /**
   * Accepts a new shipment. On the event loop of its first connection, which becomes its home.
   *
   * @param wanted how many connections the worker would like to use
   * @throws ShipmentException if it is refused
   */
  ServerShipment open(ShipmentHeader header, int wanted, ServerConnection first)
      throws ShipmentException {
    if (draining) {
      throw new ShipmentException(Fault.BUSY, "the transactor is shutting down");
    }
    CreditQuota quota = new CreditQuota(options, peers, first.peer());
    ServerShipment shipment =
        new ServerShipment(
            this,
            lastId.incrementAndGet(),
            new Owner(Token.random(random), first.provenWorker()),
            first.eventLoop(),
            quota,
            options);
    underWay.put(shipment.shipmentId(), shipment);
    try {
      quota.reserve();
      shipment.begin(acceptor.accept(header, shipment), first, wanted);
      return shipment;
    } catch (ShipmentException | RuntimeException | Error e) {
      FatalErrors.report(e);
      shipment.discard();
      throw ShipmentException.of(e);
    }
  }

  /**
   * Lets a connection join the shipment with this number, or answers how it ended. On the event
   * loop of the connection.
   *
   * @throws ShipmentException if it may not, or the shipment is not known any more
   */
  void join(ServerConnection connection, long shipmentId, Join join) throws ShipmentException {
    ServerShipment found = underWay.get(shipmentId);
    EndedShipments.Ended end = ended.find(shipmentId);
    if (found == null && end == null) {
      throw new ShipmentException(
          Fault.EXPIRED,
          String.format(Locale.ROOT, "shipment %d is not known here, or no longer", shipmentId));
    }
    Owner owner = found != null ? found.owner() : end.owner();
    if (!owner.admits(join.token(), connection.provenWorker())) {
      throw new ShipmentException(
          Fault.REFUSED,
          String.format(
              Locale.ROOT,
              "the token is not that of shipment %d, or of another worker",
              shipmentId));
    }
    if (found != null) {
      found.join(connection, join.purpose());
    } else if (join.purpose() == Join.Purpose.RESUME) {
      end.tell(connection, shipmentId);
    } else {
      // The connection that it was to accompany has the answer already, or will.
      throw new ShipmentException(
          Fault.REFUSED, String.format(Locale.ROOT, "shipment %d is over", shipmentId));
    }
  }

  /** Answers a worker that wants to resume a shipment that is over. */
  void answerEnded(ServerConnection connection, long shipmentId) {
    EndedShipments.Ended end = ended.find(shipmentId);
    if (end == null) {
      connection.endWith(
          new ShipmentException(
                  Fault.EXPIRED, String.format(Locale.ROOT, "shipment %d is over", shipmentId))
              .withOutcome(ShipmentException.Outcome.UNKNOWN));
    } else {
      end.tell(connection, shipmentId);
    }
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
