package io.drayage.transport.netty;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetSocketAddress;

/**
 * A transport whose connections are all secured, so that the tests of any transport run over TLS.
 */
record SecuredTransport(Transport transport, TlsOptions server, TlsOptions client)
    implements Transport {
  /** With a transactor and a worker that know each other. */
  static SecuredTransport mutual(Transport transport, TestPki pki) {
    try {
      return new SecuredTransport(transport, pki.mutualServer(), pki.mutualClient());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String name() {
    return transport.name() + "+tls";
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    return transport.client(address, options.toBuilder().tls(client).build(), metrics);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics)
      throws BindException {
    return transport.listen(address, acceptor, options.toBuilder().tls(server).build(), metrics);
  }
}
