package io.drayage.transport.grpc;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;

/** Frames over gRPC with its defaults, as published: the transport of the baseline. */
public final class GrpcTransport implements Transport {
  @Override
  public String name() {
    return "grpc";
  }

  @Override
  public TransportClient client(InetSocketAddress address, TransportOptions options) {
    return new GrpcClient(address, options);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address, ShipmentAcceptor acceptor, TransportOptions options)
      throws ShipmentException {
    return new GrpcServer(address, acceptor, options);
  }
}
