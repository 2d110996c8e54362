package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drayage.codec.Serializers;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.testing.Waiting;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No node uses the database of one cluster for another cluster. */
@Timeout(120)
class DatabaseIdentityTest {
  private static final int COMMITS = 3;
  private static final String PLACE = "a cluster in this process";
  private static final Duration SHORT = Duration.ofMillis(100);

  private final Map<String, ObjectStore> stores = new HashMap<>();
  @AutoClose private TestCluster cluster;
  private TransactorNode primary;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(store("ours"));
    primary = cluster.transactor("t1");
    commit(cluster, COMMITS);
  }

  private static String name(String store) {
    return "memory:" + store;
  }

  private ObjectStore store(String name) {
    return stores.computeIfAbsent(name, unused -> new MemoryObjects(name(name)));
  }

  /** Combines the nodes of a coordination with another store. */
  private TestCluster with(InMemoryCluster coordination, String store) {
    return new TestCluster(store(store), () -> new InMemoryCoordination(coordination));
  }

  private static void commit(TestCluster cluster, int last) throws Exception {
    try (Worker worker = cluster.worker("w1")) {
      for (int i = Workload.committed(worker.snapshot(), 1) + 1; i <= last; i++) {
        worker.commit(Workload.next(worker.snapshot(), 1, i));
      }
    }
  }

  private static String database(ObjectStore store) throws IOException {
    return new SnapshotCatalog(store).database().orElseThrow().toString();
  }

  /** Makes another database with the same tables and the same length. */
  private String makeAnother(String store) throws Exception {
    try (TestCluster another = new TestCluster(store(store))) {
      another.transactor("t1");
      commit(another, COMMITS);
      return database(another.objects);
    }
  }

  private void copy(String store) throws Exception {
    try (ObjectStore to = store(store)) {
      SnapshotCopy.Result unused = new SnapshotCopy(cluster.objects, to).run(Long.MAX_VALUE);
    }
  }

  /** Copies the store. A new cluster then commits to the copy up to a transaction. */
  private void makeClone(String store, int last) throws Exception {
    copy(store);
    goOn(store, last);
  }

  private void goOn(String store, int last) throws Exception {
    try (TestCluster clone = new TestCluster(store(store))) {
      clone.transactor("t1");
      commit(clone, last);
    }
  }

  private static void assertForeign(ThrowingCallable step, String... words) {
    Throwable thrown = catchThrowable(step);
    assertThat(thrown).isInstanceOf(ForeignDatabaseException.class);
    for (String word : words) {
      assertThat(thrown).hasMessageContaining(word);
    }
  }

  /** A worker of our cluster with another store, or with another destination. */
  private Worker worker(
      WorkerOptions options, ObjectStore store, Function<InetSocketAddress, CargoSender> connect)
      throws IOException {
    return Worker.open(
        options.allowing(Serializers.ofName("java")), cluster.coordination(), store, connect);
  }

  @Test
  void refusesNodesWithTheStoreOfAnotherDatabase() throws Exception {
    String[] words = {makeAnother("another"), name("another"), database(cluster.objects), PLACE};
    try (TestCluster wrong = with(cluster.cluster, "another")) {
      assertForeign(() -> wrong.transactor("t2"), words);
      assertForeign(() -> wrong.worker("w2"), words);
      assertForeign(
          () ->
              ChangeFeed.openNewest(new WorkerOptions("feed"), wrong.coordination(), wrong.objects)
                  .close(),
          words);
    }
    commit(cluster, COMMITS + 1);
    assertThat(primary.isPrimary()).isTrue();
  }

  @Test
  void refusesTransactorWithAnEmptyStoreWhereThereIsADatabase() throws Exception {
    try (TestCluster wrong = with(cluster.cluster, "empty")) {
      assertForeign(
          () -> wrong.transactor("t2"),
          name("empty") + " holds no database",
          PLACE,
          database(cluster.objects));
      assertThat(wrong.objects.list("")).isEmpty();
    }
  }

  /** Longer than the original, which is at 6, or as long. Both have an entry in place of 6. */
  @ParameterizedTest
  @ValueSource(ints = {COMMITS + 6, COMMITS + 1})
  void refusesACloneThatWentItsOwnWay(int last) throws Exception {
    makeClone("clone", last);
    commit(cluster, COMMITS + 2);
    LogPosition published = published();
    try (TestCluster wrong = with(cluster.cluster, "clone")) {
      assertForeign(
          () -> wrong.worker("w2"),
          name("clone"),
          "another history of database",
          PLACE,
          format("%08x", published.checksum()));
      assertForeign(
          () -> wrong.transactor("t2"), name("clone"), "another history of database", PLACE);
      assertTakeoverFails(ForeignDatabaseException.class, wrong.objects, published);
    }
  }

  private LogPosition published() {
    return Objects.requireNonNull(cluster.cluster.published()).position();
  }

  /** No entry of the log is adopted. */
  private static void assertTakeoverFails(
      Class<? extends Exception> how, ObjectStore store, LogPosition published) throws IOException {
    long length = new SnapshotCatalog(store).logObjects().size();
    try (Replica replica = Replica.open(store, 1, 1 << 28, 0, ReceiverLimits.DATA_ONLY)) {
      long before = replica.snapshot().timestamp();
      assertFails(
          () -> new Takeover(replica, new TermAfter(published, new UUID(3, 3)), PLACE).run(),
          how,
          store.name());
      assertThat(replica.snapshot().timestamp()).isEqualTo(before);
    }
    assertThat(new SnapshotCatalog(store).logObjects()).hasSize((int) length);
  }

  @Test
  void aShorterCloneIsNoBaseForACommitAndDoesNotTakeOver() throws Exception {
    makeClone("clone", COMMITS);
    commit(cluster, COMMITS + 3);
    try (TestCluster wrong = with(cluster.cluster, "clone")) {
      assertFails(
          () -> wrong.worker(new WorkerOptions("w2").withPatience(SHORT)),
          SnapshotException.class,
          "is published by " + PLACE,
          "not in the log of",
          name("clone"));
      assertTakeoverFails(SnapshotException.class, wrong.objects, published());
      TransactorNode standby = wrong.transactor("t2");
      Waiting.await(() -> standby.status().failure() != null);
      assertThat(standby.status().failure()).contains("is published", name("clone"));
    }
  }

  /** The log of the clone begins after the published snapshot. */
  @Test
  void aLongCloneIsRefusedAlsoWhenTheLogInCommonIsGone() throws Exception {
    LogPosition published = published();
    makeClone("clone", 2);
    try (TestCluster clone = new TestCluster(store("clone"))) {
      clone.transactor(TestCluster.options("t1", TestCluster.LIMITS, 2, TestCluster.PATIENCE));
      commit(clone, COMMITS + 10);
    }
    try (ObjectStore clone = store("clone")) {
      SnapshotCatalog catalog = new SnapshotCatalog(clone);
      for (long full : catalog.fullTimestamps()) {
        if (full < published.timestamp() + 2) {
          clone.delete(catalog.full(full).key());
        }
      }
      for (long entry : catalog.logObjects()) {
        if (entry < published.timestamp() + 2) {
          clone.delete(catalog.entry(entry).key());
        }
      }
    }
    try (TestCluster wrong = with(cluster.cluster, "clone")) {
      assertForeign(() -> wrong.transactor("t2"), "the log here begins after it", name("clone"));
      assertTakeoverFails(ForeignDatabaseException.class, wrong.objects, published);
    }
  }

  /** Nothing was committed here since, so the clone has everything that is published. */
  @Test
  void refusesACloneThatOnlyGoesOn() throws Exception {
    LogPosition published = published();
    copy("clone");
    try (TestCluster wrong = with(cluster.cluster, "clone")) {
      TransactorNode standby = wrong.transactor("t2"); // Still the same.
      goOn("clone", COMMITS + 2);
      assertForeign(
          () -> wrong.transactor("t3"), name("clone"), "goes on here with snapshot", PLACE);
      assertForeign(() -> wrong.worker("w2"));
      primary.close();
      Waiting.await(() -> standby.status().failure() != null);
      assertThat(standby.status().failure()).contains("goes on here with snapshot");
      assertThat(standby.isPrimary()).isFalse();
      assertThat(published()).isEqualTo(published);
      assertTakeoverFails(ForeignDatabaseException.class, wrong.objects, published);
    }
    Waiting.await(cluster.transactor("t4")::isPrimary);
    commit(cluster, COMMITS + 1);
  }

  /** The copy also has the snapshot that is published when the worker starts. */
  @Test
  void aWorkerOnACloneEndsItsCommitAtOnceAndItTakesEffectOnce() throws Exception {
    copy("clone");
    try (ObjectStore clone = store("clone");
        Worker worker =
            worker(new WorkerOptions("w2"), clone, address -> cluster.sender(address.getPort()))) {
      goOn("clone", COMMITS + 4);
      // The clone has another entry in place of the published one.
      assertForeign(
          () -> worker.commit(Workload.next(worker.snapshot(), 2, 1)),
          name("clone"),
          "another history of database");
      assertThat(worker.failure()).isInstanceOf(ForeignDatabaseException.class);
      assertThat(worker.awaitSnapshot(1_000, Duration.ofDays(1))).isFalse();
      assertForeign(() -> worker.commit(Workload.next(worker.snapshot(), 3, 1)));
    }
    try (Worker worker = cluster.worker("w3")) {
      assertThat(Workload.committed(worker.snapshot(), 2)).isOne();
      assertThat(Workload.committed(worker.snapshot(), 3)).isZero();
      Workload.check(worker.snapshot());
    }
  }

  /** The clone is at a reused address, with as many snapshots of the same numbers. */
  @Test
  void aTransactorOfACloneRefusesWhatWasMadeOnTheOriginal() throws Exception {
    copy("clone");
    commit(cluster, COMMITS + 2);
    goOn("clone", COMMITS + 6);
    try (TestCluster clone = new TestCluster(store("clone"))) {
      TransactorNode there = clone.primary("t2");
      long before = there.snapshot().timestamp();
      int port = TestCluster.port(there);
      try (Worker worker =
          worker(new WorkerOptions("w2"), cluster.objects, unused -> clone.sender(port))) {
        assertFails(
            () -> worker.commit(Workload.next(worker.snapshot(), 2, 1)),
            ShipmentException.class,
            "another history of database " + database(cluster.objects),
            "went its own way");
      }
      assertThat(there.snapshot().timestamp()).isEqualTo(before);
    }
  }

  /** Otherwise it could commit changes of a snapshot that the cluster does not have. */
  @Test
  void aWorkerBeginsWithWhatIsPublishedAlsoIfTheStoreHasMore() throws Exception {
    LogPosition published = published();
    copy("clone");
    // The same cluster, which has not published it yet.
    try (TestCluster clone = with(new InMemoryCluster(cluster.cluster.id()), "clone")) {
      clone.transactor(TestCluster.options("t1", TestCluster.LIMITS, 2, TestCluster.PATIENCE));
      commit(clone, COMMITS + 4);
      SnapshotCatalog catalog = new SnapshotCatalog(clone.objects);
      Waiting.await(() -> newestFull(catalog) > published.timestamp());
    }
    try (TestCluster wrong = with(cluster.cluster, "clone");
        Worker worker = wrong.worker("w2")) {
      assertThat(worker.snapshot().timestamp()).isEqualTo(published.timestamp());
      assertThat(Workload.committed(worker.snapshot(), 1)).isEqualTo(COMMITS);
    }
  }

  /** Both joined under a root without a database. */
  @Test
  void whoJoinedWithAnotherDatabaseBeforeOneWasPublishedNeverTakesOver() throws Exception {
    String another = makeAnother("another");
    AtomicBoolean early = new AtomicBoolean(true);
    try (TestCluster wrong =
        new TestCluster(
            store("another"),
            () ->
                new InMemoryCoordination(cluster.cluster) {
                  @Override
                  public Optional<PublishedSnapshot> published() {
                    return early.get() ? Optional.empty() : super.published();
                  }
                })) {
      TransactorNode joined = wrong.transactor("t2");
      early.set(false);
      Waiting.await(() -> joined.status().failure() != null);
      assertThat(joined.status().failure()).contains(another, name("another"), PLACE);

      primary.close();
      cluster.primary("t3");
      assertThat(joined.isPrimary()).isFalse();
      Waiting.await(() -> joined.status().failure() != null);
    }
    commit(cluster, COMMITS + 1);
  }

  @Test
  void goesOnUnderAFreshRoot() throws Exception {
    primary.close();
    String before = database(cluster.objects);
    InMemoryCluster fresh = new InMemoryCluster();
    try (TestCluster again = with(fresh, "ours")) {
      again.primary("t1");
      commit(again, COMMITS + 1);
      assertThat(database(again.objects)).isEqualTo(before);
      try (InMemoryCoordination coordination = new InMemoryCoordination(fresh)) {
        assertThat(coordination.published().orElseThrow().position().database())
            .hasToString(before);
      }
    }
  }

  /** Each node starts and takes over while the log ends with, or just after, a full snapshot. */
  @Test
  void goesOnWhenTheLogBeforeTheFullSnapshotIsGone() throws Exception {
    try (TestCluster pruned = new TestCluster(store("pruned"))) {
      for (int turn = 1; turn <= 4; turn++) {
        TransactorNode node =
            pruned.primary(
                TestCluster.options("t" + turn, TestCluster.LIMITS, 2, TestCluster.PATIENCE));
        commit(pruned, 5 * turn + turn % 2);
        node.close();
        SnapshotCatalog catalog = new SnapshotCatalog(pruned.objects);
        long newest = catalog.fullTimestamps().get(catalog.fullTimestamps().size() - 1);
        for (long entry : catalog.logObjects()) {
          if (entry <= newest) {
            pruned.objects.delete(catalog.entry(entry).key());
          }
        }
      }
    }
  }

  @Test
  void aRestoredDatabaseIsAnotherOneThatNamesItsOrigin() throws Exception {
    commit(cluster, COMMITS + 2);
    LogPosition end = published();
    SnapshotCopy.Result result;
    try (ObjectStore restored = store("restored")) {
      result = SnapshotCopy.restoring(cluster.objects, restored).run(Long.MAX_VALUE);
      SnapshotCatalog catalog = new SnapshotCatalog(restored);
      assertThat(catalog.full(0).manifest().full().origin())
          .isEqualTo(new DatabaseOrigin(end.database(), end.timestamp()));
      assertThat(new SnapshotVerifier(catalog).verify(found -> {})).isZero();
      assertThat(result.database()).isNotEqualTo(end.database());
      assertThat(catalog.entry(end.timestamp()).position().database()).isEqualTo(result.database());
      assertForeign(
          () -> new SnapshotCopy(cluster.objects, restored).run(Long.MAX_VALUE),
          result.database().toString(),
          end.database().toString(),
          name("ours"));
      assertFails(
          () -> SnapshotCopy.restoring(cluster.objects, restored).run(Long.MAX_VALUE),
          SnapshotException.class,
          name("restored") + " holds a database");
    }
    try (TestCluster old = with(cluster.cluster, "restored")) {
      assertForeign(() -> old.transactor("t2"));
    }
    goesOn("restored", result.database(), end);
  }

  private void goesOn(String restored, UUID database, LogPosition end) throws Exception {
    try (TestCluster again = with(new InMemoryCluster(), restored)) {
      again.primary(TestCluster.options("t9", TestCluster.LIMITS, 2, TestCluster.PATIENCE));
      commit(again, COMMITS + 6);
      SnapshotCatalog catalog = new SnapshotCatalog(again.objects);
      Waiting.await(() -> newestFull(catalog) > end.timestamp());
      assertThat(catalog.full(newestFull(catalog)).manifest().full().origin())
          .isEqualTo(new DatabaseOrigin(end.database(), end.timestamp()));
      assertThat(database(again.objects)).isEqualTo(database.toString());
    }
  }

  private static long newestFull(SnapshotCatalog catalog) throws IOException {
    return catalog.newestFull().orElseThrow().timestamp();
  }

  /** The entries in common with the original are deleted on both sides, but for the takeovers. */
  @Test
  void refusesToCopyOverACloneWhoseLogIsOlder() throws Exception {
    makeClone("clone", COMMITS + 1);
    commit(cluster, COMMITS + 20);
    SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
    primary.close();
    TransactorNode next =
        cluster.primary(TestCluster.options("t2", TestCluster.LIMITS, 2, TestCluster.PATIENCE));
    commit(cluster, COMMITS + 26);
    Waiting.await(() -> newestFull(catalog) > 25);
    next.close();
    cluster.objects.delete(catalog.full(0).key());
    long oldest = catalog.fullTimestamps().get(0);
    for (long entry : catalog.logObjects()) {
      if (entry <= oldest && catalog.entry(entry).manifest().transactionId() != null) {
        cluster.objects.delete(catalog.entry(entry).key());
      }
    }
    try (ObjectStore clone = store("clone")) {
      int before = clone.list("").size();
      assertForeign(
          () -> new SnapshotCopy(cluster.objects, clone).run(Long.MAX_VALUE),
          name("clone"),
          "its snapshot 5 has checksum",
          "is not here");
      assertThat(clone.list("")).hasSize(before);
    }
  }

  @Test
  void aWorkerWhereNoClusterIsEndsByName() throws Exception {
    try (TestCluster nowhere = with(new InMemoryCluster(), "ours");
        InMemoryCoordination root = new InMemoryCoordination(new InMemoryCluster())) {
      WorkerOptions options = new WorkerOptions("w2").withPatience(SHORT);
      assertThatExceptionOfType(CoordinationException.class)
          .isThrownBy(() -> nowhere.worker(options))
          .withMessageStartingWith(PLACE + " has no Drayage cluster");
      assertThatExceptionOfType(CoordinationException.class)
          .isThrownBy(() -> ChangeFeed.openAfter(options, root, cluster.objects, 1).close())
          .withMessageStartingWith(PLACE + " has no Drayage cluster");
    }
  }

  /** A term that began after a snapshot was published. */
  private static final class TermAfter extends TestTerm {
    TermAfter(LogPosition published, UUID cluster) {
      super(9, cluster, published);
    }

    @Override
    public void publish(LogPosition position) {
      throw new AssertionError(position + " is published");
    }
  }
}
