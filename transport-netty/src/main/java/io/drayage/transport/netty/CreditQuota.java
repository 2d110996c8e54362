package io.drayage.transport.netty;

import io.drayage.frame.Credit;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one shipment uses of its server: a place among the shipments of its peer until it is {@link
 * #close}d and, while it has connections or undecoded frames, a {@link Reservation} of credit. On
 * the home loop of the shipment.
 */
final class CreditQuota {
  private final Peers peers;
  private final InetAddress peer;
  private final long windowBytes;
  private long bytes;
  private int connections = 1;

  /** The latest one. */
  private @Nullable Reservation reservation;

  private boolean reserved;

  /**
   * A place for one more shipment, without credit yet.
   *
   * @throws ShipmentException {@code BUSY} if its peer has too many
   */
  CreditQuota(TransportOptions options, Peers peers, InetAddress peer) throws ShipmentException {
    this.peers = peers;
    this.peer = peer;
    this.windowBytes = options.shipmentCreditBytes();
    this.bytes = windowBytes;
    peers.addShipment(peer);
  }

  /**
   * Reserves the credit of the shipment.
   *
   * @throws ShipmentException {@code BUSY} if it is not available now
   */
  void reserve() throws ShipmentException {
    peers.acquire(peer, bytes);
    reservation = new Reservation(() -> peers.release(peer, bytes));
    reserved = true;
  }

  /** Releases the credit as soon as no frame is undecoded. */
  void release() {
    if (reserved) {
      reserved = false;
      latest().release();
    }
  }

  /** Completes when all credit was {@link #release}d and no frame is undecoded. */
  CompletableFuture<Void> whenReleased() {
    return latest().whenReleased();
  }

  private Reservation latest() {
    return Objects.requireNonNull(reservation, "reserved before the shipment begins");
  }

  /**
   * Adds to the reservation what {@code wanted} connections need beyond the window, if available.
   *
   * @return the connections that the shipment may have
   */
  int reserveFor(int wanted) {
    int count = Math.max(1, Math.min(wanted, TransportOptions.MAX_CONNECTIONS));
    long more = count * shareBytes(count) - bytes;
    if (more > 0) {
      try {
        peers.acquire(peer, more);
      } catch (ShipmentException tooMuch) {
        return 1;
      }
      bytes += more;
    }
    connections = count;
    return count;
  }

  private long shareBytes(int count) {
    return Math.max(Credit.MAX_CHARGE_BYTES, windowBytes / count);
  }

  /** The window of each connection: never less than the largest frame. */
  long shareBytes() {
    return shareBytes(connections);
  }

  CreditWindow newWindow() {
    return new CreditWindow(shareBytes(), latest());
  }

  /** The shipment is over. Its credit is returned with its last frame. */
  void close() {
    release();
    peers.removeShipment(peer);
  }
}
