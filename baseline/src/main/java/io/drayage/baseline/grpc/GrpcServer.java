package io.drayage.baseline.grpc;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A gRPC server, and a timer for workers that are silent or stall. */
final class GrpcServer implements TransportServer {
  /** How long calls that were answered may take to end before they are cut off. */
  private static final long CLOSE_TIMEOUT_MS = 2_000;

  /** How often within the shorter timeout overdue shipments are looked for. */
  private static final int CHECKS_PER_TIMEOUT = 4;

  private final InboundShipments shipments;
  private final Server server;
  private final ScheduledExecutorService timer;
  private final Future<?> overdueChecks;

  GrpcServer(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      Flavour flavour)
      throws ShipmentException {
    this.shipments = new InboundShipments(options);
    this.server = start(address, acceptor, options, flavour);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "drayage-grpc-timer");
              thread.setDaemon(true);
              return thread;
            });
    long shorterNs = Math.min(options.idleTimeout().toNanos(), options.stallTimeout().toNanos());
    long periodNs = Math.max(1, shorterNs / CHECKS_PER_TIMEOUT);
    this.overdueChecks =
        timer.scheduleWithFixedDelay(
            shipments::endOverdue, periodNs, periodNs, TimeUnit.NANOSECONDS);
  }

  private Server start(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      Flavour flavour)
      throws ShipmentException {
    try {
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(address)
              .maxInboundMessageSize(FrameMessages.MAX_MESSAGE_BYTES)
              // Not for speed: the default would hear of a dead host after two hours.
              .keepAliveTime(options.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
              .keepAliveTimeout(options.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
              .permitKeepAliveTime(1, TimeUnit.SECONDS)
              .addService(new HaulService(flavour.methods(), acceptor, shipments));
      flavour.configure(builder);
      return builder.build().start();
    } catch (IOException e) {
      throw new ShipmentException(
          Fault.INTERNAL, "cannot listen at %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getListenSockets().get(0);
  }

  @Override
  public void close() {
    overdueChecks.cancel(false);
    timer.shutdown();
    shipments.close();
    server.shutdown();
    try {
      if (!server.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
        server.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
