package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.PeerLimits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** What each peer of one server uses now, and its limits. Thread-safe. */
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
   * Acquires bytes for a shipment; {@link #release} when it no longer needs them.
   *
   * @throws ShipmentException {@code BUSY} if the peer uses too much
   */
  synchronized void acquire(InetAddress peer, long bytes) throws ShipmentException {
    Use use = use(peer);
    if (!acquire(use, bytes)) {
      throw new ShipmentException(
          Fault.BUSY,
          "no room for a window of %,d bytes now: %s uses %,d, the limit of a peer is %,d"
              .formatted(bytes, peer, use.bytes, limits.maxBytesPerPeer()));
    }
  }

  /** Acquires more bytes for a shipment, if the peer may have them. */
  synchronized boolean tryAcquire(InetAddress peer, long bytes) {
    return acquire(use(peer), bytes);
  }

  private boolean acquire(Use use, long bytes) {
    if (bytes > limits.maxBytesPerPeer() - use.bytes) {
      return false;
    }
    use.bytes += bytes;
    return true;
  }

  /** Releases bytes that were acquired. */
  synchronized void release(InetAddress peer, long bytes) {
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
