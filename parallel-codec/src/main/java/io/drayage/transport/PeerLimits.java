package io.drayage.transport;

import static io.drayage.internal.Texts.format;

/**
 * What a server takes from its workers, in all and from one address. A connection beyond a limit
 * takes the place of the one that has been without a shipment for longest; if there is none, it is
 * refused by name. Shipments beyond a limit wait in FIFO order, as long as their workers want.
 * Meanwhile each takes up its connection.
 *
 * <p>A client has no more than {@link #maxShipmentsPerPeer} shipments with its server at a time;
 * those beyond wait at the client, without a connection. It keeps as many connections at most for
 * the next ones.
 *
 * @param maxConnections connections at a time
 * @param maxConnectionsPerPeer connections at a time from one address
 * @param maxShipmentsPerPeer shipments at a time from one address, those that are suspended
 *     included
 * @param maxBytesPerPeer credit that the shipments from one address may hold together
 */
public record PeerLimits(
    int maxConnections, int maxConnectionsPerPeer, int maxShipmentsPerPeer, long maxBytesPerPeer) {
  /** 4,096 connections, of one peer 512, 64 shipments and 96 MiB. */
  public static final PeerLimits DEFAULT = new PeerLimits(4_096, 512, 64, 96 << 20);

  public PeerLimits {
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxConnectionsPerPeer", maxConnectionsPerPeer);
    requirePositive("maxShipmentsPerPeer", maxShipmentsPerPeer);
    requirePositive("maxBytesPerPeer", maxBytesPerPeer);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(format("%s must be positive, not %,d", name, value));
    }
  }
}
