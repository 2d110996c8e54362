package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries copies of frames between threads of one JVM: the smallest transport for tests. It has
 * credit, but no heartbeats and no way to resume. Clients reach only the servers of the same
 * instance.
 */
public final class LoopbackTransport implements Transport {
  private final Map<Integer, Server> servers = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();

  @Override
  public String name() {
    return "loopback";
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    return new Client(address);
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
    Server server = new Server((int) lastNumber.incrementAndGet(), acceptor, options);
    servers.put(server.port, server);
    return server;
  }

  private final class Server implements TransportServer {
    private final int port;
    private final ShipmentAcceptor acceptor;
    private final TransportOptions options;
    private final Set<LoopbackShipment> shipments = ConcurrentHashMap.newKeySet();

    Server(int port, ShipmentAcceptor acceptor, TransportOptions options) {
      this.port = port;
      this.acceptor = acceptor;
      this.options = options;
    }

    Shipment open(ShipmentHeader header) throws ShipmentException {
      LoopbackShipment shipment =
          new LoopbackShipment(lastNumber.incrementAndGet(), options.shipmentCreditBytes());
      ShipmentHandler handler = acceptor.accept(header, shipment);
      shipments.add(shipment);
      shipment.start(handler, () -> shipments.remove(shipment));
      if (servers.get(port) != this) {
        close();
      }
      return shipment;
    }

    @Override
    public InetSocketAddress address() {
      return InetSocketAddress.createUnresolved("loopback", port);
    }

    @Override
    public void close() {
      servers.remove(port);
      shipments.forEach(
          shipment ->
              shipment.cancel(new ShipmentException(Fault.CANCELLED, "the server was closed")));
    }
  }

  private final class Client implements TransportClient {
    private final InetSocketAddress address;
    private final Set<Shipment> shipments = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Client(InetSocketAddress address) {
      this.address = address;
    }

    private Server server() throws ShipmentException {
      Server server = servers.get(address.getPort());
      if (closed || server == null) {
        throw closed
            ? new ShipmentException(Fault.CANCELLED, "the client is closed")
            : new ShipmentException(Fault.PEER_GONE, "nobody listens at " + address);
      }
      return server;
    }

    @Override
    public TransactionAnswer ask(TransactionRequest request, Duration patience)
        throws ShipmentException, InterruptedException {
      try {
        return server().acceptor.ask(request).get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw ShipmentException.of(TransactionAnswer.cause(e.getCause())).statedByPeer();
      } catch (TimeoutException e) {
        throw new ShipmentException(Fault.PEER_SILENT, "there was no answer", e)
            .withOutcome(ShipmentException.Outcome.UNKNOWN);
      }
    }

    @Override
    public Shipment open(ShipmentHeader header) throws ShipmentException {
      Shipment shipment = server().open(header);
      shipments.removeIf(earlier -> earlier.committed().isDone());
      shipments.add(shipment);
      return shipment;
    }

    @Override
    public void close() {
      closed = true;
      shipments.forEach(
          shipment ->
              shipment.cancel(new ShipmentException(Fault.CANCELLED, "the client was closed")));
    }
  }
}
