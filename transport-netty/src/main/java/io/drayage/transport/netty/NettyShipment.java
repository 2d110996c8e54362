package io.drayage.transport.netty;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Credit;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportOptions;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One shipment and its connection, on the worker's side. Frames are queued by any thread;
 * everything else happens on the event loop. The first failure wins and ends all: futures, queue,
 * connection.
 */
final class NettyShipment extends ChannelInboundHandlerAdapter implements Shipment, FrameListener {
  /** How long the connection may outlive a cancellation, so that the peer reads the reason. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  private final SocketChannel channel;
  private final ShipmentHeader header;
  private final TransportOptions options;
  private final Consumer<NettyShipment> whenOver;
  private final OutboundQueue outbound;
  private final FrameReceiver frames = new FrameReceiver(this);
  private final CompletableFuture<Accepted> accepted = new CompletableFuture<>();
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();
  private final AtomicReference<ShipmentException> failure = new AtomicReference<>();
  private volatile long id;

  /** The credit to begin with, and the most that there may ever be. On the event loop. */
  private long windowBytes;

  /** Takes over a fresh channel, before it connects. */
  NettyShipment(
      SocketChannel channel,
      ShipmentHeader header,
      TransportOptions options,
      Consumer<NettyShipment> whenOver) {
    this.channel = channel;
    this.header = header;
    this.options = options;
    this.whenOver = whenOver;
    this.outbound = new OutboundQueue(channel, options.metricsOrNew());
  }

  void attach() {
    Channels.prepare(channel, frames, this, options);
  }

  Channel channel() {
    return channel;
  }

  /** Waits for the transactor's answer to the request. */
  void awaitAccepted() throws ShipmentException, InterruptedException {
    try {
      accepted.get(options.openTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause());
    } catch (TimeoutException e) {
      throw new ShipmentException(
          Fault.PEER_SILENT,
          "%s did not answer the request within %,d ms"
              .formatted(channel.remoteAddress(), options.openTimeout().toMillis()),
          e);
    }
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public CompletableFuture<Seal> held() {
    return held;
  }

  @Override
  public CompletableFuture<Long> committed() {
    return committed;
  }

  @Override
  public boolean offer(Lease frame) throws ShipmentException {
    requireUnderWay();
    return outbound.offer(frame);
  }

  @Override
  public void awaitReady() throws ShipmentException, InterruptedException {
    outbound.awaitRoom();
    requireUnderWay();
  }

  private void requireUnderWay() throws ShipmentException {
    ShipmentException cause = failure.get();
    if (cause != null) {
      throw cause;
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channels.write(channel, header.toFrame());
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    outbound.drain();
  }

  @Override
  public void beforeFrame(FrameType type, int frameBytes) throws ShipmentException {
    boolean expected =
        switch (type) {
          case ACCEPT -> !accepted.isDone();
          case CREDIT -> accepted.isDone();
          case HELD -> accepted.isDone() && !held.isDone();
          case COMMITTED -> held.isDone();
          case FAILED, HEARTBEAT -> true;
          default -> false;
        };
    if (!expected) {
      throw new ShipmentException(
          Fault.FOREIGN, "the transactor sent a %s frame at a wrong time".formatted(type));
    }
  }

  @Override
  public void onFrame(FrameType type, Lease frame) throws ShipmentException {
    try (frame) {
      ByteBuffer payload = FrameHeader.verify(frame.buffer());
      switch (type) {
        case ACCEPT -> onAccepted(Accepted.ofPayload(payload));
        case CREDIT -> onCredit(ControlFrame.number(payload));
        case HELD -> held.complete(Seal.ofPayload(payload));
        case COMMITTED -> committed.complete(ControlFrame.number(payload));
        case FAILED -> endWith(Failure.ofPayload(payload));
        default -> {
          // A heartbeat says nothing but that the peer lives; any byte does.
        }
      }
    }
  }

  private void onAccepted(Accepted answer) throws ShipmentException {
    if (answer.creditBytes() < Credit.MAX_CHARGE_BYTES) {
      throw new ShipmentException(
          Fault.LIMIT,
          "the transactor grants %,d bytes, less than a frame of %,d"
              .formatted(answer.creditBytes(), Credit.MAX_CHARGE_BYTES));
    }
    id = answer.shipmentId();
    windowBytes = answer.creditBytes();
    accepted.complete(answer);
    outbound.addCredit(answer.creditBytes());
  }

  private void onCredit(long bytes) throws ShipmentException {
    long roomBytes = windowBytes - outbound.creditBytes();
    if (bytes <= 0 || bytes > roomBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          "the transactor grants %,d bytes, its window of %,d has room for 1 to %,d"
              .formatted(bytes, windowBytes, roomBytes));
    }
    outbound.addCredit(bytes);
  }

  @Override
  public void onBadFrame(ShipmentException cause) {
    endWith(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    endWith(
        new ShipmentException(
            Fault.PEER_GONE, "the connection to %s was closed".formatted(remote())));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent idle) {
      if (idle.state() == IdleState.READER_IDLE) {
        endWith(
            new ShipmentException(
                Fault.PEER_SILENT,
                "%s was silent for %,d ms".formatted(remote(), options.idleTimeout().toMillis())));
      } else {
        Channels.heartbeat(channel, id);
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    endWith(
        cause instanceof ShipmentException named
            ? named
            : new ShipmentException(
                Fault.PEER_GONE,
                "the connection to %s broke: %s".formatted(remote(), cause.getMessage()),
                cause));
  }

  private String remote() {
    return String.valueOf(channel.remoteAddress());
  }

  /** The peer ended it, or the connection did. */
  private void endWith(ShipmentException cause) {
    if (fail(cause)) {
      Channels.close(channel);
    }
  }

  /** Without effect once the shipment has been committed or has failed. */
  private boolean fail(ShipmentException cause) {
    if (committed.isDone() || !failure.compareAndSet(null, cause)) {
      return false;
    }
    accepted.completeExceptionally(cause);
    held.completeExceptionally(cause);
    committed.completeExceptionally(cause);
    outbound.close();
    return true;
  }

  @Override
  public void cancel(ShipmentException cause) {
    if (!fail(cause)) {
      return;
    }
    if (!channel.isActive()) {
      Channels.close(channel);
      return;
    }
    Channels.writeLast(channel, Failure.toFrame(FrameType.CANCEL, id, cause), LINGER);
  }

  @Override
  public void close() {
    cancel(new ShipmentException(Fault.CANCELLED, "the worker closed the shipment"));
    if (committed.isDone() && failure.get() == null) {
      Channels.close(channel);
    }
    whenOver.accept(this);
  }
}
