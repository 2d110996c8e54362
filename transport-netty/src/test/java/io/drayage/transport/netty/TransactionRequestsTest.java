package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.testing.Waiting;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of coordinators of transactions, over connections of their own. */
class TransactionRequestsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(50);
  private static final UUID ID = new UUID(1, 2);
  private static final Token TOKEN = new Token(3, 4);

  private final NettyTransport transport = NettyTransport.best();
  private final BlockingQueue<TransactionRequest> asked = new LinkedBlockingQueue<>();
  private TransportServer server;
  private TransportClient client;

  private void serve(
      TransportOptions options,
      Function<TransactionRequest, CompletableFuture<TransactionAnswer>> answers)
      throws Exception {
    server =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ShipmentAcceptor() {
              @Override
              public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
                  throws ShipmentException {
                throw new ShipmentException(Fault.REFUSED, "no shipments here");
              }

              @Override
              public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
                asked.add(request);
                return answers.apply(request);
              }
            },
            options);
    client = transport.client(server.address(), options);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    DirectMemory.assertAllReleased();
  }

  @Test
  void everyRequestIsAnswered() throws Exception {
    TransactionAnswer answer = new TransactionAnswer.Committed(42, true);
    serve(TransportOptions.DEFAULT, request -> CompletableFuture.completedFuture(answer));
    for (TransactionRequest request :
        List.of(
            new TransactionRequest.Begin(ID, null, -1, 0, Duration.ofSeconds(1), "driver"),
            new TransactionRequest.Renew(ID, TOKEN),
            new TransactionRequest.Abort(ID, TOKEN),
            new TransactionRequest.Commit(
                ID,
                TOKEN,
                Acknowledgement.STORED,
                OnConflict.REJECT,
                true,
                AppVersion.of("load", 7, "t"),
                Collections.nCopies(TransactionRequest.MAX_FRAGMENTS, ID)))) {
      assertThat(client.ask(request, PATIENCE)).isEqualTo(answer);
      assertThat(asked.take()).isEqualTo(request);
    }
  }

  @Test
  void aFailureHasTheOutcomeThatIsStated() throws Exception {
    ShipmentException unknown =
        new ShipmentException(Fault.CANCELLED, "over").withOutcome(Outcome.UNKNOWN);
    serve(TransportOptions.DEFAULT, request -> CompletableFuture.failedFuture(unknown));

    assertFails(Fault.CANCELLED, Outcome.UNKNOWN, "over");
  }

  @Test
  void anAnswerMayTakeLongerThanTheIdleTimeout() throws Exception {
    CompletableFuture<TransactionAnswer> late = new CompletableFuture<>();
    serve(TransportOptions.builder().idleTimeout(Duration.ofMillis(300)).build(), request -> late);
    Waiting.Running<TransactionAnswer> got =
        Waiting.start(() -> client.ask(new TransactionRequest.Renew(ID, TOKEN), PATIENCE));
    TransactionRequest unused = asked.take();
    long untilNs = System.nanoTime() + 1_000_000_000;
    Waiting.await(() -> System.nanoTime() > untilNs);
    assertThat(got.result()).isNotDone();

    late.complete(new TransactionAnswer.Aborted());

    assertThat(got.get()).isEqualTo(new TransactionAnswer.Aborted());
  }

  @Test
  void aServerThatEndsLeavesTheOutcomeUnknown() throws Exception {
    serve(
        TransportOptions.DEFAULT,
        request -> {
          new Thread(server::close).start();
          return new CompletableFuture<>();
        });

    assertFails(Fault.PEER_GONE, Outcome.UNKNOWN, "was closed");
    assertFails(Fault.PEER_GONE, Outcome.NOT_APPLIED, "no connection to");
  }

  private void assertFails(Fault fault, Outcome outcome, String message) {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> client.ask(new TransactionRequest.Renew(ID, TOKEN), PATIENCE))
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.fault()).isEqualTo(fault))
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(outcome));
  }
}
