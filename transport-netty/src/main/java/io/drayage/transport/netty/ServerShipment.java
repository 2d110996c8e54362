package io.drayage.transport.netty;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection and its shipment, on the transactor's side. Its state belongs to the event loop;
 * answers come from any thread and are passed to it.
 *
 * <pre>
 *   EXPECTED --OPEN--> SHIPPING --COMMITTED--> OVER
 *       \________________\______any fault_____/
 * </pre>
 */
final class ServerShipment extends ChannelInboundHandlerAdapter
    implements FrameListener, ShipmentReplies {
  private enum State {
    EXPECTED,
    SHIPPING,
    OVER
  }

  private final SocketChannel channel;
  private final long id;
  private final ShipmentAcceptor acceptor;
  private final ByteBudget budget;
  private final TransportOptions options;
  private final FrameReceiver frames = new FrameReceiver(this);
  private State state = State.EXPECTED;
  private @Nullable ShipmentHandler handler;
  private @Nullable CreditWindow window;

  ServerShipment(
      SocketChannel channel,
      long id,
      ShipmentAcceptor acceptor,
      ByteBudget budget,
      TransportOptions options) {
    this.channel = channel;
    this.id = id;
    this.acceptor = acceptor;
    this.budget = budget;
    this.options = options;
  }

  void attach() {
    Channels.prepare(channel, frames, this, options);
    ScheduledFuture<?> openDeadline =
        channel
            .eventLoop()
            .schedule(this::requireOpened, options.openTimeout().toNanos(), TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> openDeadline.cancel(false));
  }

  /** A connection that asks for nothing is not kept, however many heartbeats it sends. */
  private void requireOpened() {
    if (state == State.EXPECTED) {
      Channels.close(channel);
    }
  }

  Channel channel() {
    return channel;
  }

  @Override
  public long shipmentId() {
    return id;
  }

  @Override
  public void beforeFrame(FrameType type, int frameBytes) throws ShipmentException {
    boolean expected =
        switch (type) {
          case OPEN -> state == State.EXPECTED;
          case MANIFEST, SEGMENT, CHUNK, SEAL -> state == State.SHIPPING;
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
      ByteBuffer payload = FrameHeader.verify(frame.buffer());
      switch (type) {
        case OPEN -> onOpen(TlsWorkerName.proven(channel, ShipmentHeader.ofPayload(payload)));
        case CANCEL -> onCancel(Failure.ofPayload(payload));
        default -> {
          // A heartbeat says nothing but that the peer lives; any byte does.
        }
      }
    }
  }

  private void onOpen(ShipmentHeader header) throws ShipmentException {
    CreditWindow reserved = CreditWindow.open(options.shipmentCreditBytes(), budget);
    window = reserved;
    handler = acceptor.accept(header, this);
    state = State.SHIPPING;
    write(Accepted.ofSingleConnection(id, reserved.windowBytes()).toFrame());
  }

  private void onBulkFrame(Lease frame) throws ShipmentException {
    CreditWindow credit = window;
    ShipmentHandler target = handler;
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
              renew(credit.giveBack(frameBytes));
            });
    if (FrameHeader.shipmentId(bytes) != id) {
      long foreign = FrameHeader.shipmentId(bytes);
      charged.close();
      throw new ShipmentException(
          Fault.FOREIGN,
          "a frame of shipment %d came in shipment %d (connection %s)"
              .formatted(foreign, id, remote()));
    }
    target.onFrame(charged);
  }

  private void renew(long bytes) {
    if (bytes > 0) {
      write(ControlFrame.credit(id, bytes));
    }
  }

  private void onCancel(ShipmentException cause) {
    abort(cause);
    Channels.close(channel);
  }

  @Override
  public void held(Seal seal) {
    write(seal.toFrame(FrameType.HELD, id));
  }

  @Override
  public void committed(long snapshotTimestamp) {
    write(ControlFrame.committed(id, snapshotTimestamp));
    onLoop(
        () -> {
          end();
          Channels.closeLater(channel, options.idleTimeout());
        });
  }

  @Override
  public void failed(ShipmentException cause) {
    onLoop(() -> answerFailure(cause));
  }

  /** Tells the handler and the peer, as far as they can still be told. */
  void shutDown(ShipmentException cause) {
    onLoop(
        () -> {
          abort(cause);
          answerFailure(cause);
        });
  }

  /**
   * Sends the reason and then drops whatever comes, until the peer closes: closing with unread
   * bytes would reset the connection, and the peer might never read the reason.
   */
  private void answerFailure(ShipmentException cause) {
    end();
    frames.discardFurther();
    write(Failure.toFrame(FrameType.FAILED, id, cause));
    Channels.closeLater(channel, options.idleTimeout());
  }

  private void write(ByteBuffer controlFrame) {
    Channels.write(channel, controlFrame);
  }

  private void onLoop(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
    } else {
      channel.eventLoop().execute(task);
    }
  }

  @Override
  public void onBadFrame(ShipmentException cause) {
    abort(cause);
    answerFailure(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    abort(
        new ShipmentException(
            Fault.PEER_GONE, "the connection from %s was closed".formatted(remote())));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      return;
    }
    CreditWindow credit = window;
    if (idle.state() == IdleState.READER_IDLE) {
      if (credit != null && credit.hasUndecoded()) {
        // It may be us whom the worker waits for.
        return;
      }
      ShipmentException cause =
          new ShipmentException(
              Fault.PEER_SILENT,
              "%s was silent for %,d ms".formatted(remote(), options.idleTimeout().toMillis()));
      abort(cause);
      write(Failure.toFrame(FrameType.FAILED, id, cause));
      Channels.close(channel);
    } else if (state == State.SHIPPING) {
      Channels.heartbeat(channel, id);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof ShipmentException named) {
      onBadFrame(named);
      return;
    }
    abort(
        new ShipmentException(
            Fault.PEER_GONE,
            "the connection from %s broke: %s".formatted(remote(), cause.getMessage()),
            cause));
    Channels.close(channel);
  }

  private String remote() {
    return String.valueOf(channel.remoteAddress());
  }

  /** Ends the shipment and tells the handler, unless it is over. */
  private void abort(ShipmentException cause) {
    ShipmentHandler target = handler;
    boolean shipping = state == State.SHIPPING;
    end();
    if (shipping && target != null) {
      target.onAborted(cause);
    }
  }

  private void end() {
    state = State.OVER;
    handler = null;
    CreditWindow credit = window;
    if (credit != null) {
      credit.close();
    }
  }
}
