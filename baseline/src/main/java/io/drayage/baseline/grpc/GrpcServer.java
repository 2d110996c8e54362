package io.drayage.baseline.grpc;

import io.drayage.transport.HostPort;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** A gRPC server, and a timer for workers that are silent or stall. */
final class GrpcServer implements TransportServer {
  /** Time that answered calls have to end before they are cut off. */
  private static final long CLOSE_TIMEOUT_MS = 2_000;

  /** Number of checks for overdue shipments within the shorter timeout. */
  private static final int CHECKS_PER_TIMEOUT = 4;

  private final HaulService service;
  private final Server server;
  private final ExecutorService timer;

  GrpcServer(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      Flavour flavour)
      throws BindException {
    this.service = new HaulService(flavour.methods(), acceptor, options);
    this.server = start(address, options, flavour);
    long shorterNs = Math.min(options.idleTimeout().toNanos(), options.stallTimeout().toNanos());
    this.timer =
        GrpcTransport.every(
            shorterNs / CHECKS_PER_TIMEOUT, "drayage-grpc-timer", service::endOverdue);
  }

  private Server start(InetSocketAddress address, TransportOptions options, Flavour flavour)
      throws BindException {
    try {
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(address)
              .maxInboundMessageSize(Frames.MAX_MESSAGE_BYTES)
              // Not for speed: by default, a dead host is detected after two hours.
              .keepAliveTime(options.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
              .keepAliveTimeout(options.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
              .permitKeepAliveTime(1, TimeUnit.SECONDS)
              .addService(service);
      flavour.configure(builder);
      return builder.build().start();
    } catch (IOException e) {
      BindException failure =
          new BindException(
              "cannot listen at %s: %s".formatted(HostPort.text(address), e.getMessage()));
      failure.initCause(e);
      throw failure;
    }
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getListenSockets().get(0);
  }

  @Override
  public void close() {
    timer.shutdown();
    service.close();
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
