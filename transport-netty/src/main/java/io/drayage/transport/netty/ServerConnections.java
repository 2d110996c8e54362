package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Accepted;
import io.drayage.frame.Fault;
import io.drayage.frame.Joined;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one shipment and their credit. The shipment outlives its connections. For the
 * home loop of the shipment only. A connection is equal only to itself.
 *
 * <pre>
 *              loss of any connection           JOIN, resume
 *   SHIPPING ---------------------------> SUSPENDED ---------> RESUMING
 *     |  ^                                    |                 |    |
 *     |  |                                    | nobody came     |    | nothing is undecoded
 *     |  '------------------------------------|-----------------|----'
 *     v                                       v                 v
 *   OVER <------ committed, failed, cancelled, expired ---------'
 * </pre>
 *
 * JOIN to resume also comes while SHIPPING: the worker may notice the loss first. If the handler is
 * not resumable, a loss leads to OVER.
 */
final class ServerConnections {
  private enum State {
    SHIPPING,
    SUSPENDED,
    RESUMING,
    OVER
  }

  private final ServerShipment shipment;
  private final EventLoop home;
  private final CreditQuota quota;
  private final long resumeWindowMs;

  /** The connections that carry frames. The first one gets the answers. */
  private final List<ServerConnection> carrying = new ArrayList<>();

  private State state = State.SHIPPING;
  private boolean resumable;
  private int maxConnections;

  /** The connection that waits until the frames of the earlier connections are settled. */
  private @Nullable ServerConnection resuming;

  private @Nullable ScheduledFuture<?> expiry;

  /** Makes the connections of a shipment. Owns the quota. */
  ServerConnections(
      ServerShipment shipment, EventLoop home, CreditQuota quota, TransportOptions options) {
    this.shipment = shipment;
    this.home = home;
    this.quota = quota;
    this.resumeWindowMs = options.resumeWindow().toMillis();
  }

  /** Adds the first one; {@code wanted} connections may follow, as far as there is credit. */
  void begin(ServerConnection first, int wanted, ShipmentHandler handler) {
    resumable = handler.isResumable() && resumeWindowMs > 0;
    maxConnections = resumable ? quota.reserveFor(wanted) : 1;
    Token shown = resumable ? shipment.owner().token() : Token.NONE;
    long windowMs = resumable ? resumeWindowMs : 0;
    Accepted answer =
        new Accepted(
            shipment.shipmentId(),
            quota.shareBytes(),
            shown,
            windowMs,
            maxConnections,
            handler.store());
    add(first, answer.toFrame());
  }

  private void add(ServerConnection connection, ByteBuffer answer) {
    carrying.add(connection);
    connection.bind(shipment, quota.newWindow(), !quota.hasCredit(), answer);
  }

  private ByteBuffer joined(BitSet segments) {
    return new Joined(quota.shareBytes(), segments).toFrame(shipment.shipmentId());
  }

  /** Adds a further connection, if the limit allows it. */
  void addStripe(ServerConnection connection) {
    if (state != State.SHIPPING || carrying.size() >= maxConnections) {
      connection.endWith(
          new ShipmentException(
              Fault.REFUSED,
              format(
                  "shipment %d is %s and has %d connections of %d",
                  shipment.shipmentId(), state, carrying.size(), maxConnections)));
      return;
    }
    add(connection, joined(new BitSet()));
  }

  /** Answers when every frame of the earlier connections is decoded and released. */
  void resumeOver(ServerConnection connection, ShipmentHandler handler) {
    if (resuming != null) {
      resuming.drop();
    }
    leaveAll();
    resuming = connection;
    state = State.RESUMING;
    connection.await(shipment);
    // The failure is an argument of onSettled.
    CompletableFuture<BitSet> unused =
        quota
            .whenReleased()
            .thenComposeAsync(done -> handler.settled(), home)
            .whenComplete(
                (segments, e) -> Channels.runOn(home, () -> onSettled(connection, segments, e)));
  }

  /** Answers the connection that asked last, and no other. */
  private void onSettled(
      ServerConnection connection, @Nullable BitSet segments, @Nullable Throwable error) {
    if (!connection.equals(resuming)) {
      return;
    }
    if (segments == null) {
      Throwable cause = error == null ? new IllegalStateException("no segments") : error;
      shipment.onFailed(ShipmentException.of(cause).withOutcome(ShipmentException.Outcome.UNKNOWN));
      return;
    }
    boolean unused =
        quota.acquire(
            () -> {
              resuming = null;
              state = State.SHIPPING;
              add(connection, joined(segments));
              shipment.onResumed(connection);
            });
  }

  /** Handles a lost or silent connection. A resumable shipment waits for its worker. */
  void onLost(ServerConnection connection, ShipmentException cause) {
    if (remove(connection)) {
      suspend(cause);
    }
  }

  /** Handles a connection that was lost before it had the answer, and so carried no frame. */
  void onUnused(ServerConnection connection, ShipmentException cause) {
    if (remove(connection) && carrying.isEmpty()) {
      suspend(cause);
    }
  }

  private boolean remove(ServerConnection connection) {
    if (connection.equals(resuming)) {
      resuming = null;
      return true;
    }
    return carrying.remove(connection);
  }

  private void suspend(ShipmentException cause) {
    if (!resumable || shipment.isDraining()) {
      shipment.onGone(cause);
      return;
    }
    await();
    ShipmentException expired =
        new ShipmentException(
            Fault.PEER_GONE,
            format("%s, and was not resumed within %,d ms", cause.getMessage(), resumeWindowMs),
            cause);
    expiry = home.schedule(() -> shipment.onGone(expired), resumeWindowMs, TimeUnit.MILLISECONDS);
  }

  /** Waits for the worker without a timeout: another part of the server ends the shipment. */
  void await() {
    leaveAll();
    state = State.SUSPENDED;
  }

  /** Drops all connections, and releases their credit as soon as every frame is decoded. */
  private void leaveAll() {
    carrying.forEach(ServerConnection::drop);
    carrying.clear();
    resuming = null;
    cancelExpiry();
    quota.release();
  }

  private void cancelExpiry() {
    ScheduledFuture<?> pending = expiry;
    expiry = null;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  /** Releases the credit, because the cargo is complete and no further frame will come. */
  void endCredit() {
    if (state == State.SHIPPING) {
      carrying.forEach(ServerConnection::endCredit);
      quota.release();
    }
  }

  boolean areResumable() {
    return resumable;
  }

  boolean areShipping() {
    return state == State.SHIPPING;
  }

  boolean areSuspended() {
    return state == State.SUSPENDED;
  }

  /** Checks whether frames of this connection belong to the shipment. */
  boolean carries(ServerConnection connection) {
    return carrying.contains(connection);
  }

  boolean has(ServerConnection connection) {
    return connection.equals(resuming) || carries(connection);
  }

  /** Returns the connection whose worker waits to resume the shipment; null if there is none. */
  @Nullable ServerConnection resuming() {
    return resuming;
  }

  boolean haveUndecoded() {
    return carrying.stream().anyMatch(ServerConnection::hasUndecoded);
  }

  void tellFirst(ByteBuffer answer) {
    if (!carrying.isEmpty()) {
      carrying.get(0).tell(answer);
    }
  }

  /** Ends the connections of a committed shipment. */
  void finish() {
    carrying.forEach(ServerConnection::expectNext);
    carrying.clear();
  }

  /** Sends the failure over every connection, since the worker may read any of them first. */
  void endWith(ShipmentException cause) {
    carrying.forEach(connection -> connection.endWith(cause));
    carrying.clear();
    if (resuming != null) {
      resuming.endWith(cause);
    }
  }

  /** Ends all, because the shipment is over. Must be called once only. */
  void end() {
    leaveAll();
    state = State.OVER;
    quota.close();
  }
}
