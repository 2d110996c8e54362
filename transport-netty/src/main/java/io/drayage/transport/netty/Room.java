package io.drayage.transport.netty;

import io.drayage.frame.Credit;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBudget;
import io.drayage.transport.TransportOptions;
import java.net.InetAddress;

/**
 * What one shipment takes of its server: one of the shipments of its peer until it is {@link
 * #close}d, and, while it has connections or frames that are not decoded, a {@link Reservation} of
 * credit. Sized and closed on the home loop of the shipment.
 */
final class Room {
  private final ByteBudget budget;
  private final Peers peers;
  private final InetAddress peer;
  private final long windowBytes;
  private long bytes;

  /**
   * Room for one more shipment, without any credit yet.
   *
   * @throws ShipmentException {@code BUSY} if its peer has too many
   */
  Room(TransportOptions options, ByteBudget budget, Peers peers, InetAddress peer)
      throws ShipmentException {
    this.budget = budget;
    this.peers = peers;
    this.peer = peer;
    this.windowBytes = options.shipmentCreditBytes();
    this.bytes = windowBytes;
    peers.addShipment(peer);
  }

  /**
   * Takes the credit of the shipment; the last holder gives it back.
   *
   * @throws ShipmentException {@code BUSY} if it is not there now
   */
  Reservation reserve() throws ShipmentException {
    peers.take(peer, bytes);
    if (!budget.tryAcquire(bytes)) {
      peers.giveBack(peer, bytes);
      throw new ShipmentException(
          Fault.BUSY,
          "no room for a window of %,d bytes now: %,d of %,d are taken by other shipments"
              .formatted(bytes, budget.usedBytes(), budget.limitBytes()));
    }
    return new Reservation(this::release);
  }

  private void release() {
    budget.release(bytes);
    peers.giveBack(peer, bytes);
  }

  /**
   * Adds to the reservation what so many connections need beyond the window.
   *
   * @return how many connections there is room for
   */
  int makeFor(int wanted) {
    int connections = Math.max(1, Math.min(wanted, TransportOptions.MAX_CONNECTIONS));
    long more = connections * shareBytes(connections) - bytes;
    if (more > 0) {
      if (more > budget.limitBytes() || !peers.tryTake(peer, more)) {
        return 1;
      }
      if (!budget.tryAcquire(more)) {
        peers.giveBack(peer, more);
        return 1;
      }
      bytes += more;
    }
    return connections;
  }

  /** The window of each of so many connections: never less than the largest frame. */
  long shareBytes(int connections) {
    return Math.max(Credit.MAX_CHARGE_BYTES, windowBytes / connections);
  }

  /** The shipment is over. Its credit comes back with its last frame. */
  void close() {
    peers.removeShipment(peer);
  }
}
