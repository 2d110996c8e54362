package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.metrics.DrayageMetrics;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A transport without connections: a test asks the listener directly. */
public final class AskedTransport implements Transport {
  private volatile @Nullable ShipmentAcceptor acceptor;

  /** Offers a shipment to the listener. */
  public ShipmentHandler ask(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    return Objects.requireNonNull(acceptor).accept(header, replies);
  }

  /** Sends a request to the listener. */
  public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
    return Objects.requireNonNull(acceptor).ask(request);
  }

  @Override
  public String name() {
    return "asked";
  }

  @Override
  public TransportClient client(
      InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
    throw new UnsupportedOperationException("the test ships");
  }

  @Override
  public TransportServer listen(
      InetSocketAddress address,
      ShipmentAcceptor listening,
      TransportOptions options,
      DrayageMetrics metrics) {
    acceptor = listening;
    return new TransportServer() {
      @Override
      public InetSocketAddress address() {
        return InetSocketAddress.createUnresolved("127.0.0.1", 1);
      }

      @Override
      public void close() {}
    };
  }
}
