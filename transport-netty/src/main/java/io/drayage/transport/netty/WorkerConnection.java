package io.drayage.transport.netty;

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
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;

/**
 * One connection of a shipment on the worker's side: its frames, its credit, and what the
 * transactor answers over it. Its state belongs to its event loop.
 */
final class WorkerConnection extends FrameConnection {
  /** How long the connection may outlive a cancellation, so that the peer reads the reason. */
  static final Duration LINGER = Duration.ofSeconds(2);

  private final NettyShipment shipment;
  private final ByteBuffer request;
  private final OutboundQueue outbound;
  private volatile boolean answered;
  private boolean credited;

  /** The credit to begin with, and the most that there may ever be. On the event loop. */
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
    this.outbound = new OutboundQueue(channel, metrics, () -> shipment.nextProducer(this));
  }

  Channel channel() {
    return channel;
  }

  OutboundQueue outbound() {
    return outbound;
  }

  /** Whether the transactor has taken it. */
  boolean isAnswered() {
    return answered;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channels.write(channel, request.duplicate());
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
      switch (type) {
        case ACCEPT -> onAccepted(Accepted.ofPayload(payload));
        case JOINED -> onJoined(Joined.ofPayload(payload));
        case CREDIT -> onCredit(ControlFrame.number(payload));
        case HELD -> shipment.held().complete(Seal.ofPayload(payload));
        case COMMITTED -> shipment.committed().complete(ControlFrame.number(payload));
        case FAILED -> shipment.onLost(this, Failure.ofPayload(payload));
        default -> shipment.onHeartbeat();
      }
    } finally {
      recycle.run();
    }
  }

  private void onAccepted(Accepted answer) throws ShipmentException {
    requireUseful(answer.creditBytes());
    shipment.onAccepted(answer);
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
          String.format(
              Locale.ROOT,
              "the transactor grants %,d bytes, less than a frame of %,d",
              creditBytes,
              shipment.maxFrameBytes()));
    }
    windowBytes = creditBytes;
    answered = true;
  }

  private void onCredit(long bytes) throws ShipmentException {
    long roomBytes = windowBytes - outbound.creditBytes();
    if (bytes <= 0 || bytes > roomBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          String.format(
              Locale.ROOT,
              "the transactor grants %,d bytes, its window of %,d has room for 1 to %,d",
              bytes,
              windowBytes,
              roomBytes));
    }
    outbound.addCredit(bytes);
    if (!credited) {
      credited = true;
      shipment.onFirstCredit(this);
    }
  }

  @Override
  public void onBadFrame(ShipmentException cause) {
    shipment.onLost(this, cause);
  }

  @Override
  void onError(ShipmentException cause) {
    shipment.cancel(cause); // The transactor is not to wait for what does not come.
  }

  @Override
  void onGone(ShipmentException cause) {
    shipment.onLost(this, cause);
  }

  @Override
  void onSilence(ShipmentException cause) {
    shipment.onLost(this, cause);
  }

  @Override
  void onHeartbeatDue() {
    Channels.heartbeat(channel, shipment.id());
  }

  /** Releases the frames and closes the connection. On any thread. */
  void close() {
    outbound.close();
    Channels.close(channel);
  }

  /**
   * As {@link #close}, after the transactor was told why. Decided on the event loop: a connection
   * that is established at this moment must not end without a reason, or its loss, read first,
   * would suspend the shipment.
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
      ByteBuffer frame = Failure.toFrame(FrameType.CANCEL, shipment.id(), cause);
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
