package io.drayage.baseline.grpc;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.transport.ShipmentWatch;
import io.drayage.transport.TransportOptions;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is under way at a server. Thread-safe.
 *
 * <p>A shipment spans several calls, and gRPC tells a service nothing of the connection below; who
 * names its number, has it. So the numbers are random and cannot be guessed.
 */
final class InboundShipments {
  /** The most shipments of a server, and the most calls that have not named theirs. */
  static final int MAX_SHIPMENTS = 1_024;

  private final TransportOptions options;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, InboundShipment> byId = new ConcurrentHashMap<>();
  private final Set<ShipCall> nameless = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  InboundShipments(TransportOptions options) {
    this.options = options;
  }

  /**
   * A new shipment.
   *
   * @throws ShipmentException {@link Fault#BUSY} if there are too many, or the server closes
   */
  InboundShipment add() throws ShipmentException {
    if (byId.size() >= MAX_SHIPMENTS) {
      throw new ShipmentException(
          Fault.BUSY, "there are %,d shipments under way already".formatted(byId.size()));
    }
    long id = random.nextLong(1, Long.MAX_VALUE);
    InboundShipment shipment =
        new InboundShipment(
            id,
            Token.random(random),
            new ShipmentWatch(id, options, System::nanoTime),
            this::shareBytes,
            this::remove);
    byId.put(id, shipment);
    if (closed) {
      remove(shipment);
      throw new ShipmentException(Fault.BUSY, "the server is closing");
    }
    return shipment;
  }

  /**
   * The shipment with this number.
   *
   * @throws ShipmentException {@link Fault#EXPIRED} if there is none, or no longer: it may have
   *     ended by another of its calls, and can be sent anew
   */
  InboundShipment get(long id) throws ShipmentException {
    InboundShipment shipment = byId.get(id);
    if (shipment == null) {
      throw new ShipmentException(Fault.EXPIRED, "shipment %d is not under way here".formatted(id));
    }
    return shipment;
  }

  void remove(InboundShipment shipment) {
    byId.remove(shipment.shipmentId());
  }

  void add(ShipCall call) {
    if (nameless.size() >= MAX_SHIPMENTS) {
      call.end(
          new ShipmentException(
              Fault.BUSY, "%,d calls name no shipment already".formatted(nameless.size())));
      return;
    }
    nameless.add(call);
    if (closed) {
      call.end(serverClosed()); // It may have come too late for the round that close() makes.
    }
  }

  void remove(ShipCall call) {
    nameless.remove(call);
  }

  /** The bytes of frames that each shipment may have here: its own limit, or its part of all. */
  long shareBytes() {
    return Math.min(
        options.shipmentCreditBytes(), options.serverBudgetBytes() / Math.max(1, byId.size()));
  }

  /** Ends what has been silent for the idle timeout, or without progress for the stall timeout. */
  void endOverdue() {
    long limitNs = options.idleTimeout().toNanos();
    for (InboundShipment shipment : byId.values()) {
      ShipmentException cause = shipment.overdue();
      if (cause != null) {
        shipment.peerGone(cause);
      }
    }
    for (ShipCall call : nameless) {
      if (call.namelessNs() > limitNs) {
        call.end(ShipmentWatch.silent("the worker", limitNs));
      }
    }
  }

  /** Fails everything with {@link Fault#CANCELLED}, and takes nothing more. */
  void close() {
    closed = true;
    nameless.forEach(call -> call.end(serverClosed()));
    byId.values().forEach(shipment -> shipment.peerGone(serverClosed()));
  }

  private static ShipmentException serverClosed() {
    return new ShipmentException(Fault.CANCELLED, "the server was closed");
  }
}
