package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.metrics.QueueDepthWatch;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Opens a connection for every shipment. Thread-safe. */
final class NettyClient implements TransportClient {
  private static final int EVENT_LOOPS = 1;

  private final NativeIo io;
  private final InetSocketAddress address;
  private final TransportOptions options;
  private final Consumer<SocketChannel> tls;
  private final EventLoopGroup group;
  private final Set<NettyShipment> shipments = ConcurrentHashMap.newKeySet();
  private final QueueDepthWatch queueDepth;
  private volatile boolean closed;

  NettyClient(NativeIo io, TlsEngine engine, InetSocketAddress address, TransportOptions options) {
    this.tls = Tls.ofClient(options, address, engine);
    this.io = io;
    this.address = address;
    this.options = options;
    this.queueDepth = QueueDepthWatch.of(options.metricsOrNew().outbound());
    this.group = io.newGroup(EVENT_LOOPS, "netty-send");
  }

  @Override
  public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
    if (closed) {
      throw new ShipmentException(Fault.CANCELLED, "the client is closed");
    }
    NettyShipment shipment = connect(header);
    shipments.add(shipment);
    boolean opened = false;
    try {
      shipment.awaitAccepted();
      opened = true;
      return shipment;
    } finally {
      if (!opened) {
        shipment.close();
      }
    }
  }

  private NettyShipment connect(ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    CompletableFuture<NettyShipment> created = new CompletableFuture<>();
    ChannelFuture connected =
        new Bootstrap()
            .group(group)
            .channel(io.socketChannel())
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, options.openTimeout().toMillis()))
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    tls.accept(channel);
                    NettyShipment shipment =
                        new NettyShipment(channel, header, options, shipments::remove);
                    shipment.attach();
                    created.complete(shipment);
                  }
                })
            .connect(address);
    await(connected);
    if (!connected.isSuccess()) {
      throw new ShipmentException(
          Fault.PEER_GONE,
          "cannot connect to %s: %s".formatted(address, connected.cause().getMessage()),
          connected.cause());
    }
    return created.join();
  }

  private static void await(ChannelFuture connected) throws InterruptedException {
    try {
      connected.await();
    } catch (InterruptedException e) {
      Channels.close(connected.channel());
      throw e;
    }
  }

  @Override
  public void close() {
    closed = true;
    queueDepth.close();
    ShipmentException cause = new ShipmentException(Fault.CANCELLED, "the client is closed");
    List<NettyShipment> underWay = List.copyOf(shipments);
    underWay.forEach(shipment -> shipment.cancel(cause));
    Channels.shutDown(group, underWay.stream().map(NettyShipment::channel).toList());
  }
}
