package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.internal.QueueDepthEvent;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.tls.Tls;
import io.drayage.transport.netty.tls.TlsEngine;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Opens one or more connections for every shipment, or reuses a kept one. Thread-safe. */
final class NettyClient implements TransportClient, NettyShipment.Connector {
  private static final int MAX_EVENT_LOOPS = 4;

  private final NativeIo io;
  private final InetSocketAddress address;
  private final TransportOptions options;
  private final DrayageMetrics metrics;
  private final Tls tls;
  private final EventLoopGroup group;
  private final Set<NettyShipment> shipments = ConcurrentHashMap.newKeySet();
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();
  private final Runnable endQueueDepth;
  private final ClientPlaces places;
  private final KeptConnections idle;
  private volatile boolean closed;

  NettyClient(
      NativeIo io,
      TlsEngine engine,
      InetSocketAddress address,
      TransportOptions options,
      DrayageMetrics metrics) {
    this.tls = Tls.ofClient(options, address, engine);
    this.io = io;
    this.address = address;
    this.options = options;
    this.metrics = metrics;
    this.places = new ClientPlaces(options.peerLimits().maxShipmentsPerPeer());
    this.idle = new KeptConnections(options.peerLimits().maxShipmentsPerPeer());
    this.endQueueDepth = QueueDepthEvent.watch(metrics.outbound());
    int cores = Math.min(MAX_EVENT_LOOPS, Runtime.getRuntime().availableProcessors());
    this.group = io.newGroup(Math.min(cores, options.connections()), "netty-send", this::cancelAll);
  }

  /** Cancels the current shipments: a sender may begin its next one when the last has ended. */
  private void cancelAll(ShipmentException cause) {
    List.copyOf(shipments).forEach(shipment -> shipment.cancel(cause));
  }

  @Override
  public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
    return open(header, 0, options.openTimeout());
  }

  @Override
  public Shipment open(ShipmentHeader header, long creditBytes, Duration patience)
      throws ShipmentException, InterruptedException {
    long beganNs = System.nanoTime();
    places.acquire(patience);
    Duration left = patience.minusNanos(System.nanoTime() - beganNs);
    NettyShipment shipment;
    try (Begun begun = new Begun(places::release)) {
      shipment = begun.keep(add(header, places::release));
    }
    shipment.open(creditBytes, left.isNegative() ? Duration.ZERO : left);
    return shipment;
  }

  @Override
  public Shipment resume(ResumeTicket ticket, ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    // The shipment waits at the transactor, so it needs no place here.
    NettyShipment shipment = add(header, () -> {});
    shipment.resume(ticket);
    return shipment;
  }

  /**
   * @param whenOver called once
   */
  private NettyShipment add(ShipmentHeader header, Runnable whenOver) throws ShipmentException {
    NettyShipment shipment =
        new NettyShipment(
            this,
            header,
            options,
            metrics,
            over -> {
              if (shipments.remove(over)) {
                whenOver.run();
              }
            });
    shipments.add(shipment);
    if (closed) {
      shipments.remove(shipment);
      throw ClientPlaces.closed();
    }
    return shipment;
  }

  @Override
  public void abandon(ResumeTicket ticket, ShipmentException cause) {
    if (!group.isShuttingDown()) {
      // If the connection fails, the shipment expires.
      long id = ticket.shipmentId();
      ByteBuffer join = new Join(ticket.token(), Join.Purpose.RESUME).toFrame(id);
      ByteBuffer cancel = Failure.toFrame(FrameType.CANCEL, id, cause);
      ChannelFuture unused =
          connect(
              channel ->
                  channel
                      .pipeline()
                      .addLast(new Farewell(channel, WorkerConnection.LINGER, join, cancel)));
    }
  }

  @Override
  public TransactionAnswer ask(TransactionRequest request, Duration patience)
      throws ShipmentException, InterruptedException {
    if (closed) {
      throw ClientPlaces.closed();
    }
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    ChannelFuture connecting =
        connect(
            channel -> new RequestConnection(channel, request.toFrame(), answer, options).attach());
    connecting.addListener(
        connected -> {
          if (!connected.isSuccess()) {
            answer.completeExceptionally(
                ShipmentException.of(
                        Fault.PEER_GONE,
                        "no connection to %s".formatted(address),
                        connected.cause())
                    .withOutcome(ShipmentException.Outcome.NOT_APPLIED));
          }
        });
    try {
      return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause()).again();
    } catch (TimeoutException e) {
      throw new ShipmentException(
              Fault.PEER_SILENT,
              format(
                  "%s did not answer a request for transaction %s within %,d ms",
                  address, request.transaction(), patience.toMillis()),
              e)
          .withOutcome(ShipmentException.Outcome.UNKNOWN);
    } finally {
      Channels.close(connecting.channel());
    }
  }

  @Override
  public ChannelFuture connect(Consumer<SocketChannel> setUp) {
    return new Bootstrap()
        .group(group)
        .channel(io.socketChannel())
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            (int) Math.min(Integer.MAX_VALUE, options.openTimeout().toMillis()))
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                Channels.track(channel, open);
                tls.secure(channel);
                setUp.accept(channel);
              }
            })
        .connect(address);
  }

  @Override
  public KeptConnections idle() {
    return idle;
  }

  @Override
  public OptionalLong linkBytesPerSecond() {
    return options.linkTo(address);
  }

  @Override
  public void close() {
    closed = true;
    places.close();
    idle.close();
    endQueueDepth.run();
    cancelAll(ClientPlaces.closed());
    MetricsSnapshot unused = metrics.snapshot(); // Counts the times of threads that end now.
    Channels.shutDown(group, open);
    tls.close();
  }
}
