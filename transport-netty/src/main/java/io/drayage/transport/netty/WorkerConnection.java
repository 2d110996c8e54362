package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Joined;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.TransportOptions;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * One connection of a shipment on the worker's side: its frames, its credit, and the transactor's
 * answers. Its state belongs to its event loop.
 */
final class WorkerConnection extends FrameConnection {
  /** Time that the connection may stay after a cancellation, so that the peer reads the reason. */
  static final Duration LINGER = Duration.ofSeconds(2);

  private final NettyShipment shipment;
  private final ByteBuffer request;
  private final OutboundQueue outbound;

  /** The previous shipment over this connection; only its end may still come late. */
  private final long formerId;

  private volatile boolean answered;

  /** Whether a frame has come since the request. Event loop only. */
  private boolean heard;

  /** Whether the cargo went with the request, and so may take effect. Event loop only. */
  private boolean sentCargo;

  private final long beganNs = System.nanoTime();

  /** Whether the shipment is committed, so that the connection waits for the next or has it. */
  private volatile boolean kept;

  private long keptSinceNs;
  private boolean credited;

  /** The initial credit, which is also the most at any time. Event loop only. */
  private long windowBytes;

  /**
   * Takes over a fresh channel, before it connects.
   *
   * @param request the first frame: OPEN or JOIN
   */
  WorkerConnection(
      SocketChannel channel,
      NettyShipment shipment,
      ByteBuffer request,
      TransportOptions options,
      DrayageMetrics metrics) {
    super(channel, new FrameBuffers(0), options);
    this.shipment = shipment;
    this.request = request;
    this.formerId = IdleTime.NONE;
    this.outbound = new OutboundQueue(channel, metrics, () -> shipment.nextProducer(this));
  }

  /**
   * Takes over the kept connection of a former shipment, on its event loop.
   *
   * @param request the first frame: OPEN
   */
  WorkerConnection(
      WorkerConnection former, NettyShipment shipment, ByteBuffer request, DrayageMetrics metrics) {
    super(former);
    this.shipment = shipment;
    this.request = request;
    this.formerId = former.shipment.number();
    this.outbound = new OutboundQueue(channel, metrics, () -> shipment.nextProducer(this));
    attachInsteadOf(former);
  }

  /** Sends the request. A fresh channel does this when it is connected. */
  void request() {
    Channels.write(channel, request.duplicate());
  }

  /** Sends the request and the cargo in one write, over a kept connection. Event loop only. */
  void request(SmallCargo cargo) {
    sentCargo = true;
    outbound.charge(cargo.chargeBytes());
    channel
        .writeAndFlush(cargo.behind(request, channel))
        .addListener(done -> cargo.sent())
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  Channel channel() {
    return channel;
  }

  OutboundQueue outbound() {
    return outbound;
  }

  /** Checks whether the transactor has accepted the request. */
  boolean isAnswered() {
    return answered;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    request();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    outbound.drain();
  }

  @Override
  public void beforeFrame(FrameType type, int frameBytes) throws ShipmentException {
    boolean expected =
        switch (type) {
          case ACCEPT, JOINED -> !answered && type == answerTo(FrameHeader.type(request));
          case CREDIT -> answered;
          case HELD -> answered && !shipment.held().isDone();
          case COMMITTED -> shipment.held().isDone();
          case FAILED, HEARTBEAT -> true;
          default -> false;
        };
    if (!expected) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "the transactor sent a %s frame at a wrong time".formatted(type));
    }
  }

  private static FrameType answerTo(FrameType asked) {
    return asked == FrameType.OPEN ? FrameType.ACCEPT : FrameType.JOINED;
  }

  @Override
  public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException {
    try {
      ByteBuffer payload = FrameHeader.verify(frame);
      if (type == FrameType.FAILED && isUnheard() && FrameHeader.shipmentId(frame) == formerId) {
        onGone(Failure.ofPayload(payload));
        return;
      }
      heard = true;
      switch (type) {
        case ACCEPT -> onAccepted(Accepted.ofPayload(payload));
        case JOINED -> onJoined(Joined.ofPayload(payload));
        case CREDIT -> onCredit(ControlFrame.number(payload));
        case HELD -> shipment.held().complete(Seal.ofPayload(payload));
        case COMMITTED -> shipment.onCommitted(this, ControlFrame.number(payload));
        case FAILED -> lost(Failure.ofPayload(payload));
        default -> shipment.onHeartbeat();
      }
    } finally {
      recycle.run();
    }
  }

  private void onAccepted(Accepted answer) throws ShipmentException {
    requireUseful(answer.creditBytes());
    shipment.onAccepted(answer);
    if (!sentCargo) {
      shipment.queueCargo(outbound);
    }
    outbound.addCredit(answer.creditBytes());
  }

  private void onJoined(Joined answer) throws ShipmentException {
    requireUseful(answer.creditBytes());
    shipment.onJoined(this, answer);
    outbound.addCredit(answer.creditBytes());
  }

  private void requireUseful(long creditBytes) throws ShipmentException {
    if (creditBytes < shipment.maxFrameBytes()) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "the transactor grants %,d bytes, less than a frame of %,d",
              creditBytes, shipment.maxFrameBytes()));
    }
    windowBytes = creditBytes;
    answered = true;
  }

  private void onCredit(long bytes) throws ShipmentException {
    long roomBytes = windowBytes - outbound.creditBytes();
    if (bytes <= 0 || bytes > roomBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "the transactor grants %,d bytes, its window of %,d has room for 1 to %,d",
              bytes, windowBytes, roomBytes));
    }
    outbound.addCredit(bytes);
    if (!credited) {
      credited = true;
      shipment.onFirstCredit(this);
    }
  }

  @Override
  public void onBadFrame(ShipmentException cause) {
    lost(cause);
  }

  /** Handles the loss. The loss of a kept connection does not concern the shipment. */
  private void lost(ShipmentException cause) {
    if (kept) {
      expire();
      Channels.close(channel);
    } else {
      shipment.onLost(this, cause);
    }
  }

  @Override
  protected void onError(ShipmentException cause) {
    if (kept) {
      lost(cause);
    }
    shipment.cancel(cause); // so that the transactor does not wait for further frames
  }

  @Override
  protected void onGone(ShipmentException cause) {
    lost(cause);
  }

  @Override
  protected void onSilence(ShipmentException cause) {
    lost(cause);
  }

  @Override
  protected void onHeartbeatDue() {
    if (kept) {
      if (System.nanoTime() - keptSinceNs > options.idleTimeout().toNanos() / 2) {
        expire();
      }
    } else if (shipment.hasSmallCargo() && !answered) {
      awaitAnswer();
    } else {
      Channels.heartbeat(channel, shipment.number());
    }
  }

  /** Gives up if the answer to the request with a small cargo is overdue. */
  private void awaitAnswer() {
    ShipmentException overdue = shipment.overdue();
    if (isUnheard() && System.nanoTime() - beganNs > options.openTimeout().toNanos() / 2) {
      lost(gone());
    } else if (overdue != null) {
      shipment.cancel(overdue);
    } else {
      Channels.heartbeat(channel, shipment.number());
    }
  }

  /** Closes a kept connection, unless another shipment is about to use it. */
  private void expire() {
    if (shipment.forget(this)) {
      Channels.close(channel);
    }
  }

  /** Gives up if nothing has come from the transactor. Thread-safe. */
  void giveUpIfUnheard() {
    boolean unused =
        Channels.runOn(
            channel.eventLoop(),
            () -> {
              if (isUnheard()) {
                lost(gone());
              }
            });
  }

  /** Checks whether a former shipment left it, and nothing has come since then. */
  boolean isUnheard() {
    return formerId != IdleTime.NONE && !heard;
  }

  /** Checks whether the cargo went with the request. Event loop only. */
  boolean hasSentCargo() {
    return sentCargo;
  }

  /** Checks whether the next shipment may use it after a commit. Event loop only. */
  boolean isReusable() {
    return FrameHeader.type(request) == FrameType.OPEN && outbound.isEmpty();
  }

  /** Leaves it to the next shipment: {@link #close} does not close it then. Event loop only. */
  void leave() {
    kept = true;
    keptSinceNs = System.nanoTime();
    outbound.close();
  }

  /** Releases the frames and closes the connection. Thread-safe. */
  void close() {
    if (!kept) {
      outbound.close();
      Channels.close(channel);
    }
  }

  /**
   * Sends the reason to the transactor, and then does the same as {@link #close}. The event loop
   * decides, because a connection that is established at this moment must not end without a reason:
   * the transactor, reading that loss first, would suspend the shipment.
   */
  void cancel(ShipmentException cause) {
    outbound.close();
    try {
      channel.eventLoop().execute(() -> sayAndClose(cause));
    } catch (RejectedExecutionException e) {
      Channels.close(channel);
    }
  }

  private void sayAndClose(ShipmentException cause) {
    if (channel.isActive()) {
      ByteBuffer frame = Failure.toFrame(FrameType.CANCEL, shipment.number(), cause);
      Channels.writeLast(channel, LINGER, frame)
          .addListener(
              said -> {
                if (!said.isSuccess()) {
                  shipment.onUnsaid(cause);
                }
              });
    } else {
      shipment.onUnsaid(cause);
      Channels.close(channel);
    }
  }
}
