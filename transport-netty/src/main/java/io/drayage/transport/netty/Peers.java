package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.PeerLimits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What the peers of one server use now, each and together, and the limits. Thread-safe. */
final class Peers {
  private final PeerLimits limits;
  private final long budgetBytes;
  private final Map<InetAddress, Use> uses = new HashMap<>();
  private int connections;
  private long bytes;

  private static final class Use {
    private int connections;
    private int shipments;
    private long bytes;
  }

  /**
   * @param budgetBytes credit of all shipments together
   */
  Peers(PeerLimits limits, long budgetBytes) {
    this.limits = limits;
    this.budgetBytes = budgetBytes;
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
   * @throws ShipmentException {@code BUSY} if the peer, or all together, would use too much
   */
  synchronized void acquire(InetAddress peer, long wanted) throws ShipmentException {
    Use use = use(peer);
    if (wanted > limits.maxBytesPerPeer() - use.bytes) {
      throw new ShipmentException(
          Fault.BUSY,
          String.format(
              Locale.ROOT,
              "no room for a window of %,d bytes now: %s uses %,d, the limit of a peer is %,d",
              wanted,
              peer,
              use.bytes,
              limits.maxBytesPerPeer()));
    }
    if (wanted > budgetBytes - bytes) {
      throw new ShipmentException(
          Fault.BUSY,
          String.format(
              Locale.ROOT,
              "no room for a window of %,d bytes now: %,d of %,d are used by other shipments",
              wanted,
              bytes,
              budgetBytes));
    }
    use.bytes += wanted;
    bytes += wanted;
  }

  /** Releases bytes that were acquired. */
  synchronized void release(InetAddress peer, long acquired) {
    bytes -= acquired;
    Use use = use(peer);
    use.bytes -= acquired;
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
          Fault.BUSY,
          String.format(Locale.ROOT, "%,d %s already, the limit is %,d", used, what, limit));
    }
  }
}
