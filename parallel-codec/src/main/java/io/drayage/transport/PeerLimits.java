package io.drayage.transport;

import static io.drayage.internal.Texts.format;

/**
 * The limits of a server for all its workers together and for each address. A connection beyond a
 * limit replaces the connection that has been without a shipment for longest. If every connection
 * has a shipment, the server refuses the new one by name. Shipments beyond a limit wait in FIFO
 * order, as long as their workers want. Each waiting shipment occupies its connection.
 *
 * <p>A client has no more than {@link #maxShipmentsPerPeer} shipments with its server at a time.
 * Further shipments wait at the client, without a connection. The client keeps as many connections
 * at most for the next shipments.
 *
 * @param maxConnections connections at a time
 * @param maxConnectionsPerPeer connections at a time from one address
 * @param maxShipmentsPerPeer shipments at a time from one address, suspended ones included
 * @param maxBytesPerPeer bytes of credit that the shipments from one address may hold together
 */
public record PeerLimits(
    int maxConnections, int maxConnectionsPerPeer, int maxShipmentsPerPeer, long maxBytesPerPeer) {
  /** 4,096 connections, and for each address 512 connections, 64 shipments and 96 MiB of credit. */
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
