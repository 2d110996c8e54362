package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Waits;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The shipments of one server: the running ones, suspended ones included, and the outcomes of the
 * last ones. Thread-safe: all event loops call it.
 */
final class ServerShipments {
  private final ShipmentAcceptor acceptor;
  private final TransportOptions options;
  private final PeerQuotas peers;
  private final EndedShipments ended;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, ServerShipment> underWay = new ConcurrentHashMap<>();

  /** Starts at random, so that a frame for an earlier server is not accepted by this one. */
  private final AtomicLong lastId = new AtomicLong(random.nextInt() & 0xFFFFFFFFL);

  /** The monitor on which {@link #drain} waits until the last shipment is over. */
  private final Object oneLess = new Object();

  private volatile boolean draining;

  ServerShipments(ShipmentAcceptor acceptor, TransportOptions options, PeerQuotas peers) {
    this.acceptor = acceptor;
    this.options = options;
    this.peers = peers;
    this.ended = new EndedShipments(options.resumeWindow());
  }

  /**
   * Opens a new shipment, which answers over its first connection when there is room. For the event
   * loop of that connection, which becomes the home of the shipment.
   */
  void open(ShipmentHeader header, OpenRequest wanted, ServerConnection first) {
    ServerShipment shipment =
        new ServerShipment(
            this,
            lastId.incrementAndGet(),
            new ServerShipment.Owner(Token.random(random), first.provenWorker()),
            first.eventLoop(),
            new CreditQuota(options, peers, first.peer(), first.eventLoop(), wanted.creditBytes()),
            options);
    underWay.put(shipment.shipmentId(), shipment);
    first.await(shipment);
    shipment.open(header, wanted, first);
    if (draining) {
      shipment.endIfIdle(); // It may be too late for the round of drain().
    }
  }

  CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    return acceptor.ask(request);
  }

  ShipmentHandler accept(ShipmentHeader header, ServerShipment shipment) throws ShipmentException {
    return acceptor.accept(header, shipment);
  }

  /**
   * Lets a connection join the shipment with this number, or answers with its outcome. For the
   * event loop of the connection.
   *
   * @throws ShipmentException if the peer may not join, or the shipment is not known any more
   */
  void join(ServerConnection connection, long shipmentId, Join join) throws ShipmentException {
    ServerShipment found = underWay.get(shipmentId);
    EndedShipments.Ended end = ended.find(shipmentId);
    if (found == null && end == null) {
      throw new ShipmentException(
          Fault.EXPIRED, format("shipment %d is not known here, or no longer", shipmentId));
    }
    ServerShipment.Owner owner = found != null ? found.owner() : end.owner();
    if (!owner.admits(join.token(), connection.provenWorker())) {
      throw new ShipmentException(
          Fault.REFUSED,
          format("the token is not that of shipment %d, or of another worker", shipmentId));
    }
    if (found != null) {
      found.join(connection, join.purpose());
    } else if (join.purpose() == Join.Purpose.RESUME) {
      end.tell(connection, shipmentId);
    } else {
      // The first connection of the shipment gets the answer.
      throw new ShipmentException(Fault.REFUSED, format("shipment %d is over", shipmentId));
    }
  }

  /** Answers a worker that wants to resume a shipment that is over. */
  void answerEnded(ServerConnection connection, long shipmentId) {
    EndedShipments.Ended end = ended.find(shipmentId);
    if (end == null) {
      connection.endWith(
          new ShipmentException(Fault.EXPIRED, format("shipment %d is over", shipmentId))
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

  /** Keeps the outcome of a shipment, before it is {@linkplain #remove removed}. */
  void keepEnd(long shipmentId, EndedShipments.Ended end) {
    ended.keep(shipmentId, end);
  }

  /** Forgets an outcome that the worker has read and will not ask for. */
  void forgetEnd(long shipmentId) {
    ended.forget(shipmentId);
  }

  boolean isDraining() {
    return draining;
  }

  /** Refuses new shipments from now on: the server is being closed. */
  void takeNoMore() {
    draining = true;
  }

  /** Refuses new shipments, and waits for the end of the others, at most for {@code timeout}. */
  void drain(Duration timeout) {
    takeNoMore();
    underWay.values().forEach(ServerShipment::endIfIdle);
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    synchronized (oneLess) {
      Waits.orInterrupted(() -> Waits.until(oneLess, deadlineNs, underWay::isEmpty));
    }
  }

  /** Fails all running shipments. */
  void failAll(ShipmentException cause) {
    List.copyOf(underWay.values()).forEach(shipment -> shipment.shutDown(cause));
  }
}
