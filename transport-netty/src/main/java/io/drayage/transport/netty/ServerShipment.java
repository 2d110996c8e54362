package io.drayage.transport.netty;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.internal.FatalErrors;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.internal.ShipmentWatch;
import io.drayage.transport.netty.ServerShipmentState.Event;
import io.drayage.transport.netty.ServerShipmentState.Transition;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One shipment on the transactor's side: its frames, its answers and its end, over all its
 * {@linkplain ServerConnections connections}.
 *
 * <p>The state belongs to one event loop, the <em>home</em> of the shipment, which is that of its
 * first connection. Connections on other loops, and answers of codec threads, are passed to the
 * home loop. So one thread calls the handler, and nothing here needs a lock.
 *
 * <p>{@link ServerShipmentState} lists the transitions. A transition changes the state last, so
 * that a transition that failed because memory was missing can be tried again.
 */
final class ServerShipment implements ShipmentReplies {
  /**
   * The owner of a shipment. A peer may join if it knows the token and, where certificates prove
   * names, has the name of the worker that opened the shipment.
   *
   * @param worker null if the server does not ask for certificates
   */
  record Owner(Token token, @Nullable String worker) {
    /** Checks whether a connection with this token and proven name of a worker may join. */
    boolean admits(Token shown, @Nullable String provenWorker) {
      boolean sameWorker = worker == null ? provenWorker == null : worker.equals(provenWorker);
      return token.matches(shown) && sameWorker;
    }
  }

  private final ServerShipments shipments;
  private final long id;
  private final Owner owner;
  private final EventLoop home;
  private final CreditQuota quota;
  private final ServerConnections connections;
  private final ShipmentWatch watch;

  private ServerShipmentState state = ServerShipmentState.OPENING;

  /** The waiting request; null once it is accepted. */
  private @Nullable ServerOpening opening;

  /** Whether frames need not have the number of the shipment. */
  private boolean isOfSmallCargo;

  /** The handler, which refers to the cargo; null unless the state is RECEIVING or RECEIVED. */
  private volatile @Nullable ShipmentHandler handler;

  /** The seal, once the cargo is complete. */
  private @Nullable Seal received;

  /** Owns the quota. For the home loop only, like all methods that do not say otherwise. */
  ServerShipment(
      ServerShipments shipments,
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
    this.connections = new ServerConnections(this, home, quota, options);
    this.watch = new ShipmentWatch(id, options, System::nanoTime);
  }

  @Override
  public long shipmentId() {
    return id;
  }

  /** Returns the owner. Thread-safe. */
  Owner owner() {
    return owner;
  }

  /** Waits for room, and then answers the request of its first connection. */
  void open(ShipmentHeader header, OpenRequest wanted, ServerConnection first) {
    isOfSmallCargo = wanted.isOfSmallCargo();
    ServerOpening request = new ServerOpening(quota, first);
    opening = request;
    request.begin(home, wanted, () -> accept(header, wanted, first), this::onFailed);
  }

  private void accept(ShipmentHeader header, OpenRequest wanted, ServerConnection first) {
    try {
      ShipmentHandler accepted = shipments.accept(header, this);
      if (state.on(Event.ACCEPTED) == Transition.BEGIN) { // Otherwise the handler has failed it.
        state = ServerShipmentState.RECEIVING;
        opening = null;
        handler = accepted;
        watch.progressed();
        connections.begin(first, wanted.connections(), accepted);
      }
    } catch (Throwable e) {
      FatalErrors.report(e);
      onFailed(ShipmentException.of(e));
    }
  }

  /** Checks whether the cargo is small. Thread-safe. */
  boolean isOfSmallCargo() {
    return isOfSmallCargo;
  }

  /** Checks whether a frame that states this number may be of the shipment. Thread-safe. */
  boolean mayState(long number) {
    return number == id || (number == 0 && isOfSmallCargo);
  }

  /** Checks whether this connection waits for the answer to its request. */
  private boolean isOpening(ServerConnection connection) {
    ServerOpening request = opening;
    return request != null && request.isOver(connection);
  }

  /** Adds a further connection, whose token was checked. From any event loop. */
  void join(ServerConnection connection, Join.Purpose purpose) {
    onHome(
        () -> {
          ShipmentHandler target = handler;
          if (purpose == Join.Purpose.STRIPE) {
            connections.addStripe(connection);
          } else if (target == null || !connections.areResumable()) {
            shipments.answerEnded(connection, id);
          } else {
            connections.resumeOver(connection, target);
          }
        });
  }

  /** Continues over this connection. */
  void onResumed(ServerConnection connection) {
    watch.progressed();
    Seal whole = received;
    if (whole != null) {
      connection.tell(whole.toFrame(FrameType.HELD, id));
    }
  }

  /** Receives a frame, on the event loop of its connection. Owns the lease. */
  void onFrame(ServerConnection connection, Lease frame) {
    ShipmentHandler target = handler;
    if (target != null
        && FrameHeader.type(frame.buffer()) == FrameType.SEGMENT
        && target.decodesHere(frame.buffer())) {
      watch.progressed();
      target.onSegment(frame);
      return;
    }
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

  /** Passes on {@link ServerConnections#onLost}, from the connection's event loop. */
  void onLost(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (isOpening(connection)) {
            on(Event.GONE, cause);
          } else {
            connections.onLost(connection, cause);
          }
        });
  }

  /** Passes on {@link ServerConnections#onUnused}, from the connection's event loop. */
  void onUnused(ServerConnection connection, ShipmentException cause) {
    onHome(() -> connections.onUnused(connection, cause));
  }

  /** Ends the shipment because a connection violated the protocol. */
  void onFault(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (isOpening(connection) || connections.carries(connection)) {
            on(Event.FAULT, cause);
          }
        });
  }

  /** Ends the shipment because the worker has cancelled it. */
  void onCancelled(ServerConnection connection, ShipmentException cause) {
    onHome(
        () -> {
          if (isOpening(connection) || connections.has(connection)) {
            on(Event.GONE, cause);
          }
        });
  }

  /** Fails the shipment if the worker could send for too long and did not. */
  void checkProgress() {
    onHome(
        () -> {
          if (received != null || !connections.areShipping() || connections.haveUndecoded()) {
            watch.progressed();
            return;
          }
          ShipmentException stalled = watch.stall();
          if (stalled != null) {
            on(Event.FAULT, stalled);
          }
        });
  }

  /** Checks whether the server is being closed, so that nobody can resume the shipment any more. */
  boolean isDraining() {
    return shipments.isDraining();
  }

  /** Ends a shipment that waits for room or for its worker, because the server is being closed. */
  void endIfIdle() {
    onHome(
        () -> {
          ShipmentException cause =
              new ShipmentException(Fault.CANCELLED, "the transactor is shutting down");
          if (state == ServerShipmentState.OPENING) {
            on(Event.FAILED, cause);
          } else if (connections.areSuspended()) {
            on(Event.GONE, cause);
          }
        });
  }

  /** Notifies the handler and the peer, as far as they still need it. Thread-safe. */
  void shutDown(ShipmentException cause) {
    onHome(() -> on(Event.FAULT, cause));
  }

  @Override
  public void held(Seal seal) {
    onHome(
        () -> {
          switch (state.on(Event.HELD)) {
            case HOLD -> {
              state = ServerShipmentState.RECEIVED;
              received = seal;
              connections.tellFirst(seal.toFrame(FrameType.HELD, id));
              connections.endCredit();
            }
            case KEEP_SEAL -> received = seal;
            default -> {}
          }
        });
  }

  @Override
  public void committed(long snapshotTimestamp) {
    onHome(
        () -> {
          switch (state.on(Event.COMMITTED)) {
            case COMMIT -> {
              remember(snapshotTimestamp);
              connections.tellFirst(ControlFrame.committed(id, snapshotTimestamp));
              ServerConnection resuming = connections.resuming();
              connections.finish();
              if (resuming != null) {
                shipments.answerEnded(resuming, id);
              }
              release();
            }
            case REMEMBER -> remember(snapshotTimestamp);
            default -> {}
          }
        });
  }

  private void remember(long snapshotTimestamp) {
    Seal whole = received;
    if (whole != null) {
      keepEnd(EndedShipments.Ended.committed(owner, whole, snapshotTimestamp));
    }
  }

  @Override
  public void failed(ShipmentException cause) {
    onHome(() -> onFailed(cause));
  }

  /** Fails the shipment, if it has no handler or the handler knows the failure. */
  void onFailed(ShipmentException cause) {
    on(Event.FAILED, cause);
  }

  /** Ends the shipment because the worker is gone and will not return. */
  void onGone(ShipmentException cause) {
    on(Event.GONE, cause);
  }

  private void on(Event event, ShipmentException cause) {
    switch (state.on(event)) {
      case FAIL -> fail(cause);
      case END -> fail(cause.withOutcome(abortHandler(cause)));
      case DROP -> {
        ShipmentHandler target = handler;
        release();
        if (target != null) {
          boolean unused = target.onAborted(cause);
        }
      }
      case AWAIT -> connections.await();
      default -> {}
    }
  }

  private ShipmentException.Outcome abortHandler(ShipmentException cause) {
    ShipmentHandler target = handler;
    return target == null || target.onAborted(cause)
        ? ShipmentException.Outcome.NOT_APPLIED
        : ShipmentException.Outcome.UNKNOWN;
  }

  private void fail(ShipmentException cause) {
    ServerOpening request = opening;
    if (request != null) {
      request.answer(cause);
    }
    keepEnd(EndedShipments.Ended.failed(owner, cause));
    connections.endWith(cause);
    release();
  }

  private void keepEnd(EndedShipments.Ended end) {
    if (connections.areResumable()) {
      shipments.keepEnd(id, end);
    }
  }

  private void release() {
    ServerOpening request = opening;
    if (request != null) {
      request.end();
      opening = null;
    }
    handler = null;
    connections.end();
    state = ServerShipmentState.OVER;
    shipments.remove(this);
  }

  boolean onHome(Runnable task) {
    return Channels.runOn(home, task);
  }
}
