package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import java.net.InetSocketAddress;

/** A way to carry frames between two nodes. Implementations are stateless and thread-safe. */
public interface Transport {
  /** The name in a system's notation: {@code netty-epoll}. */
  String name();

  /**
   * A client for the transactor at {@code address}. Connects when the first shipment is opened.
   *
   * @throws UnsupportedOperationException if this machine lacks what the transport needs, or the
   *     transport has no TLS and shall use it, saying so
   * @throws IllegalArgumentException if a file of the {@link TlsOptions} cannot be used
   */
  TransportClient client(InetSocketAddress address, TransportOptions options);

  /**
   * Listens at {@code address} and hands every shipment to {@code acceptor}.
   *
   * @param address port 0 for any free port
   * @throws ShipmentException if the address cannot be bound
   * @throws IllegalArgumentException if the address is not {@link TransportOptions#requireSecured
   *     secured}, or a file of the {@link TlsOptions} cannot be used
   * @throws UnsupportedOperationException if this machine lacks what the transport needs
   */
  TransportServer listen(
      InetSocketAddress address, ShipmentAcceptor acceptor, TransportOptions options)
      throws ShipmentException;
}
