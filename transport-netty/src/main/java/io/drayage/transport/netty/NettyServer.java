package io.drayage.transport.netty;

import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.Stage;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.internal.BindFailure;
import io.drayage.transport.netty.tls.Tls;
import io.drayage.transport.netty.tls.TlsEngine;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections, as many as its peers may have. Thread-safe. */
final class NettyServer implements TransportServer {
  static final int MAX_EVENT_LOOPS = 4;
  private static final int BACKLOG = 256;

  /** Most connections at a time that get the reason of their refusal. */
  private static final int MAX_REFUSALS = 64;

  private static final Duration REFUSAL_LINGER = Duration.ofSeconds(1);

  private final TransportOptions options;
  private final DrayageMetrics metrics;
  private final ConnectionPlaces places;
  private final ServerShipments shipments;
  private final Tls tls;
  private final EventLoopGroup group;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();
  private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();

  private final FrameBuffers buffers;

  private final AtomicInteger refusals = new AtomicInteger();

  private ServerChannel listening;
  private volatile boolean closing;

  private NettyServer(
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics,
      Tls tls,
      NativeIo io) {
    this.tls = tls;
    this.options = options;
    this.metrics = metrics;
    this.places = new ConnectionPlaces(options.peerLimits());
    this.shipments =
        new ServerShipments(
            acceptor, options, new PeerQuotas(options.peerLimits(), options.serverBudgetBytes()));
    this.buffers = new FrameBuffers(options.shipmentCreditBytes());
    int loops = Math.min(MAX_EVENT_LOOPS, Runtime.getRuntime().availableProcessors());
    this.group = io.newGroup(loops, "netty-receive", shipments::failAll);
  }

  static NettyServer bind(
      NativeIo io,
      TlsEngine engine,
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics)
      throws BindException {
    options.requireSecured(address);
    Tls tls = Tls.ofServer(options, engine);
    NettyServer server = new NettyServer(acceptor, options, metrics, tls, io);
    server.listen(io, address);
    return server;
  }

  private void listen(NativeIo io, InetSocketAddress address) throws BindException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(io.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    serve(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      throw BindFailure.of(address, bound.cause());
    }
    listening = (ServerChannel) bound.channel();
  }

  private void serve(SocketChannel channel) {
    Channels.track(channel, open);
    metrics.threads().join(Stage.RECEIVE);
    InetSocketAddress remote = channel.remoteAddress();
    if (remote == null) {
      Channels.close(channel); // The peer is gone already.
      return;
    }
    InetAddress peer = remote.getAddress();
    ConnectionPlaces.Place place;
    try {
      place = places.acquire(peer);
    } catch (ShipmentException e) {
      refuse(channel, e);
      return;
    }
    tls.secure(channel);
    ServerConnection connection =
        new ServerConnection(channel, peer, place, shipments, buffers, options);
    connections.add(connection);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              connections.remove(connection);
              place.release();
            });
    connection.attach();
  }

  /** Sends the reason to the peer, unless too many refusals are in progress. */
  private void refuse(SocketChannel channel, ShipmentException cause) {
    if (options.tls() != null) {
      Channels.close(channel); // An answer over TLS would need a handshake.
      return;
    }
    if (refusals.incrementAndGet() > MAX_REFUSALS) {
      refusals.decrementAndGet();
      Channels.close(channel);
      return;
    }
    channel.closeFuture().addListener(closed -> refusals.decrementAndGet());
    // The peer may want to resume a shipment whose cargo has taken effect.
    ByteBuffer reason =
        Failure.toFrame(FrameType.FAILED, 0, cause.withOutcome(ShipmentException.Outcome.UNKNOWN));
    channel.pipeline().addLast(new Farewell(channel, REFUSAL_LINGER, reason));
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  @Override
  public synchronized void close() {
    if (closing) {
      return;
    }
    closing = true;
    if (listening != null) {
      Channels.closeAndAwait(listening);
    }
    shipments.takeNoMore();
    connections.forEach(ServerConnection::closeIfIdle);
    shipments.drain(options.drainTimeout());
    shipments.failAll(new ShipmentException(Fault.CANCELLED, "the transactor is shutting down"));
    connections.forEach(ServerConnection::closeUnlessBound);
    MetricsSnapshot unused = metrics.snapshot(); // Counts the times of threads that end now.
    Channels.shutDown(group, open);
    tls.close();
  }
}
