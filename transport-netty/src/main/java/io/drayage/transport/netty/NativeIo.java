package io.drayage.transport.netty;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.netty.internal.NativeFallback;
import io.drayage.transport.netty.internal.NettyVersion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way in which Netty calls the kernel. */
public enum NativeIo {
  /** Linux epoll through Netty's native library: the fastest proven way. */
  EPOLL,
  /** Linux io_uring through Netty's native library. Many kernels and containers forbid it. */
  IO_URING,
  /** The JDK's selector: works everywhere. */
  NIO;

  /** Returns epoll if available, else NIO. */
  public static NativeIo best() {
    return EPOLL.unavailabilityCause() == null ? EPOLL : NIO;
  }

  /**
   * Returns the reason why this machine does not support it; null if the machine does.
   *
   * @throws IllegalStateException if the class path has an older Netty than 4.2
   */
  public @Nullable Throwable unavailabilityCause() {
    NettyVersion.require();
    return switch (this) {
      case EPOLL -> Epoll.unavailabilityCause();
      case IO_URING -> IoUring.unavailabilityCause();
      case NIO -> null;
    };
  }

  /**
   * Makes event loops that use it, on daemon threads.
   *
   * @throws UnsupportedOperationException if this machine, or its limits, do not allow it
   */
  public EventLoopGroup newGroup(int threads, String name) {
    return newGroup(threads, name, error -> {});
  }

  /**
   * Makes event loops like {@link #newGroup(int, String)}.
   *
   * @param whenHit receives an error that escaped into a loop, on that loop, which goes on
   */
  EventLoopGroup newGroup(int threads, String name, Consumer<ShipmentException> whenHit) {
    Throwable cause = unavailabilityCause();
    if (cause != null) {
      throw unusable(cause);
    }
    try {
      return new LastingLoops(threads, new DefaultThreadFactory(name, true), ioHandler(), whenHit);
    } catch (IllegalStateException e) {
      throw unusable(e);
    }
  }

  /** Names the reason and, if memory could not be locked, the remedy. */
  UnsupportedOperationException unusable(Throwable cause) {
    String reason = NativeFallback.rootMessage(cause);
    String hint =
        this == IO_URING && reason.contains("memlock")
            ? "; raise it, by 'ulimit -l unlimited', LimitMEMLOCK=infinity of systemd or --ulimit memlock=-1 of Docker, or use netty-epoll"
            : "";
    return new UnsupportedOperationException(
        "%s does not work on this machine: %s%s".formatted(this, reason, hint), cause);
  }

  private IoHandlerFactory ioHandler() {
    return switch (this) {
      case EPOLL -> EpollIoHandler.newFactory();
      case IO_URING -> IoUringIoHandler.newFactory();
      case NIO -> NioIoHandler.newFactory();
    };
  }

  /** Returns the class of a client's channel. */
  public Class<? extends SocketChannel> socketChannel() {
    return switch (this) {
      case EPOLL -> EpollSocketChannel.class;
      case IO_URING -> IoUringSocketChannel.class;
      case NIO -> NioSocketChannel.class;
    };
  }

  /** Returns the class of a server's listening channel. */
  public Class<? extends ServerChannel> serverChannel() {
    return switch (this) {
      case EPOLL -> EpollServerSocketChannel.class;
      case IO_URING -> IoUringServerSocketChannel.class;
      case NIO -> NioServerSocketChannel.class;
    };
  }
}
