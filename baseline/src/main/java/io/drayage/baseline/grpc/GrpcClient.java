package io.drayage.baseline.grpc;

import io.drayage.frame.Accepted;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The worker's plaintext channels, as many as a shipment may use, and a timer for heartbeats. A
 * worker that compresses well may need longer than the idle timeout for its next chunk.
 */
final class GrpcClient implements TransportClient {
  /** Timeout for notifying the transactor of cancelled shipments, before the channel is cut off. */
  private static final long CLOSE_TIMEOUT_MS = 2_000;

  private static final int HEARTBEATS_PER_TIMEOUT = 3;

  private final InetSocketAddress address;
  private final TransportOptions options;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<HaulCalls> calls = new ArrayList<>();
  private final ExecutorService timer;
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
        GrpcTransport.every(
            options.idleTimeout().toNanos() / HEARTBEATS_PER_TIMEOUT,
            "drayage-grpc-heartbeat",
            () -> shipments.forEach(GrpcShipment::heartbeat));
  }

  /**
   * Returns the same address without the host's name. gRPC makes a URI of the name, but a name that
   * can be looked up may be no valid URI host: names of containers often contain {@code _}.
   */
  private static InetSocketAddress withoutName(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return address;
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(address.getAddress().getAddress()), address.getPort());
    } catch (UnknownHostException e) {
      throw new AssertionError("the address of " + address + " has a wrong length", e);
    }
  }

  private ManagedChannel newChannel(Flavour flavour) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(withoutName(address))
            .usePlaintext()
            // Not for speed: else a host that dies without closing is never detected.
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
    Accepted answer = request(header);
    GrpcShipment shipment =
        new GrpcShipment(
            answer.shipmentId(),
            answer.store(),
            calls.subList(0, Math.min(calls.size(), answer.maxConnections())),
            options.openTimeout(),
            shipments::remove);
    shipments.add(shipment);
    shipment.begin(answer.token());
    if (closed) {
      shipment.close(); // close() may have run already.
    }
    return shipment;
  }

  private Accepted request(ShipmentHeader header) throws ShipmentException, InterruptedException {
    boolean isCut = header.pipeline() == ShipmentHeader.Pipeline.SEGMENTS;
    ByteBuffer request = header.toFrame(OpenRequest.of(isCut ? calls.size() : 1, 0, Duration.ZERO));
    try {
      Lease answer = calls.get(0).open(request, options.openTimeout());
      return Accepted.ofPayload(Frames.payload(answer.buffer(), FrameType.ACCEPT));
    } catch (ShipmentException e) {
      throw e.withOutcome(ShipmentException.Outcome.NOT_APPLIED); // Nothing else was sent.
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a shipment was opened");
      }
      throw Answer.failure(e, "opening a shipment at " + address);
    }
  }

  @Override
  public OptionalLong linkBytesPerSecond() {
    return options.linkTo(address);
  }

  @Override
  public void close() {
    closed = true;
    ShipmentException cause = new ShipmentException(Fault.CANCELLED, "the client was closed");
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
