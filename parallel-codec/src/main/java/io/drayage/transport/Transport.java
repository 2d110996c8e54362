package io.drayage.transport;

import io.drayage.metrics.DrayageMetrics;
import java.net.BindException;
import java.net.InetSocketAddress;

/** A way to carry frames between two nodes. Implementations are stateless and thread-safe. */
public interface Transport {
  /** The name in a system's notation: {@code netty-epoll}. */
  String name();

  /**
   * Creates a client for the transactor at {@code address}. It connects when the first shipment is
   * opened.
   *
   * @param metrics counts the client's work
   * @throws UnsupportedOperationException if this machine lacks a requirement of the transport, or
   *     the transport has no TLS although the options want it
   * @throws IllegalArgumentException if a file of the {@link TlsOptions} cannot be used
   */
  TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics);

  /** Creates a client with counters of its own. */
  default TransportClient client(InetSocketAddress address, TransportOptions options) {
    return client(address, options, new DrayageMetrics());
  }

  /**
   * Listens at {@code address} and hands every shipment to {@code acceptor}.
   *
   * @param address port 0 for any free port
   * @param metrics counts the server's work
   * @throws BindException if it cannot listen there, with the address and the reason
   * @throws IllegalArgumentException if the address is not {@link TransportOptions#requireSecured
   *     secured}, or a file of the {@link TlsOptions} cannot be used
   * @throws UnsupportedOperationException if this machine lacks a requirement of the transport
   */
  TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics)
      throws BindException;

  /** Listens, with counters of its own. */
  default TransportServer listen(
      InetSocketAddress address, ShipmentAcceptor acceptor, TransportOptions options)
      throws BindException {
    return listen(address, acceptor, options, new DrayageMetrics());
  }
}
