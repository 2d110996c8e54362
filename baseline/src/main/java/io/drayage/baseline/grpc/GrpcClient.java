package io.drayage.baseline.grpc;

import io.drayage.frame.Accepted;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Plaintext channels, as many as a shipment may use, and a timer for heartbeats: a worker that
 * compresses well may need longer than the idle timeout for its next chunk.
 */
final class GrpcClient implements TransportClient {
  /** How long cancelled shipments may take to be told before the channel is cut off. */
  private static final long CLOSE_TIMEOUT_MS = 2_000;

  private static final int HEARTBEATS_PER_TIMEOUT = 3;

  private final InetSocketAddress address;
  private final TransportOptions options;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<HaulCalls> calls = new ArrayList<>();
  private final ScheduledExecutorService timer;
  private final Future<?> heartbeats;
  private final Set<GrpcShipment> shipments = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  GrpcClient(InetSocketAddress address, TransportOptions options, Flavour flavour) {
    this.address = address;
    this.options = options;
    int count = flavour.channels(options.connections());
    for (int c = 0; c < count; c++) {
      ManagedChannel channel = newChannel(flavour);
      channels.add(channel);
      calls.add(new HaulCalls(channel, flavour));
    }
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "drayage-grpc-heartbeat");
              thread.setDaemon(true);
              return thread;
            });
    long periodNs = Math.max(1, options.idleTimeout().toNanos() / HEARTBEATS_PER_TIMEOUT);
    this.heartbeats =
        timer.scheduleWithFixedDelay(
            () -> shipments.forEach(GrpcShipment::heartbeat),
            periodNs,
            periodNs,
            TimeUnit.NANOSECONDS);
  }

  private ManagedChannel newChannel(Flavour flavour) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address)
            .usePlaintext()
            // Not for speed: without it, a host that dies without a word is never missed.
            .keepAliveTime(options.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTimeout(options.idleTimeout().toNanos(), TimeUnit.NANOSECONDS);
    flavour.configure(builder, address);
    return builder.build();
  }

  @Override
  public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
    if (closed) {
      throw new ShipmentException(Fault.CANCELLED, "the client is closed");
    }
    Accepted answer = requireAccepted(request(header));
    GrpcShipment shipment =
        new GrpcShipment(
            answer.shipmentId(),
            calls.subList(0, Math.min(calls.size(), answer.maxConnections())),
            options.openTimeout(),
            shipments::remove);
    shipments.add(shipment);
    shipment.begin(answer.token());
    if (closed) {
      shipment.close(); // It may have come too late for the round that close() makes.
    }
    return shipment;
  }

  private ByteBuffer request(ShipmentHeader header) throws ShipmentException, InterruptedException {
    boolean isCut = header.pipeline() == ShipmentHeader.Pipeline.SEGMENTS;
    ByteBuffer request = header.toFrame(isCut ? calls.size() : 1);
    try {
      return Frames.checked(calls.get(0).open(request, options.openTimeout()).buffer());
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a shipment was opened");
      }
      throw Statuses.asShipmentException(e, "opening a shipment at " + address);
    }
  }

  private static Accepted requireAccepted(ByteBuffer answer) throws ShipmentException {
    ByteBuffer payload = FrameHeader.verify(answer);
    FrameType type = FrameHeader.type(answer);
    if (type == FrameType.FAILED) {
      throw Failure.ofPayload(payload);
    }
    if (type != FrameType.ACCEPT) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION, "%s frame where ACCEPT belongs".formatted(type));
    }
    return Accepted.ofPayload(payload);
  }

  @Override
  public OptionalLong linkBytesPerSecond() {
    return options.linkTo(address);
  }

  @Override
  public void close() {
    closed = true;
    ShipmentException cause = new ShipmentException(Fault.CANCELLED, "the client was closed");
    heartbeats.cancel(false);
    timer.shutdown();
    shipments.forEach(shipment -> shipment.cancel(cause));
    channels.forEach(ManagedChannel::shutdown);
    try {
      for (ManagedChannel channel : channels) {
        close(channel);
      }
    } catch (InterruptedException e) {
      channels.forEach(ManagedChannel::shutdownNow);
      Thread.currentThread().interrupt();
    }
  }

  private static void close(ManagedChannel channel) throws InterruptedException {
    if (!channel.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
      channel.shutdownNow();
      channel.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }
  }
}
