package io.drayage.transport.netty;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.internal.NativeFallback;
import io.drayage.transport.netty.internal.NettyVersion;
import io.drayage.transport.netty.tls.TlsEngine;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Locale;

/** Frames over plain TCP connections. Stateless and thread-safe. */
public final class NettyTransport implements Transport {
  private final String name;
  private final NativeIo io;
  private final TlsEngine engine;

  private NettyTransport(String name, NativeIo io, TlsEngine engine) {
    this.name = name;
    this.io = io;
    this.engine = engine;
  }

  /**
   * Returns {@code netty} with the best I/O of this machine. A fallback to NIO on Linux is logged
   * once, with its reason.
   *
   * @throws IllegalStateException if the class path has an older Netty than 4.2
   */
  public static NettyTransport best() {
    NettyVersion.require(); // before a class is loaded that needs it
    Throwable cause = NativeIo.EPOLL.unavailabilityCause();
    if (cause != null) {
      NativeFallback.tell("epoll", "netty uses NIO, which is slower", cause);
    }
    return new NettyTransport("netty", NativeIo.best(), TlsEngine.BEST);
  }

  /**
   * Returns {@code netty-epoll}, {@code netty-io_uring} or {@code netty-nio}.
   *
   * @throws IllegalStateException if the class path has an older Netty than 4.2
   */
  public static NettyTransport of(NativeIo io) {
    return of(io, TlsEngine.BEST);
  }

  /** Returns the same as {@link #of(NativeIo)}, with a given implementation of the cryptography. */
  static NettyTransport of(NativeIo io, TlsEngine engine) {
    NettyVersion.require();
    return new NettyTransport("netty-" + io.name().toLowerCase(Locale.ROOT), io, engine);
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns the I/O in use; {@link #best} may have fallen back. */
  public NativeIo io() {
    return io;
  }

  /** Returns the name and the I/O in use. */
  @Override
  public String toString() {
    return name + " over " + io;
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    return new NettyClient(io, engine, address, options, metrics);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics)
      throws BindException {
    return NettyServer.bind(io, engine, address, acceptor, options, metrics);
  }
}
