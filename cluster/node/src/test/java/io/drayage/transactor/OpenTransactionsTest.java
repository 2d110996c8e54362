package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.database.TransactionLimits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ReceiverLimits;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.transaction.TransactionRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transactions of one term. */
class OpenTransactionsTest extends PipelineFixture {
  @TempDir private Path folder;

  /** An empty store that answers when the test lets it. */
  private final FaultyStore slow = new FaultyStore(new MemoryObjects("slow"));

  private OpenTransactions transactions;

  @BeforeEach
  void start() throws Exception {
    slow.stall("", FaultyStore.Call.SIZE);
    ObjectStore objects = open(FolderStore.open(folder));
    takeOver(objects, new TestTerm(1), PendingCommits::new);
    TransactionRecords records = new TransactionRecords(slow);
    FragmentCache cache = new FragmentCache(0);
    transactions =
        open(
            new OpenTransactions(
                records,
                memory,
                replica.store(),
                TransactionLimits.ofHeap(),
                replica.database(),
                replica::checksum,
                new TransactionCommits(
                    records,
                    memory,
                    cache,
                    new SnapshotLoader(objects, 1, 1 << 20, ReceiverLimits.DATA_ONLY)),
                cache,
                () -> {}));
  }

  @Test
  void requestsThatWaitForTheStoreAreLimited() throws Exception {
    List<CompletableFuture<TransactionAnswer>> answers = new ArrayList<>();
    CompletableFuture<TransactionAnswer> last;
    do {
      last = transactions.ask(renew(answers.size()));
      answers.add(last);
    } while (!last.isDone() && answers.size() < 10_000);

    assertRefused(
        last, Fault.BUSY, "1,000 requests for transactions wait already, which is the limit");
    assertThat(answers).hasSizeBetween(1_001, 1_001 + 20);
    slow.mend();
    assertRefused(answers.get(answers.size() - 2), Fault.REFUSED, "is not known");
    assertRefused(transactions.ask(renew(-1)), Fault.REFUSED, "is not known");
  }

  private static TransactionRequest renew(int number) {
    Token token = new Token(1, number);
    return new TransactionRequest.Renew(token.transaction(), token);
  }

  private static void assertRefused(
      CompletableFuture<TransactionAnswer> answer, Fault fault, String message) {
    assertThat(answer)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining(message)
        .satisfies(e -> assertThat(((ShipmentException) e.getCause()).fault()).isEqualTo(fault));
  }
}
