package io.drayage.baseline.grpc;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Frames over gRPC. {@code grpc} is the transport of the baseline, as published, with the library's
 * defaults. {@code grpc-tuned} has the settings and the messages that carry bulk data best. Both
 * use the same service and understand each other. Neither has TLS.
 */
public final class GrpcTransport implements Transport {
  private final String name;
  private final Flavour flavour;

  /** Creates {@code grpc}, as published. */
  public GrpcTransport() {
    this("grpc", new Published());
  }

  private GrpcTransport(String name, Flavour flavour) {
    this.name = name;
    this.flavour = flavour;
  }

  /** Creates {@code grpc-tuned}. */
  public static GrpcTransport tuned() {
    return new GrpcTransport("grpc-tuned", new Tuned());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    requireNoTls(options);
    return new GrpcClient(address, options, flavour);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics)
      throws BindException {
    requireNoTls(options);
    options.requireSecured(address);
    return new GrpcServer(address, acceptor, options, flavour);
  }

  private void requireNoTls(TransportOptions options) {
    if (options.tls() != null) {
      throw new UnsupportedOperationException(
          "transport '%s' has no TLS: use netty, or leave the TLS options out".formatted(name));
    }
  }

  /** Runs {@code task} at a period, on a thread of its own, until the executor is shut down. */
  static ExecutorService every(long periodNs, String threadName, Runnable task) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            run -> {
              Thread thread = new Thread(run, threadName);
              thread.setDaemon(true);
              return thread;
            });
    long atLeastNs = Math.max(1, periodNs);
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(task, atLeastNs, atLeastNs, TimeUnit.NANOSECONDS);
    return timer;
  }
}
