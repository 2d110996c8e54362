package io.drayage.transport.netty;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Joined;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One shipment on the transactor's side, over any number of connections, one after another and at
 * the same time.
 *
 * <p>The idea: its state belongs to one event loop, the <em>home</em> of the shipment, which is
 * that of its first connection. Connections on other loops, and answers of codec threads, are
 * passed to it. So the handler is called by one thread, and nothing here needs a lock.
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
 * JOIN to resume also comes while SHIPPING: the worker may know of the loss first. A shipment whose
 * handler is not resumable goes from the loss to OVER.
 */
final class ServerShipment implements ShipmentReplies {
  private enum State {
    SHIPPING,
    SUSPENDED,
    RESUMING,
    OVER
  }

  private final InboundShipments shipments;
  private final long id;
  private final Owner owner;
  private final EventLoop home;
  private final Room room;
  private final TransportOptions options;

  /** Those that frames may come from; the first one gets the answers. */
  private final List<ServerConnection> connections = new ArrayList<>();

  private State state = State.SHIPPING;
  private boolean resumable;
  private long shareBytes;
  private int maxConnections;
  private long lastProgressNs = System.nanoTime();
  private boolean sealed;

  /** Null before the acceptance, and when the shipment is over: it holds the cargo. */
  private @Nullable ShipmentHandler handler;

  /** The connection that resumes the shipment, until it has its answer. */
  private @Nullable ServerConnection resuming;

  private @Nullable ScheduledFuture<?> expiry;

  /** The credit that it has or, while it is suspended, had. */
  private @Nullable Reservation reservation;

  private boolean reserved;
  private @Nullable Seal held;
  private @Nullable ShipmentException failure;

  /** A shipment that owns its room. On its home loop, as is the rest. */
  ServerShipment(
      InboundShipments shipments,
      long id,
      Owner owner,
      EventLoop home,
      Room room,
      TransportOptions options) {
    this.shipments = shipments;
    this.id = id;
    this.owner = owner;
    this.home = home;
    this.room = room;
    this.options = options;
  }

  /**
   * Takes the credit, or what is left of it while earlier frames are not decoded.
   *
   * @throws ShipmentException {@code REFUSED} if it is not there now
   */
  void reserve() throws ShipmentException {
    Reservation earlier = reservation;
    if (!reserved && (earlier == null || !earlier.tryHold())) {
      reservation = room.reserve();
    }
    reserved = true;
  }

  /** Gives the credit back, as soon as nothing is undecoded. */
  private void unreserve() {
    Reservation current = reservation;
    if (reserved && current != null) {
      reserved = false;
      current.letGo();
    }
  }

  void handleWith(ShipmentHandler accepted) {
    handler = accepted;
    resumable = accepted.isResumable() && !options.resumeWindow().isZero();
  }

  /** Whether it outlives a connection and may have several. */
  boolean isResumable() {
    return resumable;
  }

  /** It was refused. */
  void discard() {
    if (state != State.OVER) {
      end();
    }
  }

  /** Answers the request. */
  void begin(ServerConnection first, long creditPerConnection, int connectionLimit) {
    shareBytes = creditPerConnection;
    maxConnections = connectionLimit;
    ShipmentException already = failure;
    if (already != null) {
      first.endWith(already);
      return;
    }
    connections.add(first);
    long windowMs = resumable ? options.resumeWindow().toMillis() : 0;
    Token shown = resumable ? owner.token() : Token.NONE;
    Accepted answer = new Accepted(id, shareBytes, shown, windowMs, maxConnections);
    first.bind(this, newWindow(), answer.toFrame());
  }

  private CreditWindow newWindow() {
    return new CreditWindow(
        shareBytes, Objects.requireNonNull(reservation, "reserved before it is shipping"));
  }

  @Override
  public long shipmentId() {
    return id;
  }

  /** Who may join. On any thread. */
  Owner owner() {
    return owner;
  }

  /** A further connection, whose token is right, from any event loop. */
  void join(ServerConnection connection, Join.Purpose purpose) {
    onHome(
        () -> {
          if (purpose == Join.Purpose.STRIPE) {
            addStripe(connection);
          } else if (state == State.OVER || !resumable) {
            connection.answerForEnded(id);
          } else {
            resumeOver(connection);
          }
        });
  }

  private void addStripe(ServerConnection connection) {
    if (state != State.SHIPPING || connections.size() >= maxConnections) {
      connection.endWith(
          new ShipmentException(
              Fault.REFUSED,
              "shipment %d is %s and has %d connections of %d"
                  .formatted(id, state, connections.size(), maxConnections)));
      return;
    }
    connections.add(connection);
    connection.bind(this, newWindow(), new Joined(shareBytes, new BitSet()).toFrame(id));
  }

  private void resumeOver(ServerConnection connection) {
    ShipmentHandler target = handler;
    if (target == null) {
      return;
    }
    ServerConnection earlier = resuming;
    if (earlier != null) {
      earlier.drop();
    }
    dropConnections();
    cancelExpiry();
    resuming = connection;
    state = State.RESUMING;
    connection.await(this);
    // Its failure is an argument of onSettled.
    CompletableFuture<BitSet> unused =
        target
            .settled()
            .whenComplete(
                (received, error) -> onHome(() -> onSettled(connection, received, error)));
  }

  /** Identity: the answer is for the connection that asked last, and for no other. */
  @SuppressWarnings("ReferenceEquality")
  private void onSettled(
      ServerConnection connection, @Nullable BitSet received, @Nullable Throwable error) {
    if (resuming != connection) {
      return;
    }
    if (received == null) {
      Throwable cause = error == null ? new IllegalStateException("no segments") : error;
      failNow(ShipmentException.of(cause));
      return;
    }
    resuming = null;
    try {
      reserve();
    } catch (ShipmentException e) {
      // Its worker comes again, as after any loss.
      connection.endWith(new ShipmentException(Fault.PEER_GONE, e.getMessage(), e));
      suspend(e);
      return;
    }
    state = State.SHIPPING;
    lastProgressNs = System.nanoTime();
    connections.add(connection);
    connection.bind(this, newWindow(), new Joined(shareBytes, received).toFrame(id));
    Seal whole = held;
    if (whole != null) {
      connection.tell(whole.toFrame(FrameType.HELD, id));
    }
  }

  /** A frame of a connection of this shipment, from its event loop. Owns the lease. */
  void onFrame(ServerConnection connection, Lease frame) {
    if (!onHome(() -> deliver(connection, frame))) {
      frame.close();
    }
  }

  private void deliver(ServerConnection connection, Lease frame) {
    ShipmentHandler target = handler;
    if (target == null || !connections.contains(connection)) {
      frame.close();
      return;
    }
    lastProgressNs = System.nanoTime();
    sealed |= FrameHeader.type(frame.buffer()) == FrameType.SEAL;
    target.onFrame(frame);
  }

  /** A connection is gone or silent. Costs the shipment no more than a delay, if it can be. */
  void onLost(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (forget(connection) && state != State.OVER) {
            suspend(cause);
          }
        });
  }

  /**
   * A connection was gone before its worker had its answer. Beside others that costs nothing: no
   * frame can have come over it.
   */
  void onUnused(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (forget(connection) && connections.isEmpty() && state != State.OVER) {
            suspend(cause);
          }
        });
  }

  /** Whether it was one of this shipment's. Identity, as above. */
  @SuppressWarnings("ReferenceEquality")
  private boolean forget(ServerConnection connection) {
    if (resuming == connection) {
      resuming = null;
      return true;
    }
    return connections.remove(connection);
  }

  private void suspend(ShipmentException cause) {
    dropConnections();
    if (!resumable || shipments.isDraining()) {
      abort(cause);
      return;
    }
    state = State.SUSPENDED;
    unreserve();
    long windowMs = options.resumeWindow().toMillis();
    cancelExpiry();
    expiry =
        home.schedule(
            () ->
                abort(
                    new ShipmentException(
                        Fault.PEER_GONE,
                        "%s, and was not resumed within %,d ms"
                            .formatted(cause.getMessage(), windowMs),
                        cause)),
            windowMs,
            TimeUnit.MILLISECONDS);
  }

  private void dropConnections() {
    connections.forEach(ServerConnection::drop);
    connections.clear();
  }

  private void cancelExpiry() {
    ScheduledFuture<?> pending = expiry;
    expiry = null;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  /** A connection sent what it must not: the shipment is over. */
  void onFault(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (connections.contains(connection)) {
            endByUs(cause);
          }
        });
  }

  /** The worker has given it up. Identity, as above. */
  @SuppressWarnings("ReferenceEquality")
  void onCancelled(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (connections.contains(connection) || resuming == connection) {
            abort(cause);
          }
        });
  }

  /** Fails it if the worker could have sent something for so long and has not. */
  void checkProgress() {
    onHome(
        () -> {
          long nowNs = System.nanoTime();
          boolean ours = connections.stream().anyMatch(ServerConnection::hasUndecoded);
          if (ours || held != null || state != State.SHIPPING) {
            lastProgressNs = nowNs;
          } else if (nowNs - lastProgressNs > options.stallTimeout().toNanos()) {
            endByUs(stalled());
          }
        });
  }

  private ShipmentException stalled() {
    long ms = options.stallTimeout().toMillis();
    return sealed
        ? new ShipmentException(
            Fault.SEGMENT_MISSING,
            "shipment %d was sealed, and what is missing did not come within %,d ms"
                .formatted(id, ms))
        : new ShipmentException(
            Fault.CANCELLED,
            "shipment %d made no progress for %,d ms although it had credit".formatted(id, ms));
  }

  /** The server is closed: nobody can resume it any more. From any thread. */
  void endIfSuspended() {
    onHome(
        () -> {
          if (state == State.SUSPENDED) {
            abort(new ShipmentException(Fault.CANCELLED, "the transactor is shutting down"));
          }
        });
  }

  /** Tells the handler and the peer, as far as they can still be told. From any thread. */
  void shutDown(ShipmentException cause) {
    onHome(() -> endByUs(cause));
  }

  @Override
  public void held(Seal seal) {
    onHome(
        () -> {
          held = seal;
          tellFirst(seal.toFrame(FrameType.HELD, id));
        });
  }

  private void tellFirst(ByteBuffer answer) {
    if (!connections.isEmpty()) {
      connections.get(0).tell(answer);
    }
  }

  @Override
  public void committed(long snapshotTimestamp) {
    onHome(
        () -> {
          Seal whole = held;
          if (whole == null) {
            return;
          }
          // Also if it was ended meanwhile: its worker may still ask what became of it.
          keepEnd(EndedShipments.Ended.committed(owner, whole, snapshotTimestamp));
          if (state == State.OVER) {
            return;
          }
          tellFirst(ControlFrame.committed(id, snapshotTimestamp));
          connections.forEach(ServerConnection::finish);
          ServerConnection waiting = resuming;
          end();
          if (waiting != null) {
            waiting.answerForEnded(id);
          }
        });
  }

  @Override
  public void failed(ShipmentException cause) {
    onHome(() -> failNow(cause));
  }

  /** The handler knows. Every connection is told: whichever the worker reads first. */
  private void failNow(ShipmentException cause) {
    if (state == State.OVER) {
      return;
    }
    failure = cause;
    keepEnd(EndedShipments.Ended.failed(owner, cause));
    connections.forEach(connection -> connection.endWith(cause));
    ServerConnection waiting = resuming;
    if (waiting != null) {
      waiting.endWith(cause);
    }
    end();
  }

  /** As {@link #failNow}, and the handler is told. */
  private void endByUs(ShipmentException cause) {
    ShipmentHandler target = handler;
    if (state != State.OVER) {
      failNow(cause);
      if (target != null) {
        target.onAborted(cause);
      }
    }
  }

  /**
   * Nobody is there to be told but the handler. Once the cargo is whole its commit goes on and is
   * what ends the shipment, so that a worker that resumes it meanwhile hears the outcome.
   */
  private void abort(ShipmentException cause) {
    ShipmentHandler target = handler;
    if (state == State.OVER) {
      return;
    }
    dropConnections();
    if (held != null && resumable) {
      state = State.SUSPENDED;
      resuming = null;
      cancelExpiry();
      unreserve();
      return;
    }
    end();
    if (target != null) {
      target.onAborted(cause);
    }
  }

  private void keepEnd(EndedShipments.Ended end) {
    if (resumable) {
      shipments.keepEnd(id, end);
    }
  }

  private void end() {
    state = State.OVER;
    handler = null;
    resuming = null;
    connections.clear();
    cancelExpiry();
    shipments.remove(this);
    unreserve();
    room.close();
  }

  /** Runs it on the home loop, at once if this is it; false if that loop has ended. */
  private boolean onHome(Runnable task) {
    if (home.inEventLoop()) {
      task.run();
      return true;
    }
    try {
      home.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }
}
