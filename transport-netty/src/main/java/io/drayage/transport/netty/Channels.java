package io.drayage.transport.netty;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.tls.Tls;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** How a connection is set up, alike on both sides. */
final class Channels {
  /** Frames of about 1 MiB: a few of them keep the socket busy while the next is fetched. */
  private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 4 << 20);

  /** A side that has nothing to say says so three times within the idle timeout ... */
  private static final int HEARTBEATS_PER_TIMEOUT = 3;

  /** ... and this often at least, because the peer may have less patience than this side. */
  private static final long MAX_HEARTBEAT_INTERVAL_NS = 1_000_000_000;

  /** How long the last words may take to reach the peers when a side shuts down. */
  private static final long LAST_WORDS_MS = 500;

  /** How long a connection that is refused may stay, so that its peer reads why. */
  private static final Duration REFUSAL_LINGER = Duration.ofSeconds(1);

  private static final long SHUTDOWN_MS = 2_000;

  private Channels() {}

  /** Prepares a fresh channel: options, heartbeats, frames, and who handles them. */
  static void prepare(
      Channel channel, FrameReceiver frames, ChannelHandler handler, TransportOptions options) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
    channel.config().setWriteBufferWaterMark(WATER_MARK);
    if (!Tls.secures(channel)) {
      // Else the socket's bytes are not those of the frames, which get what TLS decrypts.
      channel.config().setRecvByteBufAllocator(frames.allocator());
    }
    long idleNs = options.idleTimeout().toNanos();
    long heartbeatNs = Math.min(idleNs / HEARTBEATS_PER_TIMEOUT, MAX_HEARTBEAT_INTERVAL_NS);
    channel.closeFuture().addListener(closed -> frames.release());
    channel
        .pipeline()
        .addLast(new CongestionControl(options))
        .addLast(new IdleStateHandler(idleNs, heartbeatNs, 0, TimeUnit.NANOSECONDS))
        .addLast(frames)
        .addLast(handler);
  }

  /**
   * Prepares a fresh channel whose peer is only told why it is not wanted. Nothing is allocated for
   * it but the message.
   */
  static void prepareRefusal(SocketChannel channel, ShipmentException cause) {
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelActive(ChannelHandlerContext context) {
                ByteBuffer reason = Failure.toFrame(FrameType.FAILED, 0, cause);
                ChannelFuture unused = writeLast(channel, reason, REFUSAL_LINGER);
              }

              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                ReferenceCountUtil.release(message);
              }

              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
                close(channel);
              }
            });
  }

  /** Writes a control frame, from any thread. A write that fails closes the connection. */
  static void write(Channel channel, ByteBuffer controlFrame) {
    ChannelFuture written = channel.writeAndFlush(Unpooled.wrappedBuffer(controlFrame));
    written.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  static void heartbeat(Channel channel, long shipmentId) {
    write(channel, ControlFrame.heartbeat(shipmentId));
  }

  /**
   * Writes a control frame as the last thing, and closes only this direction: closing with unread
   * answers of the peer would reset the connection, and the peer might never read the frame.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Closed soon after in any case.
  static ChannelFuture writeLast(SocketChannel channel, ByteBuffer controlFrame, Duration linger) {
    ChannelFuture written = channel.writeAndFlush(Unpooled.wrappedBuffer(controlFrame));
    written.addListener(done -> channel.shutdownOutput());
    closeLater(channel, linger);
    return written;
  }

  /** Closes the connection; who wants to know that it is closed hears it as inactive. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void close(Channel channel) {
    channel.close();
  }

  /** Closes the connection if the peer has not done so before. */
  static void closeLater(Channel channel, Duration delay) {
    ScheduledFuture<?> closing =
        channel.eventLoop().schedule(() -> close(channel), delay.toNanos(), TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(done -> closing.cancel(false));
  }

  /** Remembers an open channel until it is closed. */
  static void track(Channel channel, Set<Channel> open) {
    open.add(channel);
    channel.closeFuture().addListener(closed -> open.remove(channel));
  }

  /**
   * Ends the event loops, after the peers of these connections had a moment to close them. What is
   * open then is closed before: a loop that ends may leave a channel open whose output is shut.
   */
  static void shutDown(EventLoopGroup group, Collection<Channel> open) {
    awaitClosed(open, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WORDS_MS));
    if (!group.isShuttingDown()) {
      settle(group);
    }
    open.forEach(Channels::close);
    awaitClosed(open, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SHUTDOWN_MS));
    group
        .shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(2 * SHUTDOWN_MS);
  }

  /**
   * Waits until all loops have done what was passed to them, twice, because the first time one may
   * pass a channel on to another. A channel that is registered while its loop ends would stay open:
   * Netty closes those that it knows, and then runs the tasks that are left.
   */
  private static void settle(EventLoopGroup group) {
    for (int round = 0; round < 2; round++) {
      List<Future<?>> marks = new ArrayList<>();
      group.forEach(loop -> marks.add(loop.submit(() -> {})));
      marks.forEach(mark -> mark.awaitUninterruptibly(SHUTDOWN_MS));
    }
  }

  private static void awaitClosed(Collection<Channel> open, long deadlineNs) {
    for (Channel channel : open) {
      long leftNs = Math.max(0, deadlineNs - System.nanoTime());
      channel.closeFuture().awaitUninterruptibly(leftNs, TimeUnit.NANOSECONDS);
    }
  }
}
