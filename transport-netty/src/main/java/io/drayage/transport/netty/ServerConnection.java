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
import io.drayage.transport.ShipmentWatch;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.tls.TlsWorkerName;
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
          Fault.PROTOCOL_VIOLATION,
          "a %s frame came at a wrong time (connection %s)".formatted(type, remote()));
    }
    CreditWindow credit = window;
    if (type.needsCredit() && credit != null) {
      credit.acquire(frameBytes);
    }
  }

  @Override
  public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException {
    if (type.needsCredit()) {
      onBulkFrame(frame, recycle);
      return;
    }
    try {
      ByteBuffer payload = FrameHeader.verify(frame);
      switch (type) {
        case OPEN -> onOpen(payload);
        case JOIN -> {
          state = State.JOINING;
          shipments.join(this, FrameHeader.shipmentId(frame), Join.ofPayload(payload));
        }
        case CANCEL -> onCancel(Failure.ofPayload(payload));
        default -> {
          // A heartbeat only shows that the peer lives, as any byte does.
        }
      }
    } finally {
      recycle.run();
    }
  }

  private void onOpen(ByteBuffer payload) throws ShipmentException {
    int wanted = ShipmentHeader.connections(payload);
    shipment =
        shipments.open(
            TlsWorkerName.proven(channel, ShipmentHeader.ofPayload(payload)), wanted, this);
  }

  /** The lease of the frame also renews the credit. */
  private void onBulkFrame(ByteBuffer frame, Runnable recycle) throws ShipmentException {
    CreditWindow credit = window;
    ServerShipment target = shipment;
    if (credit == null || target == null) {
      recycle.run();
      return;
    }
    credit.arrived();
    int frameBytes = frame.remaining();
    Lease lease =
        new Lease(
            frame,
            () -> {
              recycle.run();
              renew(target, credit.release(frameBytes));
            });
    long stated = FrameHeader.shipmentId(frame);
    if (stated != target.shipmentId()) {
      lease.release();
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "a frame of shipment %d came in shipment %d (connection %s)"
              .formatted(stated, target.shipmentId(), remote()));
    }
    target.onFrame(this, lease);
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
          ProgressChecks.begin(channel, frames, options, this);
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

  /** Answers a worker that asks for a shipment that is over. On the event loop. */
  void answer(long shipmentId, EndedShipments.Ended ended) {
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

  /** Ends the shipment because of this connection. On the event loop. */
  void fault(ShipmentException cause) {
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
    ShipmentException cause = ShipmentWatch.silent(remote(), options.idleTimeout().toNanos());
    ServerShipment target = shipment;
    answerFailure(cause);
    if (target != null) {
      target.onLost(this, cause);
    }
  }

  /** The shipment under way over it; null if there is none. On the event loop. */
  @Nullable ServerShipment shipmentUnderWay() {
    return state == State.BOUND ? shipment : null;
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

  String remote() {
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
