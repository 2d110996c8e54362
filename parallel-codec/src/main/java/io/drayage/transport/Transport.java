package io.drayage.transport;

import io.drayage.metrics.DrayageMetrics;
import java.net.BindException;
import java.net.InetSocketAddress;

/** A way to carry frames between two nodes. Implementations are stateless and thread-safe. */
public interface Transport {
  /** The name in a system's notation: {@code netty-epoll}. */
  String name();

  /**
   * A client for the transactor at {@code address}. Connects when the first shipment is opened.
   *
   * @param metrics counts what the client does
   * @throws UnsupportedOperationException if this machine lacks what the transport needs, or the
   *     transport has no TLS and shall use it, saying so
   * @throws IllegalArgumentException if a file of the {@link TlsOptions} cannot be used
   */
  TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics);

  /**
   * As {@link #client(InetSocketAddress, TransportOptions, DrayageMetrics)}, with counters of its
   * own.
   */
  default TransportClient client(InetSocketAddress address, TransportOptions options) {
    return client(address, options, new DrayageMetrics());
  }

  /**
   * Listens at {@code address} and hands every shipment to {@code acceptor}.
   *
   * @param address port 0 for any free port
   * @param metrics counts what the server does
   * @throws BindException if it cannot listen there, naming the address and why
   * @throws IllegalArgumentException if the address is not {@link TransportOptions#requireSecured
   *     secured}, or a file of the {@link TlsOptions} cannot be used
   * @throws UnsupportedOperationException if this machine lacks what the transport needs
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
