package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.snapshot.recovery.SnapshotRepair;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store of full snapshots 0 and 8, and a log up to 13, whose first entry is a takeover. */
@Tag("ci")
@Timeout(120)
class SnapshotRepairTest {
  private static final int FULL_EVERY = 8;
  private static final long NEWEST = 13;

  @TempDir private static Path master;
  @TempDir private Path folder;

  @AutoClose private ObjectStore store;
  @AutoClose private ObjectStore copy;
  private SnapshotCatalog catalog;

  @BeforeAll
  static void fill() throws Exception {
    try (TestCluster cluster = new TestCluster(master)) {
      TransactorNode unused = cluster.transactor(options("t1"));
      Worker worker = cluster.worker("w1");
      while (worker.snapshot().timestamp() < NEWEST) {
        worker.commit(Workload.nextLarge(worker.snapshot(), 1, next(worker)));
      }
      SnapshotCatalog written = new SnapshotCatalog(cluster.objects);
      while (written.fullTimestamps().size() < 2) {
        Thread.onSpinWait();
      }
    }
  }

  @BeforeEach
  void copy() throws IOException {
    store = ObjectStores.open("fs:" + folder.resolve("store"));
    copy = ObjectStores.open("fs:" + master);
    catalog = new SnapshotCatalog(store);
    SnapshotCopy.Result unused = new SnapshotCopy(copy, store).run(Long.MAX_VALUE);
    assertThat(catalog.fullTimestamps()).containsExactly(0L, 8L);
  }

  private static TransactorOptions options(String name) {
    return TestCluster.options(name, TestCluster.LIMITS, FULL_EVERY, TestCluster.PATIENCE);
  }

  private static int next(Worker worker) {
    return Workload.committed(worker.snapshot(), 1) + 1;
  }

  private void damage(String key) throws IOException {
    byte[] unused = StoreFiller.flip(folder.resolve("store").resolve(key));
  }

  private void remove(String key) throws IOException {
    Files.delete(folder.resolve("store").resolve(key));
  }

  private String manifest(long timestamp) throws IOException {
    return catalog.entry(timestamp).key();
  }

  private static String data(SnapshotManifest manifest) {
    return manifest.references().get(0).key();
  }

  /** Repairs, and lets a new cluster go on there. */
  private SnapshotRepair.Plan repair(@Nullable ObjectStore from) throws Exception {
    SnapshotRepair repair = new SnapshotRepair(store, from);
    SnapshotRepair.Plan plan = repair.plan();
    repair.apply(plan);
    StoreFiller.assertIntact(catalog);
    assertThat(new SnapshotRepair(store, from).plan().steps()).isEmpty();
    try (TestCluster cluster = new TestCluster(folder.resolve("store"))) {
      TransactorNode unused = cluster.transactor(options("t2"));
      Worker worker = cluster.worker("w1");
      assertThat(worker.awaitSnapshot(plan.reached() + 1, Duration.ofSeconds(60))).isTrue();
      Workload.check(worker.snapshot());
      worker.commit(Workload.nextLarge(worker.snapshot(), 1, next(worker)));
    }
    return plan;
  }

  private long quarantined() throws IOException {
    return store.list("quarantine/").size();
  }

  private void assertQuarantined(String... keys) throws IOException {
    for (String key : keys) {
      assertThat(store.list("quarantine/"))
          .as(key)
          .filteredOn(object -> object.key().endsWith("/" + key))
          .hasSize(1);
    }
  }

  @Test
  void takesWhatIsDamagedOrMissingFromACopy() throws Exception {
    damage(data(catalog.entry(10).manifest()));
    remove(data(catalog.full(8).manifest()));
    damage(manifest(5));
    remove(manifest(NEWEST));

    SnapshotRepair.Plan plan = repair(copy);
    assertThat(plan.losses()).isEmpty();
    assertThat(plan.reached()).isEqualTo(NEWEST);
    assertThat(plan.steps())
        .hasSize(4)
        .allMatch(step -> step.action() == SnapshotRepair.Action.TAKE);
    assertThat(quarantined()).isEqualTo(2);
  }

  @Test
  void cutsTheLogAndNamesWhatIsLost() throws Exception {
    damage(data(catalog.entry(11).manifest()));
    String twelfth = String.valueOf(catalog.entry(12).manifest().transactionId());
    String[] lost = {
      manifest(11),
      data(catalog.entry(11).manifest()),
      data(catalog.entry(12).manifest()),
      manifest(13),
      data(catalog.entry(13).manifest())
    };
    remove(manifest(12));

    SnapshotRepair.Plan plan = repair(null);
    assertThat(plan.reached()).isEqualTo(10);
    assertThat(plan.losses())
        .hasSize(3)
        .satisfies(
            losses -> {
              assertThat(losses.get(0)).contains("snapshot 11: ", "corrupt");
              assertThat(losses.get(1)).isEqualTo("snapshot 12: missing").doesNotContain(twelfth);
              assertThat(losses.get(2)).contains("snapshot 13: transaction ", " of 'test'");
            });
    assertQuarantined(lost);
    assertThat(quarantined()).isEqualTo(lost.length);
  }

  @Test
  void keepsTheDataOfCommitsWhoseManifestsAreMissingOrRenamed() throws Exception {
    String twelfth = data(catalog.entry(12).manifest());
    String newest = data(catalog.entry(NEWEST).manifest());
    String renamed = manifest(12) + ".bak";
    Path objects = folder.resolve("store");
    Files.move(objects.resolve(manifest(12)), objects.resolve(renamed));
    remove(manifest(NEWEST));

    SnapshotRepair.Plan plan = repair(null);
    assertThat(plan.reached()).isEqualTo(11);
    assertThat(plan.losses()).isEmpty();
    assertQuarantined(renamed, twelfth, newest);
  }

  @Test
  void canBeInterruptedAfterEachStep() throws Exception {
    String[] lost = {
      data(catalog.entry(12).manifest()),
      manifest(12),
      data(catalog.entry(NEWEST).manifest()),
      manifest(NEWEST)
    };
    remove(manifest(11));
    SnapshotRepair repair = new SnapshotRepair(store, null);
    SnapshotRepair.Plan plan = repair.plan();
    while (!plan.steps().isEmpty()) {
      SnapshotRepair.Plan first =
          new SnapshotRepair.Plan(
              plan.full(), plan.reached(), plan.steps().subList(0, 1), plan.losses());
      repair.apply(first);
      for (int i = 0; i < lost.length; i += 2) {
        // Data without its manifest would be garbage to a cluster, which deletes it.
        assertThat(store.list(lost[i]).isEmpty() || !store.list(lost[i + 1]).isEmpty()).isTrue();
      }
      repair = new SnapshotRepair(store, null);
      plan = repair.plan();
      assertThat(plan.reached()).isEqualTo(10);
    }
    assertQuarantined(lost);
  }

  @Test
  void goesBackToAnOlderFullSnapshot() throws Exception {
    damage(catalog.full(8).key());
    SnapshotRepair.Plan plan = repair(null);
    assertThat(plan.full()).isZero();
    assertThat(plan.reached()).isEqualTo(NEWEST);
    assertThat(plan.losses()).isEmpty();
    // The owner of its data can no longer be read.
    assertThat(plan.steps()).allMatch(step -> step.action() == SnapshotRepair.Action.QUARANTINE);
  }

  @Test
  void goesOnWithoutTheLogThatNobodyNeeds() throws Exception {
    remove(manifest(4));
    SnapshotRepair.Plan plan = repair(null);
    assertThat(plan.full()).isEqualTo(8);
    assertThat(plan.reached()).isEqualTo(NEWEST);
    assertThat(plan.losses()).isEmpty();
    assertThat(catalog.fullTimestamps()).contains(8L).doesNotContain(0L);
  }

  @Test
  void movesWhatNobodyNames() throws Exception {
    String leftover =
        "data/00000000-0000-0001-0000-000000000002-00000000-0000-0001-0000-00000000000a";
    store.put(leftover, ByteBuffer.wrap(new byte[] {1}));
    store.put("data/somebody-elses", ByteBuffer.wrap(new byte[] {1}));
    assertThat(repair(null).steps())
        .containsExactly(
            new SnapshotRepair.Step(
                SnapshotRepair.Action.QUARANTINE,
                leftover,
                "no snapshot that can be read names it"));
    assertQuarantined(leftover);
    assertThat(store.list("data/somebody-elses")).hasSize(1);
  }

  /** They may still commit. Data that only an unreadable record names has no owner. */
  @Test
  void leavesTheDataOfOpenTransactions() throws Exception {
    TransactionRecords records = new TransactionRecords(store);
    Fragment open = records.add(fragment(1));
    Fragment unreadable = records.add(fragment(2));
    store.delete(unreadable.place().key());
    store.put(unreadable.place().key(), ByteBuffer.wrap(new byte[] {1}));

    assertThat(repair(null).steps())
        .extracting(SnapshotRepair.Step::key)
        .containsExactly(unreadable.cargo().data().key());
    assertThat(records.isComplete(open)).isTrue();
  }

  private Fragment fragment(long seed) throws IOException {
    CodecPair raw = CodecPair.of("raw", "none");
    ChangeCargo cargo = RandomCargo.of(seed, 20);
    return new Fragment(
        new UUID(7, 7), StoreFiller.store(store, cargo, raw.serializer(), raw.compressor()), 0);
  }

  private List<String> keys() throws IOException {
    return store.list("").stream().map(StoredObject::key).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void readsThatFailAndThenSucceedAreNoDamage(int failures) throws Exception {
    FaultyStore flickering = new FaultyStore(store);
    flickering.flicker(failures);
    assertThat(new SnapshotRepair(flickering, null).plan().steps()).isEmpty();
  }

  @Test
  void anEntryThatAListLacksIsNotMissing() throws Exception {
    FaultyStore listing = new FaultyStore(store);
    listing.omitFromLists(manifest(11));
    assertThat(new SnapshotRepair(listing, null).plan().reached()).isEqualTo(NEWEST);
  }

  @Test
  void doesNothingIfASecondReadingFindsNoDamage() throws Exception {
    List<String> before = keys();
    FaultyStore flaky = new FaultyStore(store);
    flaky.cut(data(catalog.entry(11).manifest()));
    SnapshotRepair.Plan shown = new SnapshotRepair(flaky, null).plan();
    assertThat(shown.reached()).isEqualTo(10);
    assertThat(shown.losses()).hasSize(3);

    SnapshotRepair repair = new SnapshotRepair(store, null);
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> repair.apply(shown))
        .withMessageStartingWith("nothing was done: ");
    assertThat(keys()).isEqualTo(before);
  }

  @Test
  void stopsIfANodeAppendsMeanwhile() throws Exception {
    damage(data(catalog.entry(11).manifest()));
    FaultyStore shared = new FaultyStore(store);
    SnapshotRepair repair = new SnapshotRepair(shared, null);
    SnapshotRepair.Plan plan = repair.plan();
    assertThat(plan.steps()).hasSizeGreaterThan(2);
    String next = format("snapshots/%020d.commit", NEWEST + 1);
    shared.afterDeletes(
        () -> {
          if (store.list(next).isEmpty()) {
            store.put(next, ByteBuffer.wrap(new byte[] {1}));
          }
        });
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> repair.apply(plan))
        .withMessageContaining(
            "1 of %d steps were done, what was moved is in quarantine/", plan.steps().size())
        .withMessageEndingWith("has changed meanwhile: end every node of the cluster first");
    assertThat(quarantined()).isOne();
  }

  @Test
  void plansAreToldFromEachOther() throws Exception {
    String whole = new SnapshotRepair(store, null).plan().id();
    assertThat(whole).matches("\\p{XDigit}{8}");
    assertThat(new SnapshotRepair(store, null).plan().id()).isEqualTo(whole);
    remove(manifest(NEWEST));
    assertThat(new SnapshotRepair(store, null).plan().id()).isNotEqualTo(whole);
  }

  @Test
  void refusesAStoreThatChangesOrHoldsNothing() throws Exception {
    damage(data(catalog.entry(10).manifest()));
    SnapshotRepair repair = new SnapshotRepair(store, null);
    SnapshotRepair.Plan plan = repair.plan();
    remove(manifest(NEWEST));
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> repair.apply(plan))
        .withMessageEndingWith("has changed meanwhile: end every node of the cluster first");

    for (long full : List.of(0L, 8L)) {
      damage(catalog.full(full).key());
    }
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> new SnapshotRepair(store, null).plan())
        .withMessageEndingWith("holds no full snapshot that can be read: nothing can be repaired");
    try (Stream<Path> files = Files.list(folder.resolve("store"))) {
      assertThat(files).noneMatch(file -> file.endsWith("quarantine"));
    }
  }
}
