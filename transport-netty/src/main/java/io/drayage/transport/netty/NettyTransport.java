package io.drayage.transport.netty;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.util.Locale;

/** Frames over TCP, without anything in between. Stateless and thread-safe. */
public final class NettyTransport implements Transport {
  private final String name;
  private final NativeIo io;

  private NettyTransport(String name, NativeIo io) {
    this.name = name;
    this.io = io;
  }

  /** {@code netty}: the best that this machine can do. */
  public static NettyTransport best() {
    return new NettyTransport("netty", NativeIo.best());
  }

  /** {@code netty-epoll}, {@code netty-io_uring} or {@code netty-nio}. */
  public static NettyTransport of(NativeIo io) {
    return new NettyTransport("netty-" + io.name().toLowerCase(Locale.ROOT), io);
  }

  @Override
  public String name() {
    return name;
  }

  /** How this transport talks to the kernel. */
  public NativeIo io() {
    return io;
  }

  @Override
  public TransportClient client(InetSocketAddress address, TransportOptions options) {
    return new NettyClient(io, address, options);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address, ShipmentAcceptor acceptor, TransportOptions options)
      throws ShipmentException {
    return NettyServer.bind(io, address, acceptor, options);
  }
}
