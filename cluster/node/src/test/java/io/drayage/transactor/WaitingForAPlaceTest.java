package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.coordination.Coordination;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.objectstore.rate.ForwardingUpload;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ShipmentProgress;
import io.drayage.testing.Waiting;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.worker.CommitReport;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A primary with a slow store has fewer places than there are workers that ship. */
@Tag("ci")
@Timeout(120)
class WaitingForAPlaceTest {
  private static final int PLACES = 2;

  @TempDir private Path folder;

  /** Permits to store the data of one shipment each, if the store is slow. */
  private final Semaphore stored = new Semaphore(0);

  private volatile boolean isSlow;

  private TestCluster cluster;
  private TransactorNode primary;
  private DistributedTransaction transaction;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(slow(ObjectStores.open("fs:" + folder)));
    primary =
        cluster.primary(TestCluster.options("t1", new ReceiverLimits(1 << 28, 1 << 28, PLACES)));
    transaction = cluster.begin("driver");
    isSlow = true;
  }

  @AfterEach
  void close() {
    stored.release(1_000);
    transaction.close();
    cluster.close();
  }

  private ObjectStore slow(ObjectStore objects) {
    return new ForwardingStore(objects) {
      @Override
      public ObjectUpload begin(String key) throws IOException {
        ObjectUpload upload = super.begin(key);
        if (!key.startsWith("data/")) {
          return upload;
        }
        return new ForwardingUpload(upload) {
          @Override
          public void complete() throws IOException {
            if (isSlow) {
              stored.acquireUninterruptibly();
            }
            super.complete();
          }
        };
      }
    };
  }

  private FragmentSender fragments(String worker, FragmentSender.Options options)
      throws IOException {
    Coordination coordination = cluster.coordination();
    return new FragmentSender(
        transaction.handle(), coordination, address -> cluster.connect(address, worker), options);
  }

  private static ChangeCargo row(TransactionHandle handle, int number) {
    return ChangeCargo.builder(new UUID(0, 0), handle.base())
        .table(
            "events",
            changes ->
                changes
                    .insert("worker", ColumnValues.of(new int[][] {{1}}))
                    .insert("number", ColumnValues.of(new int[][] {{number}}))
                    .insert("note", ColumnValues.ofTexts(new String[][] {{"x"}})))
        .build();
  }

  private Waiting.Running<List<UUID>> send(FragmentSender sender, int number)
      throws InterruptedException {
    return Waiting.start(() -> sender.send(row(transaction.handle(), number)));
  }

  private List<String> waiting() {
    return waiting(ShipmentProgress::worker);
  }

  private <T> List<T> waiting(Function<ShipmentProgress, T> part) {
    return primary.shipments().stream().filter(ShipmentProgress::waits).map(part).toList();
  }

  @Test
  void whoFindsNoPlaceWaitsLongerThanItsPatienceAndAWorkersCommitIsNext() throws Exception {
    FragmentSender.Options impatient = new FragmentSender.Options(Duration.ofSeconds(1));
    List<Waiting.Running<List<UUID>>> sending = new ArrayList<>();
    try (FragmentSender sender = fragments("w1", impatient)) {
      for (int i = 0; i < 3 * PLACES; i++) {
        sending.add(send(sender, i));
      }
      Waiting.await(() -> waiting().size() == 2 * PLACES);
      List<UUID> first = ids();
      Worker worker = cluster.worker(new WorkerOptions("w2").withPatience(Duration.ofSeconds(20)));
      Waiting.Running<CommitReport> commit =
          Waiting.start(
              () -> worker.commit(Workload.next(worker.snapshot(), 2, 1), CommitOptions.DEFAULT));
      Waiting.await(() -> waiting().contains("test"));
      // Longer than an attempt of 5 s, and longer than patience.
      Waiting.await(() -> oldest().compareTo(Duration.ofSeconds(7)) > 0);
      assertThat(ids()).as("places that are kept").containsAll(first);
      assertThat(figure("drayage.shipments.waiting")).isEqualTo(2 * PLACES + 1);
      assertThat(figure("drayage.shipments.waiting.age")).isGreaterThan(7);
      try (FragmentSender late =
          fragments("w3", new FragmentSender.Options(impatient.patience(), Duration.ZERO))) {
        assertFault(Fault.BUSY, () -> late.send(row(transaction.handle(), 9)))
            .hasMessageMatching(
                "a fragment of transaction .* waited for 0 s, in 1 attempts: all 2 places are taken"
                    + " by 2 shipments of 'w1'; 6 shipments wait, the first for \\d+ s .*");
      }

      stored.release(1);
      Waiting.await(() -> !waiting().contains("test"));
      assertThat(waiting()).as("that wait while the commit has a place").contains("w1");
      stored.release(3 * PLACES);

      commit.get();
      List<UUID> fragments = new ArrayList<>();
      for (Waiting.Running<List<UUID>> each : sending) {
        fragments.addAll(each.get());
      }
      assertThat(fragments).doesNotHaveDuplicates().containsAll(first);
      transaction.commit(fragments);
    }
    Waiting.await(() -> waiting().isEmpty()); // The shipment that gave up is forgotten.
  }

  private List<UUID> ids() {
    return waiting(ShipmentProgress::transactionId);
  }

  private Duration oldest() {
    return waiting(ShipmentProgress::age).stream().max(Duration::compareTo).orElse(Duration.ZERO);
  }

  private double figure(String name) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new TransactorMeters(registry).bind(primary);
    return registry.get(name).gauge().value();
  }
}
