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
import io.drayage.transport.ShipmentWatch;
import io.drayage.transport.TransportOptions;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.BitSet;
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
 * handler is not resumable goes from the loss to OVER. Once the cargo is received only the commit
 * ends a resumable shipment, so that a worker that resumes it hears the outcome.
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
  private final CreditQuota quota;
  private final TransportOptions options;
  private final ShipmentWatch watch;
  private final ServerConnections connections = new ServerConnections();
  private State state = State.SHIPPING;
  private boolean resumable;
  private int maxConnections;

  /** Null before the acceptance, and when the shipment is over: it refers to the cargo. */
  private @Nullable ShipmentHandler handler;

  private @Nullable ScheduledFuture<?> expiry;
  private @Nullable Seal received;
  private @Nullable ShipmentException failure;

  /** A shipment that owns its quota. On its home loop, as is the rest. */
  ServerShipment(
      InboundShipments shipments,
      long id,
      Owner owner,
      EventLoop home,
      CreditQuota quota,
      TransportOptions options) {
    this.shipments = shipments;
    this.id = id;
    this.owner = owner;
    this.home = home;
    this.quota = quota;
    this.options = options;
    this.watch = new ShipmentWatch(id, options, System::nanoTime);
  }

  @Override
  public long shipmentId() {
    return id;
  }

  /** Who may join. On any thread. */
  Owner owner() {
    return owner;
  }

  void handleWith(ShipmentHandler accepted) {
    handler = accepted;
    resumable = accepted.isResumable() && !options.resumeWindow().isZero();
  }

  /** It was refused. */
  void discard() {
    if (state != State.OVER) {
      end();
    }
  }

  /** Answers the request; {@code wanted} connections may follow, as far as there is credit. */
  void begin(ServerConnection first, int wanted) {
    maxConnections = resumable ? quota.reserveFor(wanted) : 1;
    ShipmentException already = failure;
    if (already != null) {
      first.endWith(already);
      return;
    }
    connections.add(first);
    long windowMs = resumable ? options.resumeWindow().toMillis() : 0;
    Token shown = resumable ? owner.token() : Token.NONE;
    Accepted answer = new Accepted(id, quota.shareBytes(), shown, windowMs, maxConnections);
    first.bind(this, quota.newWindow(), answer.toFrame());
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
    if (state != State.SHIPPING || connections.count() >= maxConnections) {
      connection.endWith(
          new ShipmentException(
              Fault.REFUSED,
              "shipment %d is %s and has %d connections of %d"
                  .formatted(id, state, connections.count(), maxConnections)));
      return;
    }
    add(connection, new BitSet());
  }

  private void add(ServerConnection connection, BitSet segments) {
    connections.add(connection);
    Joined answer = new Joined(quota.shareBytes(), segments);
    connection.bind(this, quota.newWindow(), answer.toFrame(id));
  }

  /** Answers when no frame of the earlier connections is undecoded or in memory. */
  private void resumeOver(ServerConnection connection) {
    ShipmentHandler target = handler;
    if (target == null) {
      return;
    }
    connections.resumeOver(connection);
    cancelExpiry();
    quota.release();
    state = State.RESUMING;
    connection.await(this);
    // Its failure is an argument of onSettled.
    CompletableFuture<BitSet> unused =
        target
            .settled()
            .thenCombine(quota.whenReleased(), (segments, done) -> segments)
            .whenComplete((segments, e) -> onHome(() -> onSettled(connection, segments, e)));
  }

  /** The answer is for the connection that asked last, and for no other. */
  private void onSettled(
      ServerConnection connection, @Nullable BitSet segments, @Nullable Throwable error) {
    if (!connections.isResuming(connection)) {
      return;
    }
    if (segments == null) {
      Throwable cause = error == null ? new IllegalStateException("no segments") : error;
      failNow(ShipmentException.of(cause));
      return;
    }
    connections.endResuming();
    try {
      quota.reserve();
    } catch (ShipmentException e) {
      // Its worker tries again, as after any loss.
      connection.endWith(new ShipmentException(Fault.PEER_GONE, e.getMessage(), e));
      suspend(e);
      return;
    }
    state = State.SHIPPING;
    watch.progressed();
    add(connection, segments);
    Seal whole = received;
    if (whole != null) {
      connection.tell(whole.toFrame(FrameType.HELD, id));
    }
  }

  /** A frame of a connection of this shipment, from its event loop. Owns the lease. */
  void onFrame(ServerConnection connection, Lease frame) {
    if (!onHome(() -> deliver(connection, frame))) {
      frame.release();
    }
  }

  private void deliver(ServerConnection connection, Lease frame) {
    ShipmentHandler target = handler;
    if (target == null || !connections.carries(connection)) {
      frame.release();
      return;
    }
    watch.progressed();
    if (FrameHeader.type(frame.buffer()) == FrameType.SEAL) {
      watch.sealed();
    }
    target.onFrame(frame);
  }

  /** A connection is gone or silent. Costs a resumable shipment only time. */
  void onLost(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (connections.remove(connection) && state != State.OVER) {
            suspend(cause);
          }
        });
  }

  /** A connection was gone before its worker had the answer: no frame can have come over it. */
  void onUnused(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          boolean wasOurs = connections.remove(connection);
          if (wasOurs && connections.count() == 0 && state != State.OVER) {
            suspend(cause);
          }
        });
  }

  private void suspend(ShipmentException cause) {
    connections.drop();
    if (!resumable || shipments.isDraining()) {
      abort(cause);
      return;
    }
    state = State.SUSPENDED;
    quota.release();
    long windowMs = options.resumeWindow().toMillis();
    ShipmentException expired =
        new ShipmentException(
            Fault.PEER_GONE,
            "%s, and was not resumed within %,d ms".formatted(cause.getMessage(), windowMs),
            cause);
    cancelExpiry();
    expiry = home.schedule(() -> abort(expired), windowMs, TimeUnit.MILLISECONDS);
  }

  private void cancelExpiry() {
    ScheduledFuture<?> pending = expiry;
    expiry = null;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  /** A connection violated the protocol: the shipment is over. */
  void onFault(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (connections.carries(connection)) {
            endByUs(cause);
          }
        });
  }

  /** The worker has cancelled the shipment. */
  void onCancelled(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (connections.has(connection)) {
            abort(cause);
          }
        });
  }

  /** Fails it if the worker could have sent something for too long and has not. */
  void checkProgress() {
    onHome(
        () -> {
          if (received != null || state != State.SHIPPING || connections.haveUndecoded()) {
            watch.progressed();
            return;
          }
          ShipmentException stalled = watch.stall();
          if (stalled != null) {
            endByUs(stalled);
          }
        });
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
          received = seal;
          connections.tellFirst(seal.toFrame(FrameType.HELD, id));
        });
  }

  @Override
  public void committed(long snapshotTimestamp) {
    onHome(
        () -> {
          Seal whole = received;
          if (whole == null) {
            return;
          }
          // Even if it was ended meanwhile: its worker may still ask for the outcome.
          keepEnd(EndedShipments.Ended.committed(owner, whole, snapshotTimestamp));
          if (state != State.OVER) {
            connections.tellFirst(ControlFrame.committed(id, snapshotTimestamp));
            connections.finish(id);
            end();
          }
        });
  }

  @Override
  public void failed(ShipmentException cause) {
    onHome(() -> failNow(cause));
  }

  /** The handler knows. */
  private void failNow(ShipmentException cause) {
    if (state != State.OVER) {
      failure = cause;
      keepEnd(EndedShipments.Ended.failed(owner, cause));
      connections.endWith(cause);
      end();
    }
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

  /** Tells the handler alone. */
  private void abort(ShipmentException cause) {
    ShipmentHandler target = handler;
    if (state == State.OVER) {
      return;
    }
    connections.drop();
    connections.endResuming();
    if (received != null && resumable) {
      state = State.SUSPENDED;
      cancelExpiry();
      quota.release();
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
    connections.clear();
    cancelExpiry();
    shipments.remove(this);
    quota.close();
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
