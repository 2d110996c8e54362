package io.drayage.transport.netty;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Credit;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Joined;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.TransportOptions;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection on the transactor's side. Its state belongs to its event loop, which need not be
 * that of its shipment; what the shipment asks of it is passed to its loop.
 *
 * <pre>
 *   EXPECTED --OPEN or JOIN--> JOINING --accepted--> BOUND --> OVER
 *       \_________________________\___________________________/
 * </pre>
 */
final class ServerConnection extends ChannelInboundHandlerAdapter implements FrameListener {
  /** A frame that has begun must be whole after so many idle timeouts. */
  static final int FRAME_TIMEOUT_FACTOR = 4;

  private static final int CHECKS_PER_TIMEOUT = 4;

  private enum State {
    EXPECTED,
    JOINING,
    BOUND,
    OVER
  }

  private final SocketChannel channel;
  private final InetAddress peer;
  private final InboundShipments shipments;
  private final TransportOptions options;
  private final FrameReceiver frames;
  private State state = State.EXPECTED;
  private @Nullable ServerShipment shipment;

  /** Why the worker gave the shipment up, which may be before the shipment knows of it. */
  private @Nullable ShipmentException cancelled;

  private long watchedFrame = FrameReceiver.NO_FRAME;
  private long watchedSinceNs;

  /** Set once, on the event loop; the home loop of the shipment looks at it as well. */
  private volatile @Nullable CreditWindow window;

  ServerConnection(
      SocketChannel channel,
      InetAddress peer,
      InboundShipments shipments,
      FrameBuffers buffers,
      TransportOptions options) {
    this.channel = channel;
    this.peer = peer;
    this.shipments = shipments;
    this.options = options;
    this.frames = new FrameReceiver(this, buffers);
  }

  void attach() {
    Channels.prepare(channel, frames, this, options);
    long openNs = options.openTimeout().toNanos();
    ScheduledFuture<?> openDeadline =
        eventLoop().schedule(this::requireOpened, openNs, TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> openDeadline.cancel(false));
  }

  /** A connection that asks for nothing is not kept, however many heartbeats it sends. */
  private void requireOpened() {
    if (state == State.EXPECTED) {
      Channels.close(channel);
    }
  }

  EventLoop eventLoop() {
    return channel.eventLoop();
  }

  InetAddress peer() {
    return peer;
  }

  /** The name that the worker's certificate proves; null if it needs none. On the event loop. */
  @Nullable String provenWorker() {
    return TlsWorkerName.of(channel);
  }

  /** Whether frames are here that are not decoded. On any thread. */
  boolean hasUndecoded() {
    CreditWindow credit = window;
    return credit != null && credit.hasUndecoded();
  }

  @Override
  public void beforeFrame(FrameType type, int frameBytes) throws ShipmentException {
    boolean expected =
        switch (type) {
          case OPEN, JOIN -> state == State.EXPECTED;
          case MANIFEST, SEGMENT, CHUNK, SEAL -> state == State.BOUND;
          case CANCEL, HEARTBEAT -> true;
          default -> false;
        };
    if (!expected) {
      throw new ShipmentException(
          Fault.FOREIGN,
          "a %s frame came at a wrong time (connection %s)".formatted(type, remote()));
    }
    CreditWindow credit = window;
    if (type.needsCredit() && credit != null) {
      credit.take(frameBytes);
    }
  }

  @Override
  public void onFrame(FrameType type, Lease frame) throws ShipmentException {
    if (type.needsCredit()) {
      onBulkFrame(frame);
      return;
    }
    try (frame) {
      ByteBuffer bytes = frame.buffer();
      long shipmentId = FrameHeader.shipmentId(bytes);
      ByteBuffer payload = FrameHeader.verify(bytes);
      switch (type) {
        case OPEN -> onOpen(payload);
        case JOIN -> onJoin(shipmentId, Join.ofPayload(payload));
        case CANCEL -> onCancel(Failure.ofPayload(payload));
        default -> {
          // A heartbeat says nothing but that the peer lives; any byte does.
        }
      }
    }
  }

  private void onOpen(ByteBuffer payload) throws ShipmentException {
    int wanted = ShipmentHeader.connections(payload);
    shipment =
        shipments.open(
            TlsWorkerName.proven(channel, ShipmentHeader.ofPayload(payload)), wanted, this);
  }

  private void onJoin(long shipmentId, Join join) throws ShipmentException {
    state = State.JOINING;
    ServerShipment found = shipments.find(shipmentId);
    EndedShipments.Ended ended = shipments.findEnded(shipmentId);
    if (found == null && ended == null) {
      throw new ShipmentException(
          Fault.EXPIRED, "shipment %d is not known here, or no longer".formatted(shipmentId));
    }
    Owner owner = found != null ? found.owner() : ended.owner();
    if (!owner.admits(join.token(), provenWorker())) {
      throw new ShipmentException(
          Fault.REFUSED,
          "the token is not that of shipment %d, or of another worker".formatted(shipmentId));
    }
    if (found != null) {
      found.join(this, join.purpose());
    } else if (join.purpose() == Join.Purpose.RESUME) {
      answer(shipmentId, ended);
    } else {
      // The connection beside which it was to be has the answer already, or will.
      throw new ShipmentException(Fault.REFUSED, "shipment %d is over".formatted(shipmentId));
    }
  }

  private void onBulkFrame(Lease frame) throws ShipmentException {
    CreditWindow credit = window;
    ServerShipment target = shipment;
    ByteBuffer bytes = frame.buffer();
    int frameBytes = bytes.remaining();
    if (credit == null || target == null) {
      frame.close();
      return;
    }
    credit.arrived();
    Lease charged =
        new Lease(
            bytes,
            () -> {
              frame.close();
              renew(target, credit.giveBack(frameBytes));
            });
    long stated = FrameHeader.shipmentId(bytes);
    if (stated != target.shipmentId()) {
      charged.close();
      throw new ShipmentException(
          Fault.FOREIGN,
          "a frame of shipment %d came in shipment %d (connection %s)"
              .formatted(stated, target.shipmentId(), remote()));
    }
    target.onFrame(this, charged);
  }

  private void renew(ServerShipment target, long bytes) {
    if (bytes > 0) {
      tell(ControlFrame.credit(target.shipmentId(), bytes));
    }
  }

  private void onCancel(ShipmentException cause) {
    ServerShipment target = shipment;
    cancelled = cause;
    close();
    if (target != null) {
      target.onCancelled(this, cause);
    }
  }

  // What the shipment asks of it, from its home loop.

  /** It resumes the shipment, and waits for the answer. */
  void await(ServerShipment joined) {
    onLoop(
        () -> {
          shipment = joined;
          ShipmentException givenUp = cancelled;
          if (givenUp != null) {
            joined.onCancelled(this, givenUp);
          } else if (state == State.OVER) {
            joined.onLost(this, gone());
          }
        });
  }

  /** It is the shipment's now: writes the answer and takes frames. */
  void bind(ServerShipment joined, CreditWindow credit, ByteBuffer answer) {
    onLoop(
        () -> {
          window = credit;
          shipment = joined;
          if (state == State.OVER) {
            credit.close();
            joined.onUnused(this, gone());
            return;
          }
          state = State.BOUND;
          tell(answer);
          watch();
        });
  }

  /** Writes an answer. */
  void tell(ByteBuffer controlFrame) {
    Channels.write(channel, controlFrame);
  }

  /** The shipment is committed: the connection is the peer's to close. */
  void finish() {
    onLoop(
        () -> {
          end();
          frames.discardFurther();
          Channels.closeLater(channel, options.idleTimeout());
        });
  }

  /** The server is closed, and nothing was asked for. */
  void closeUnlessBound() {
    onLoop(
        () -> {
          if (state == State.EXPECTED) {
            close();
          }
        });
  }

  /** The shipment goes on without it. */
  void drop() {
    onLoop(this::close);
  }

  /**
   * Sends the reason and then drops whatever comes, until the peer closes: closing with unread
   * bytes would reset the connection, and the peer might never read the reason.
   */
  void endWith(ShipmentException cause) {
    onLoop(() -> answerFailure(cause));
  }

  /** Answers a worker that asks again for a shipment that is over. */
  void answerForEnded(long shipmentId) {
    onLoop(
        () -> {
          EndedShipments.Ended ended = shipments.findEnded(shipmentId);
          if (ended == null) {
            answerFailure(
                new ShipmentException(Fault.EXPIRED, "shipment %d is over".formatted(shipmentId)));
          } else {
            answer(shipmentId, ended);
          }
        });
  }

  private void answer(long shipmentId, EndedShipments.Ended ended) {
    ShipmentException failure = ended.failure();
    if (failure != null) {
      answerFailure(failure);
      return;
    }
    tell(new Joined(Credit.MAX_CHARGE_BYTES, Joined.everySegment()).toFrame(shipmentId));
    tell(ended.held().toFrame(FrameType.HELD, shipmentId));
    tell(ControlFrame.committed(shipmentId, ended.snapshotTimestamp()));
    finish();
  }

  private void answerFailure(ShipmentException cause) {
    if (state == State.OVER) {
      return;
    }
    ServerShipment ended = shipment;
    end();
    frames.discardFurther();
    long shipmentId = ended == null ? 0 : ended.shipmentId();
    tell(Failure.toFrame(FrameType.FAILED, shipmentId, cause));
    Channels.closeLater(channel, options.idleTimeout());
  }

  // What ends it.

  @Override
  public void onBadFrame(ShipmentException cause) {
    fault(cause);
  }

  private void fault(ShipmentException cause) {
    ServerShipment target = shipment;
    answerFailure(cause);
    if (target != null) {
      target.onFault(this, cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    lose(gone());
  }

  private ShipmentException gone() {
    return new ShipmentException(
        Fault.PEER_GONE, "the connection from %s was closed".formatted(remote()));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof ShipmentException named) {
      onBadFrame(named);
      return;
    }
    lose(
        new ShipmentException(
            Fault.PEER_GONE,
            "the connection from %s broke: %s".formatted(remote(), cause.getMessage()),
            cause));
    Channels.close(channel);
  }

  private void lose(ShipmentException cause) {
    ServerShipment target = shipment;
    end();
    if (target != null) {
      target.onLost(this, cause);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      return;
    }
    ServerShipment target = shipment;
    if (idle.state() == IdleState.READER_IDLE) {
      // It may be us whom the worker waits for.
      if (!hasUndecoded()) {
        onSilence();
      }
    } else if (target != null && state != State.OVER) {
      Channels.heartbeat(channel, target.shipmentId());
    }
  }

  /** The worker may speak again, for it may only have slept: it still reads why. */
  private void onSilence() {
    if (state == State.OVER) {
      Channels.close(channel);
      return;
    }
    ShipmentException cause =
        new ShipmentException(
            Fault.PEER_SILENT,
            "%s was silent for %,d ms".formatted(remote(), options.idleTimeout().toMillis()));
    ServerShipment target = shipment;
    answerFailure(cause);
    if (target != null) {
      target.onLost(this, cause);
    }
  }

  /** From now on, looks now and then whether the peer gets on. */
  private void watch() {
    long frameNs = options.idleTimeout().toNanos() * FRAME_TIMEOUT_FACTOR;
    long periodNs = Math.min(frameNs, options.stallTimeout().toNanos()) / CHECKS_PER_TIMEOUT;
    ScheduledFuture<?> checks =
        eventLoop()
            .scheduleWithFixedDelay(() -> check(frameNs), periodNs, periodNs, TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> checks.cancel(false));
  }

  private void check(long frameNs) {
    ServerShipment target = shipment;
    if (state != State.BOUND || target == null) {
      return;
    }
    long frame = frames.frameUnderWay();
    long nowNs = System.nanoTime();
    if (frame != watchedFrame || frame == FrameReceiver.NO_FRAME) {
      watchedFrame = frame;
      watchedSinceNs = nowNs;
    } else if (nowNs - watchedSinceNs > frameNs) {
      fault(
          new ShipmentException(
              Fault.CANCELLED,
              "a frame from %s was not complete after %,d ms"
                  .formatted(remote(), TimeUnit.NANOSECONDS.toMillis(frameNs))));
      return;
    }
    target.checkProgress();
  }

  private void close() {
    end();
    Channels.close(channel);
  }

  private void end() {
    state = State.OVER;
    shipment = null;
    CreditWindow credit = window;
    if (credit != null) {
      credit.close();
    }
  }

  private String remote() {
    return String.valueOf(channel.remoteAddress());
  }

  private void onLoop(Runnable task) {
    if (eventLoop().inEventLoop()) {
      task.run();
      return;
    }
    try {
      eventLoop().execute(task);
    } catch (RejectedExecutionException ended) {
      // So has the server, and with it this connection.
      return;
    }
  }
}
