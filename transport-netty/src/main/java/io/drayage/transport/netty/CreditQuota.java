package io.drayage.transport.netty;

import io.drayage.frame.Credit;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.connection.Channels;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What one shipment uses of its server: a place among the shipments of its peer until it is {@link
 * #close}d and, while it has connections or undecoded frames and not its whole cargo, a {@link
 * Reservation} of credit. Waits for them without a thread. On the home loop of the shipment.
 */
final class CreditQuota {
  private final Peers peers;
  private final InetAddress peer;
  private final EventLoop home;
  private final long windowBytes;
  private long bytes;
  private int connections = 1;

  /** What it waits for; null if it does not wait. */
  private Peers.@Nullable Request request;

  private boolean hasPlace;

  /** The latest one. */
  private @Nullable Reservation reservation;

  private boolean reserved;

  /**
   * A quota that has nothing yet.
   *
   * @param wantedBytes the credit that is enough for its worker; 0: as much as a shipment may have
   */
  CreditQuota(
      TransportOptions options, Peers peers, InetAddress peer, EventLoop home, int wantedBytes) {
    this.peers = peers;
    this.peer = peer;
    this.home = home;
    long most = Math.min(options.shipmentCreditBytes(), options.peerLimits().maxBytesPerPeer());
    this.windowBytes =
        wantedBytes == 0 ? most : Math.min(most, Math.max(Credit.MIN_CHARGE_BYTES, wantedBytes));
    this.bytes = windowBytes;
  }

  /**
   * Acquires the credit of the shipment, and its place if it has none, as soon as there is room.
   *
   * @param onAcquired run then, unless it is {@link #release}d before
   * @return false if it has to wait
   */
  boolean acquire(Runnable onAcquired) {
    Peers.Request made =
        new Peers.Request(peer, !hasPlace, bytes, served -> onServed(served, onAcquired));
    request = made;
    return peers.acquire(made);
  }

  /** On any thread. If the home has ended, so has the server. */
  private void onServed(Peers.Request served, Runnable then) {
    boolean unused = Channels.runOn(home, () -> useAcquired(served, then));
  }

  /** Does nothing if the request was given up meanwhile, which has released its bytes. */
  private void useAcquired(Peers.Request served, Runnable then) {
    if (served.equals(request)) {
      request = null;
      hasPlace = true;
      reserved = true;
      reservation = new Reservation(() -> peers.release(peer, bytes));
      then.run();
    }
  }

  /** Why it waits. */
  String shortage() {
    return peers.shortage(Objects.requireNonNull(request, "it waits"));
  }

  /** Releases the credit as soon as no frame is undecoded, or waits for it no longer. */
  void release() {
    Peers.Request waits = request;
    request = null;
    if (waits != null && !peers.withdraw(waits)) {
      peers.release(peer, bytes);
      if (!hasPlace) {
        peers.removeShipment(peer);
      }
    }
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
      if (!peers.tryAcquire(peer, more)) {
        return 1;
      }
      bytes += more;
    }
    connections = count;
    return count;
  }

  private long shareBytes(int count) {
    return Math.max(Math.min(windowBytes, Credit.MAX_CHARGE_BYTES), windowBytes / count);
  }

  /** The window of each connection: never less than the largest frame. */
  long shareBytes() {
    return shareBytes(connections);
  }

  /**
   * The window of a connection, which is charged to nobody once the credit was {@link #release}d.
   */
  CreditWindow newWindow() {
    return new CreditWindow(shareBytes(), reserved ? latest() : new Reservation(() -> {}));
  }

  /** Whether it has credit now, so that frames may come. */
  boolean hasCredit() {
    return reserved;
  }

  /** The shipment is over. Its credit is returned with its last frame. */
  void close() {
    release();
    if (hasPlace) {
      hasPlace = false;
      peers.removeShipment(peer);
    }
  }

  /**
   * Credit that a shipment has reserved of the server's budget and of its peer's part. Owned by the
   * shipment and by the window of each of its connections; the last one to release it returns the
   * bytes. Thread-safe.
   */
  static final class Reservation {
    private final Runnable onReleased;
    private final AtomicInteger owners = new AtomicInteger(1);
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** A reservation with one owner. */
    Reservation(Runnable onReleased) {
      this.onReleased = onReleased;
    }

    /** Adds an owner. Only for a current owner. */
    void retain() {
      owners.incrementAndGet();
    }

    /** Ends one ownership. */
    void release() {
      if (owners.decrementAndGet() == 0) {
        onReleased.run();
        released.complete(null);
      }
    }

    /** Completes when no owner is left, so that nothing of its frames is in memory. */
    CompletableFuture<Void> whenReleased() {
      return released;
    }
  }
}
