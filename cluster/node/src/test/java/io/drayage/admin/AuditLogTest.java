package io.drayage.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.FragmentOf;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.store.MemoryStore;
import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.EndedTransaction;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transport.AskedTransport;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int REFUSED = 40_000;

  @TempDir private Path folder;

  /** The refusals come while the commit is under way. */
  @Test
  void aFloodOfRefusalsLosesNeitherACommitNorItsAuthor() throws Exception {
    UUID transaction = new UUID(1, 1);
    List<String> lines =
        linesOf(
            log -> {
              AskedTransport transport = observed(log, AuditLogTest::decide);
              offer(transport, header(transaction, "anna"));
              int refused = 0;
              for (int i = 0; i < REFUSED; i++) {
                try {
                  offer(transport, header(new UUID(2, i), "berta"));
                  throw new AssertionError("berta was accepted");
                } catch (ShipmentException e) {
                  refused++;
                }
              }
              assertThat(refused).isEqualTo(REFUSED);
              AuditLog.published(log).accept(published(transaction, "anna"));
            });

    assertLine(lines.get(lines.size() - 1), "committed", transaction, "anna");
    long told = 0;
    for (String line : lines) {
      told += line.contains("lost") ? JSON.readTree(line).get("lost").longValue() : 1;
    }
    assertThat(told).as("every line is there, or counted").isEqualTo(REFUSED + 1);
  }

  @Test
  void aNameDoesNothingToATerminal() throws Exception {
    String name = "b\u001b[2J\u007f\u009b1m\u202eö\u2028\u200b\"\n\ud83d\ude00\ud800";
    List<String> lines =
        linesOf(log -> AuditLog.published(log).accept(published(new UUID(1, 1), name)));

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("\"b\\u001B[2J\\u007F\\u009b1m\\u202eö\\u2028\\u200b\\\"\\n");
    assertThat(JSON.readTree(lines.get(0)).get("worker").textValue()).isEqualTo(name);
  }

  @Test
  void aCommitNamesTheFirstOfItsFragmentsAndSendersAndCountsAll() throws Exception {
    UUID id = new UUID(1, 1);
    List<String> lines =
        linesOf(
            log -> {
              AuditLog.published(log).accept(published(id, "anna", 0));
              AuditLog.published(log).accept(published(id, "anna", 2));
              AuditLog.published(log).accept(published(id, "anna", 32_768));
            });

    assertThat(lines.get(0)).doesNotContain("fragment");
    JsonNode two = JSON.readTree(lines.get(1));
    assertThat(two.get("fragments").intValue()).isEqualTo(2);
    assertThat(two.get("fragmentIds")).hasSize(2);
    JsonNode many = JSON.readTree(lines.get(2));
    assertThat(many.get("fragments").intValue()).isEqualTo(32_768);
    assertThat(many.get("fragmentIds")).hasSize(16);
    assertThat(many.get("fragmentIds").get(15).textValue()).isEqualTo(new UUID(2, 15).toString());
    assertThat(many.get("senders").intValue()).isEqualTo(16_384);
    assertThat(many.get("senderNames")).hasSize(16);
    assertThat(many.get("senderNames").get(1).textValue()).isEqualTo("worker 1");
  }

  @Test
  void passesOnWhatCoordinatorsAsk() throws Exception {
    TransactionRequest begin = begin("anna");
    List<String> lines =
        linesOf(
            log -> {
              AskedTransport transport = observed(log, new Transactions());
              assertThat(transport.ask(begin).get())
                  .isEqualTo(new TransactionAnswer.Committed(7, true));
            });
    assertThat(lines).isEmpty();
  }

  @Test
  void aRequestThatIsRefusedIsALine() throws Exception {
    Token token = Token.random(new SecureRandom());
    UUID transaction = token.transaction();
    List<TransactionRequest> requests =
        List.of(
            begin("berta"),
            new TransactionRequest.Abort(transaction, token),
            new TransactionRequest.Commit(
                transaction,
                token,
                Acknowledgement.STORED,
                OnConflict.REJECT,
                false,
                null,
                List.of()));
    List<String> lines =
        linesOf(
            log -> {
              AskedTransport transport = observed(log, AuditLogTest::decide);
              for (TransactionRequest request : requests) {
                assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> transport.ask(request).get())
                    .withCauseInstanceOf(ShipmentException.class);
              }
            });

    assertThat(lines).hasSize(3);
    assertLine(lines.get(0), "refused", new UUID(1, 1), "berta");
    assertThat(lines.get(0))
        .contains("\"fault\":\"REFUSED\"", "commits no transactions", "\"request\":\"BEGIN\"");
    assertThat(lines.get(1)).contains("\"request\":\"ABORT\"");
    assertThat(lines.get(2))
        .contains("\"request\":\"COMMIT\"", "\"transaction\":\"" + transaction)
        .doesNotContain("worker\"", token.toString());
  }

  @Test
  void anEndWithoutEffectIsALine() throws Exception {
    UUID transaction = new UUID(1, 1);
    List<String> lines =
        linesOf(
            log -> {
              AuditLog.ended(log).accept(new EndedTransaction(transaction, "anna", false, 5));
              AuditLog.ended(log).accept(new EndedTransaction(transaction, "berta", true, 6));
            });

    assertLine(lines.get(0), "aborted", transaction, "anna");
    assertThat(JSON.readTree(lines.get(0)).get("entry").intValue()).isEqualTo(5);
    assertLine(lines.get(1), "expired", transaction, "berta");
  }

  private static void assertLine(String line, String outcome, UUID transaction, String worker)
      throws Exception {
    JsonNode read = JSON.readTree(line);
    assertThat(read.get("outcome").textValue()).isEqualTo(outcome);
    assertThat(read.get("transaction").textValue()).isEqualTo(transaction.toString());
    assertThat(read.get("worker").textValue()).isEqualTo(worker);
  }

  private static TransactionRequest begin(String worker) {
    return new TransactionRequest.Begin(
        new UUID(1, 1), null, TransactionRequest.Begin.NEWEST, 0, Duration.ofSeconds(1), worker);
  }

  private static final class Transactions implements ShipmentAcceptor {
    @Override
    public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
        throws ShipmentException {
      return decide(header, replies);
    }

    @Override
    public CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
      return CompletableFuture.completedFuture(new TransactionAnswer.Committed(7, true));
    }
  }

  /** The worker asks again, several times a second. */
  @Test
  void whatHasToWaitIsNoLine() throws Exception {
    List<String> lines =
        linesOf(
            log -> {
              AskedTransport transport =
                  observed(
                      log,
                      (header, replies) -> {
                        throw new ShipmentException(Fault.BUSY, "all places are taken");
                      });
              assertThatExceptionOfType(ShipmentException.class)
                  .isThrownBy(() -> offer(transport, header(new UUID(1, 1), "anna")));
            });
    assertThat(lines).isEmpty();
  }

  @Test
  void aRefusedFragmentIsNamedWithItsTransaction() throws Exception {
    UUID transaction = new UUID(1, 1);
    UUID fragment = new UUID(2, 2);
    ShipmentHeader header =
        new ShipmentHeader(
            fragment,
            0,
            ShipmentHeader.Pipeline.SEGMENTS,
            1,
            0,
            CommitOptions.DEFAULT.of(new FragmentOf(transaction, new Token(3, 4))),
            "berta");
    List<String> lines =
        linesOf(
            log -> {
              AskedTransport transport = observed(log, AuditLogTest::decide);
              assertThatExceptionOfType(ShipmentException.class)
                  .isThrownBy(() -> offer(transport, header));
            });
    JsonNode line = JSON.readTree(lines.get(0));
    assertThat(line.get("transaction").textValue()).isEqualTo(transaction.toString());
    assertThat(line.get("fragment").textValue()).isEqualTo(fragment.toString());
  }

  /** Makes a transport whose acceptor the log observes. */
  private static AskedTransport observed(AuditLog log, ShipmentAcceptor acceptor) throws Exception {
    AskedTransport transport = new AskedTransport();
    Object unused =
        log.observe(transport)
            .listen(
                new InetSocketAddress(0), acceptor, TransportOptions.DEFAULT, new DrayageMetrics());
    return transport;
  }

  private interface Use {
    void with(AuditLog log) throws Exception;
  }

  private List<String> linesOf(Use use) throws Exception {
    Path file = folder.resolve("audit.jsonl");
    try (AuditLog log = AuditLog.open(file)) {
      use.with(log);
    }
    return Files.readAllLines(file);
  }

  private static void offer(AskedTransport transport, ShipmentHeader header)
      throws ShipmentException {
    Object unused = transport.ask(header, new RecordingReplies(1));
  }

  private static ShipmentHandler decide(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    if (header.worker().equals("berta")) {
      throw new ShipmentException(Fault.REFUSED, "berta may not");
    }
    return new ShipmentHandler() {
      @Override
      public void onFrame(Lease frame) {
        frame.close();
      }

      @Override
      public boolean onAborted(ShipmentException cause) {
        return true;
      }
    };
  }

  private static ShipmentHeader header(UUID transaction, String worker) {
    return new ShipmentHeader(
        transaction, 0, ShipmentHeader.Pipeline.SEGMENTS, 1, 0, CommitOptions.DEFAULT, worker);
  }

  private static PublishedCommit published(UUID transaction, String worker) throws Exception {
    return published(transaction, worker, 0);
  }

  private static PublishedCommit published(UUID transaction, String worker, int fragments)
      throws Exception {
    MemoryStore store = new MemoryStore();
    long timestamp = store.commit(ChangeCargo.builder(transaction, 0).build());
    return new PublishedCommit(
        new CommitTimes(transaction, timestamp, 0, 1, 2, 3, 4),
        worker,
        LongStream.range(0, fragments).mapToObj(n -> new UUID(2, n)).toList(),
        IntStream.range(0, fragments / 2).mapToObj(n -> "worker " + n).toList(),
        Objects.requireNonNull(store.lastApplied()));
  }
}
