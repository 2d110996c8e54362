package io.drayage.transport.netty;

import io.drayage.frame.Credit;
import io.drayage.transport.TransportOptions;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The part of the server's resources that one shipment uses: a place among the shipments of its
 * peer until {@link #close}, and a {@link Reservation} of credit. The shipment needs credit while
 * it has connections or undecoded frames and not its whole cargo. Waits without a thread. For the
 * home loop of the shipment only.
 */
final class CreditQuota {
  private final PeerQuotas peers;
  private final InetAddress peer;
  private final EventLoop home;
  private final long windowBytes;
  private long bytes;
  private int connections = 1;

  /** The waiting request; null if the shipment does not wait. */
  private PeerQuotas.@Nullable Request request;

  private boolean hasPlace;

  /** The latest reservation. */
  private @Nullable Reservation reservation;

  private boolean reserved;

  /**
   * Makes a quota that has acquired nothing yet.
   *
   * @param wantedBytes the credit that is enough for the worker; 0: as much as a shipment may have
   */
  CreditQuota(
      TransportOptions options,
      PeerQuotas peers,
      InetAddress peer,
      EventLoop home,
      int wantedBytes) {
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
   * @param onAcquired called then, unless {@link #release} comes first
   * @return false if the shipment has to wait
   */
  boolean acquire(Runnable onAcquired) {
    PeerQuotas.Request made =
        new PeerQuotas.Request(peer, !hasPlace, bytes, served -> onServed(served, onAcquired));
    request = made;
    return peers.acquire(made);
  }

  /** Called on any thread. If the home loop has ended, the server has ended too. */
  private void onServed(PeerQuotas.Request served, Runnable then) {
    boolean unused = Channels.runOn(home, () -> useAcquired(served, then));
  }

  /** Does nothing if the request was withdrawn meanwhile: the withdrawal has released the bytes. */
  private void useAcquired(PeerQuotas.Request served, Runnable then) {
    if (served.equals(request)) {
      request = null;
      hasPlace = true;
      reserved = true;
      reservation = new Reservation(() -> peers.release(peer, bytes));
      then.run();
    }
  }

  /** Returns the limit for which the shipment waits. */
  String shortage() {
    return peers.shortage(Objects.requireNonNull(request, "it waits"));
  }

  /** Releases the credit as soon as every frame is decoded, or withdraws the waiting request. */
  void release() {
    PeerQuotas.Request waits = request;
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

  /** Completes when all credit was {@linkplain #release released} and every frame is decoded. */
  CompletableFuture<Void> whenReleased() {
    return latest().whenReleased();
  }

  private Reservation latest() {
    return Objects.requireNonNull(reservation, "reserved before the shipment begins");
  }

  /**
   * Adds the bytes that {@code wanted} connections need beyond the window, if available.
   *
   * @return number of connections that the shipment may have
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

  /** Returns the window of each connection: never less than the largest frame. */
  long shareBytes() {
    return shareBytes(connections);
  }

  /** Makes the window of a connection. Nobody is charged for it after {@link #release}. */
  CreditWindow newWindow() {
    return new CreditWindow(shareBytes(), reserved ? latest() : new Reservation(() -> {}));
  }

  /** Checks whether the shipment has credit now, so that frames may come. */
  boolean hasCredit() {
    return reserved;
  }

  /** Ends the quota of a shipment that is over. The credit is released with the last frame. */
  void close() {
    release();
    if (hasPlace) {
      hasPlace = false;
      peers.removeShipment(peer);
    }
  }

  /**
   * Credit that a shipment has reserved of the server's budget and of its peer's limit. The owners
   * are the shipment and the window of each of its connections. The last owner to release it
   * returns the bytes. Thread-safe.
   */
  static final class Reservation {
    private final Runnable onReleased;
    private final AtomicInteger owners = new AtomicInteger(1);
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** Makes a reservation with one owner. */
    Reservation(Runnable onReleased) {
      this.onReleased = onReleased;
    }

    /** Adds an owner. Only a current owner may call this. */
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

    /** Completes when no owner is left, so that none of the frames is in memory. */
    CompletableFuture<Void> whenReleased() {
      return released;
    }
  }
}
