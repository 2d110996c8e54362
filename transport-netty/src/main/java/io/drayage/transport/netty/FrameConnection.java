package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.FatalErrors;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.internal.ShipmentWatch;
import io.drayage.transport.netty.tls.Tls;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.concurrent.TimeUnit;

/**
 * The common part of both ends of a connection: receives frames, sends heartbeats while there is
 * nothing else to send, and names the reason when the connection is lost. Its state belongs to its
 * event loop.
 */
abstract class FrameConnection extends ChannelInboundHandlerAdapter
    implements FrameReceiver.Listener {
  /** Frames of about 1 MiB: a few of them keep the socket busy while the next is fetched. */
  private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 4 << 20);

  /** Heartbeats within the idle timeout, of a side that sends nothing else ... */
  private static final int HEARTBEATS_PER_TIMEOUT = 3;

  /** ... but at least one in this time, because the peer may have a shorter timeout. */
  private static final long MAX_HEARTBEAT_INTERVAL_NS = 1_000_000_000;

  protected final SocketChannel channel;
  protected final TransportOptions options;
  protected final FrameReceiver frames;

  /** Makes a connection. Its receiver is used only after {@link #attach}. */
  protected FrameConnection(SocketChannel channel, FrameBuffers buffers, TransportOptions options) {
    this.channel = channel;
    this.options = options;
    this.frames = new FrameReceiver(this, buffers);
  }

  /** Replaces a former connection over the same channel, on its event loop. */
  protected FrameConnection(FrameConnection former) {
    this.channel = former.channel;
    this.options = former.options;
    this.frames = former.frames;
  }

  /** Attaches to a channel that a former connection had prepared and has left. */
  protected void attachInsteadOf(FrameConnection former) {
    frames.passTo(this);
    channel.pipeline().replace(former, null, this);
  }

  /** Prepares the fresh channel: options, heartbeats, and frames with this as their listener. */
  void attach() {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
    channel.config().setWriteBufferWaterMark(WATER_MARK);
    if (!Tls.secures(channel)) {
      // With TLS the frames are in the decrypted bytes, not in what the socket reads.
      channel.config().setRecvByteBufAllocator(frames.allocator());
    }
    long idleNs = options.idleTimeout().toNanos();
    long heartbeatNs = Math.min(idleNs / HEARTBEATS_PER_TIMEOUT, MAX_HEARTBEAT_INTERVAL_NS);
    channel.closeFuture().addListener(closed -> frames.release());
    channel
        .pipeline()
        .addLast(new CongestionControl())
        .addLast(new IdleStateHandler(idleNs, heartbeatNs, 0, TimeUnit.NANOSECONDS))
        .addLast(frames)
        .addLast(this);
  }

  /** Handles a closed or broken connection. */
  protected abstract void onGone(ShipmentException cause);

  /** Handles a peer that has sent nothing for the idle timeout. */
  protected abstract void onSilence(ShipmentException cause);

  /** Sends a heartbeat, or whatever else is due. */
  protected abstract void onHeartbeatDue();

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    onGone(gone());
  }

  protected ShipmentException gone() {
    return new ShipmentException(
        Fault.PEER_GONE, "the connection with %s was closed".formatted(remote()));
  }

  /** Handles an error of this end, which ends the shipment. */
  protected void onError(ShipmentException cause) {
    onBadFrame(cause);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    FatalErrors.report(cause);
    if (cause instanceof ShipmentException named) {
      onBadFrame(named);
      return;
    }
    try {
      if (cause instanceof Error) {
        onError(ShipmentException.of(Fault.INTERNAL, "the connection failed on this side", cause));
        return;
      }
      onGone(
          ShipmentException.of(
              Fault.PEER_GONE, "the connection with %s broke".formatted(remote()), cause));
      Channels.close(channel);
    } catch (OutOfMemoryError e) { // The shipment ends with its connection.
      Channels.close(channel);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      return;
    }
    if (idle.state() == IdleState.READER_IDLE) {
      onSilence(ShipmentWatch.silent(remote(), options.idleTimeout().toNanos()));
    } else {
      onHeartbeatDue();
    }
  }

  String remote() {
    return String.valueOf(channel.remoteAddress());
  }
}
