package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import io.drayage.coordination.TestCandidate;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.snapshot.EditedManifest;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.Columns;
import io.drayage.store.StoreSnapshot;
import io.drayage.testing.Waiting;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that apply an entry of the log differently than the log says. */
@Timeout(120)
class AppliedDifferenceTest {
  /** The takeover is entry 1. */
  private static final long NEWEST = 4;

  @TempDir private Path folder;

  /** The digest of the newest entry. */
  private long right;

  /** Makes three commits. If wrong, the last one states another digest than it has. */
  private void makeDatabase(boolean wrong) throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      for (int number = 1; number <= 3; number++) {
        worker.commit(Workload.next(worker.snapshot(), 1, number));
      }
      right = worker.lastApplied().appliedDigest();
    }
    if (wrong) {
      EditedManifest.setApplied(folder, NEWEST, right + 1);
    }
  }

  private static Replica open(ObjectStore objects) throws IOException {
    return Replica.open(objects, 1, 1 << 28, 0, AllowedCodecs.DATA_ONLY);
  }

  @Test
  void aCopyStaysBeforeAnEntryThatItAppliesDifferently() throws Exception {
    makeDatabase(true);
    try (ObjectStore objects = ObjectStores.open("fs:" + folder);
        Replica replica = open(objects)) {
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThatExceptionOfType(AppliedDiffersException.class)
            .isThrownBy(() -> replica.advance(NEWEST))
            .withMessage(
                "snapshot %d is applied differently here: its changes have digest %s, expected %s",
                NEWEST, CargoDigest.toHex(right), CargoDigest.toHex(right + 1));
        assertThat(replica.snapshot().timestamp()).isEqualTo(NEWEST - 1);
        Workload.check(replica.snapshot());
      }
      // The entry was read again once, and then the whole log.
      assertThat(replica.differences()).isEqualTo(2);
    }
  }

  @Test
  void anOwnCargoThatIsNotWhatWasCommittedIsLoaded() throws Exception {
    makeDatabase(false);
    try (ObjectStore objects = ObjectStores.open("fs:" + folder);
        Replica replica = open(objects)) {
      replica.advance(NEWEST - 1);
      ChangeCargo committed = load(objects, replica);
      ChangeCargo other =
          ChangeCargo.builder(committed.transactionId(), committed.baseSnapshot())
              .table("left", table -> table.update("number", Columns.rows(1), numbers(7)))
              .build();
      replica.keepOwn(other);

      assertThat(replica.advance(NEWEST)).isEqualTo(NEWEST);
      assertThat(replica.differences()).isOne();
      assertThat(replica.lastApplied().appliedDigest()).isEqualTo(right);
      Workload.check(replica.snapshot());
    }
  }

  private static ColumnValues numbers(int number) {
    return ColumnValues.of(new int[][] {{number}});
  }

  private static ChangeCargo load(ObjectStore objects, Replica replica) throws IOException {
    SnapshotContents contents =
        new SnapshotCatalog(objects).entry(NEWEST).manifest().cargoes().get(0);
    try (SnapshotLoader loader = new SnapshotLoader(objects, 1, 1 << 28, AllowedCodecs.DATA_ONLY)) {
      ChangeCargo cargo = loader.load(contents);
      assertThat(AppliedDigest.of(cargo)).isNotEqualTo(replica.lastApplied().appliedDigest());
      return cargo;
    }
  }

  @Test
  void memoryThatIsWrongIsLoadedAnew() throws Exception {
    makeDatabase(false);
    try (ObjectStore objects = ObjectStores.open("fs:" + folder);
        Replica replica = open(objects)) {
      replica.advance(NEWEST);
      StoreSnapshot before = replica.snapshot();
      ((int[]) before.table("left").column("number").extent(0).page(0))[1] = 77;
      replica.distrust(NEWEST - 1);
      assertThat(replica.advance(0)).isEqualTo(NEWEST);
      assertThat(replica.snapshot()).isNotSameAs(before);
      Workload.check(replica.snapshot());
      assertThat(replica.differences()).isZero();
    }
  }

  @Test
  void aNodeThatDiffersStaysUpAndTakesNothingOver() throws Exception {
    makeDatabase(true);
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode node = cluster.transactor("t1");
      Waiting.await(() -> node.takeoverFailure() != null);

      assertThat(node.takeoverFailure()).isInstanceOf(AppliedDiffersException.class);
      assertThat(node.status().failure()).contains("snapshot 4 is applied differently here");
      assertThat(node.status().differences()).isPositive();
      assertThat(node.isPrimary()).isFalse();
      assertThat(node.snapshot().timestamp()).isEqualTo(NEWEST - 1);
    }
  }

  @Test
  void aFeedDeliversNoChangeThatDiffers() throws Exception {
    makeDatabase(true);
    try (TestCluster cluster = new TestCluster(folder);
        Coordination coordination = cluster.coordination()) {
      TestCandidate candidate = new TestCandidate();
      Registration unused = coordination.stand(new NodeInfo("t1", "127.0.0.1:1"), candidate);
      candidate
          .awaitElected()
          .publish(new SnapshotCatalog(cluster.objects).entry(NEWEST).position());
      assertThatExceptionOfType(AppliedDiffersException.class)
          .isThrownBy(() -> next(coordination, cluster.objects));
    }
  }

  private static CommittedChange next(Coordination coordination, ObjectStore objects)
      throws IOException, InterruptedException {
    WorkerOptions options = new WorkerOptions("feed");
    try (ChangeFeed feed = ChangeFeed.openAfter(options, coordination, objects, NEWEST - 1)) {
      return Objects.requireNonNull(feed.next(Duration.ofSeconds(60)));
    }
  }
}
