package io.drayage.bench.rig.node;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A server that outlives the nodes that listen with it, one after the other. So connections and
 * buffers stay warm, as in a node that lives for long. Thread-safe.
 */
final class KeptServer implements Transport, AutoCloseable {
  /** Makes the server for an acceptor. */
  interface Listen {
    /** Listens like {@link Transport#listen}. */
    TransportServer with(ShipmentAcceptor acceptor) throws BindException;
  }

  private final TransportServer server;
  private volatile @Nullable ShipmentAcceptor acceptor;

  KeptServer(Listen listen) throws BindException {
    this.server = listen.with(new Current());
  }

  /** Passes shipments and requests to the current acceptor. */
  private final class Current implements ShipmentAcceptor {
    @Override
    public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
        throws ShipmentException {
      return current().accept(header, replies);
    }

    @Override
    public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
      try {
        return current().ask(request);
      } catch (ShipmentException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private ShipmentAcceptor current() throws ShipmentException {
      ShipmentAcceptor now = acceptor;
      if (now == null) {
        throw new ShipmentException(Fault.REFUSED, "there is no node at the moment");
      }
      return now;
    }
  }

  @Override
  public String name() {
    return "kept";
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    throw new UnsupportedOperationException("this is a server");
  }

  /** Accepts shipments for this acceptor, at the first address and with the first options. */
  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor next,
      TransportOptions options,
      DrayageMetrics metrics) {
    acceptor = next;
    return new TransportServer() {
      @Override
      public InetSocketAddress address() {
        return KeptServer.this.address();
      }

      @Override
      public void close() {
        acceptor = null;
      }
    };
  }

  InetSocketAddress address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }
}
