package io.drayage.transport.netty;

import io.drayage.frame.ControlFrame;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Writes to connections, and ends them, in the same way on both sides. */
final class Channels {
  /** Time for the last frames to reach the peers when a side shuts down. */
  private static final long LAST_WORDS_MS = 500;

  private static final long SHUTDOWN_MS = 2_000;

  private Channels() {}

  /** Runs a task on an event loop, at once if called on that loop; false if the loop has ended. */
  static boolean runOn(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    return runLater(loop, task);
  }

  /** Queues a task of an event loop, also if called on that loop; false if the loop has ended. */
  static boolean runLater(EventLoop loop, Runnable task) {
    try {
      execute(loop, task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Tries twice: a caller that ends something because memory is missing has just released some. */
  private static void execute(EventLoop loop, Runnable task) {
    try {
      loop.execute(task);
    } catch (OutOfMemoryError e) {
      loop.execute(task);
    }
  }

  /** Closes a listening channel, and waits for this for a limited time. */
  static void closeAndAwait(Channel listening) {
    listening.close().awaitUninterruptibly(SHUTDOWN_MS);
  }

  /** Writes a control frame. Thread-safe. A failed write closes the connection. */
  static void write(Channel channel, ByteBuffer controlFrame) {
    ChannelFuture written = channel.writeAndFlush(Unpooled.wrappedBuffer(controlFrame));
    written.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  static void heartbeat(Channel channel, long shipmentId) {
    write(channel, ControlFrame.heartbeat(shipmentId));
  }

  /**
   * Writes the last control frames, and closes only this direction. Closing with unread answers of
   * the peer would reset the connection, and the peer might never read the frames.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Closed soon after in any case.
  static ChannelFuture writeLast(SocketChannel channel, Duration linger, ByteBuffer... frames) {
    ChannelFuture written = channel.writeAndFlush(Unpooled.wrappedBuffer(frames));
    written.addListener(done -> channel.shutdownOutput());
    closeLater(channel, linger);
    return written;
  }

  /** Closes the connection; its handlers see it become inactive. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void close(Channel channel) {
    channel.close();
  }

  /** Closes the connection after a delay, if the peer has not closed it before. */
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
   * Ends the event loops, after the peers had a moment to close these connections. Connections that
   * are still open are closed first: an ending loop may leave a channel open whose output is shut.
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
   * Waits twice until all loops have run their tasks, because a task of the first round may pass a
   * channel to another loop. A channel that is registered while its loop ends would stay open:
   * Netty closes the channels that it knows, and then runs the remaining tasks.
   */
  private static void settle(EventLoopGroup group) {
    for (int round = 0; round < 2; round++) {
      List<Future<?>> marks = new ArrayList<>();
      group.forEach(
          loop -> {
            if (!loop.isShuttingDown()) {
              marks.add(loop.submit(() -> {}));
            }
          });
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
