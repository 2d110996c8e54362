package io.drayage.transport;

import io.drayage.metrics.DrayageMetrics;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/** A transport whose ends change the options of a test, so that its batteries run with others. */
public record ConfiguredTransport(
    Transport transport,
    UnaryOperator<TransportOptions> ofClients,
    UnaryOperator<TransportOptions> ofServers)
    implements Transport {
  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    return transport.client(address, ofClients.apply(options), metrics);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics)
      throws BindException {
    return transport.listen(address, acceptor, ofServers.apply(options), metrics);
  }
}
