package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.PeerLimits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * What the peers of one server use of it, and whether they may have more. Thread-safe. Knows only
 * the addresses that use something now.
 */
final class Peers {
  private final PeerLimits limits;
  private final Map<InetAddress, Use> uses = new HashMap<>();
  private int connections;

  private static final class Use {
    private int connections;
    private int shipments;
    private long bytes;
  }

  Peers(PeerLimits limits) {
    this.limits = limits;
  }

  /**
   * One more connection; {@link #removeConnection} when it is closed.
   *
   * @throws ShipmentException {@code BUSY} if there are too many
   */
  synchronized void addConnection(InetAddress peer) throws ShipmentException {
    requireBelow("connections", connections, limits.maxConnections());
    Use use = uses.computeIfAbsent(peer, address -> new Use());
    requireBelow("connections from " + peer, use.connections, limits.maxConnectionsPerPeer());
    connections++;
    use.connections++;
  }

  synchronized void removeConnection(InetAddress peer) {
    connections--;
    Use use = use(peer);
    use.connections--;
    forgetIfUnused(peer, use);
  }

  /**
   * One more shipment; {@link #removeShipment} when it is over.
   *
   * @throws ShipmentException {@code BUSY} if there are too many
   */
  synchronized void addShipment(InetAddress peer) throws ShipmentException {
    Use use = uses.computeIfAbsent(peer, address -> new Use());
    try {
      requireBelow("shipments from " + peer, use.shipments, limits.maxShipmentsPerPeer());
      use.shipments++;
    } finally {
      forgetIfUnused(peer, use);
    }
  }

  /**
   * Bytes for a shipment; {@link #giveBack} when it does not need them.
   *
   * @throws ShipmentException {@code BUSY} if the peer uses too much
   */
  synchronized void take(InetAddress peer, long bytes) throws ShipmentException {
    Use use = use(peer);
    if (!take(use, bytes)) {
      throw new ShipmentException(
          Fault.BUSY,
          "no room for a window of %,d bytes now: %s uses %,d, the limit of a peer is %,d"
              .formatted(bytes, peer, use.bytes, limits.maxBytesPerPeer()));
    }
  }

  /** More bytes for a shipment, if there is room for them. */
  synchronized boolean tryTake(InetAddress peer, long bytes) {
    return take(use(peer), bytes);
  }

  private boolean take(Use use, long bytes) {
    if (bytes > limits.maxBytesPerPeer() - use.bytes) {
      return false;
    }
    use.bytes += bytes;
    return true;
  }

  /** Bytes that were taken and are not needed. */
  synchronized void giveBack(InetAddress peer, long bytes) {
    Use use = use(peer);
    use.bytes -= bytes;
    forgetIfUnused(peer, use);
  }

  synchronized void removeShipment(InetAddress peer) {
    Use use = use(peer);
    use.shipments--;
    forgetIfUnused(peer, use);
  }

  private Use use(InetAddress peer) {
    Use use = uses.get(peer);
    if (use == null) {
      throw new IllegalStateException(peer + " uses nothing");
    }
    return use;
  }

  private void forgetIfUnused(InetAddress peer, Use use) {
    if (use.connections == 0 && use.shipments == 0 && use.bytes == 0) {
      uses.remove(peer);
    }
  }

  private static void requireBelow(String what, int used, int limit) throws ShipmentException {
    if (used >= limit) {
      throw new ShipmentException(
          Fault.BUSY, "%,d %s already, the limit is %,d".formatted(used, what, limit));
    }
  }
}
