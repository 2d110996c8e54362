package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries copies of frames from one thread to another inside one JVM: the smallest transport that
 * keeps the contract, credit and silence included, for tests of what runs over a transport. Clients
 * reach the servers of the same instance only.
 */
public final class LoopbackTransport implements Transport {
  private final Map<Integer, LoopbackServer> servers = new ConcurrentHashMap<>();
  private final AtomicInteger lastPort = new AtomicInteger();

  @Override
  public String name() {
    return "loopback";
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    return new LoopbackClient(() -> server(address), options);
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address, ShipmentAcceptor acceptor, TransportOptions options) {
    return listen(address, acceptor, options, new DrayageMetrics());
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      TransportOptions options,
      DrayageMetrics metrics) {
    int port = lastPort.incrementAndGet();
    LoopbackServer server =
        new LoopbackServer(
            InetSocketAddress.createUnresolved("loopback", port),
            acceptor,
            options,
            () -> servers.remove(port));
    servers.put(port, server);
    return server;
  }

  /** Ends what is under way with this server as if the wire had been cut. */
  public void cut(InetSocketAddress address) throws ShipmentException {
    server(address).abortAll(new ShipmentException(Fault.PEER_GONE, "the wire was cut"));
  }

  private LoopbackServer server(InetSocketAddress address) throws ShipmentException {
    LoopbackServer server = servers.get(address.getPort());
    if (server == null) {
      throw new ShipmentException(Fault.PEER_GONE, "nobody listens at " + address);
    }
    return server;
  }
}
