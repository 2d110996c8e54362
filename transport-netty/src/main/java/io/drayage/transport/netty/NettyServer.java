package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBudget;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Accepts connections, one for each shipment. Thread-safe. */
final class NettyServer implements TransportServer {
  private static final int MAX_EVENT_LOOPS = 4;
  private static final int BACKLOG = 256;

  private final ShipmentAcceptor acceptor;
  private final TransportOptions options;
  private final DrayageMetrics metrics;
  private final ByteBudget budget;
  private final Consumer<SocketChannel> tls;
  private final EventLoopGroup group;
  private final Set<ServerShipment> shipments = ConcurrentHashMap.newKeySet();

  /** Starts anywhere, so that a frame of an earlier server is not taken for one of ours. */
  private final AtomicLong lastShipmentId =
      new AtomicLong(new SecureRandom().nextInt() & 0xFFFFFFFFL);

  private ServerChannel listening;

  private NettyServer(
      ShipmentAcceptor acceptor,
      TransportOptions options,
      Consumer<SocketChannel> tls,
      EventLoopGroup group) {
    this.tls = tls;
    this.acceptor = acceptor;
    this.options = options;
    this.metrics = options.metricsOrNew();
    this.budget = new ByteBudget(options.serverBudgetBytes());
    this.group = group;
  }

  static NettyServer bind(
      NativeIo io,
      TlsEngine engine,
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options)
      throws ShipmentException {
    options.requireSecured(address);
    Consumer<SocketChannel> tls = Tls.ofServer(options, engine);
    int loops = Math.min(MAX_EVENT_LOOPS, Runtime.getRuntime().availableProcessors());
    NettyServer server =
        new NettyServer(acceptor, options, tls, io.newGroup(loops, "netty-receive"));
    server.listen(io, address);
    return server;
  }

  private void listen(NativeIo io, InetSocketAddress address) throws ShipmentException {
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
                    tls.accept(channel);
                    serve(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      throw new ShipmentException(
          Fault.INTERNAL,
          "cannot listen at %s: %s".formatted(address, bound.cause().getMessage()),
          bound.cause());
    }
    listening = (ServerChannel) bound.channel();
  }

  private void serve(SocketChannel channel) {
    metrics.threads().join(Stage.RECEIVE);
    ServerShipment shipment =
        new ServerShipment(channel, lastShipmentId.incrementAndGet(), acceptor, budget, options);
    shipments.add(shipment);
    channel.closeFuture().addListener(closed -> shipments.remove(shipment));
    shipment.attach();
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  @Override
  public void close() {
    if (listening != null) {
      listening.close().awaitUninterruptibly();
    }
    ShipmentException cause =
        new ShipmentException(Fault.CANCELLED, "the transactor is shutting down");
    List<ServerShipment> underWay = List.copyOf(shipments);
    underWay.forEach(shipment -> shipment.shutDown(cause));
    Channels.shutDown(group, underWay.stream().map(ServerShipment::channel).toList());
  }
}
