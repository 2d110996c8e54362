package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.database.LogPosition;
import io.drayage.database.TransactionLimits;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.StoredBytes;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.MemoryLimit;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.testing.Waiting;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.DistributedTransaction.Committed;
import io.drayage.worker.DistributedTransaction.How;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import io.drayage.worker.Worker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions with the changes of many workers. */
@Timeout(120)
class DistributedTransactionTest {
  private static final long PIECE_BYTES = 32 << 10;

  @TempDir Path folder;
  @AutoClose private TestCluster cluster;
  private TransactorNode primary;
  private int transactors;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(folder.resolve("store"));
    primary = transactor();
    Waiting.await(primary::isPrimary);
  }

  /** Makes another transactor primary. */
  private void failOver() throws IOException {
    TransactorNode next = transactor();
    primary.close();
    primary = next;
    Waiting.await(primary::isPrimary);
  }

  private TransactorNode transactor() throws IOException {
    return cluster.transactor(
        TestCluster.options("t" + ++transactors, TestCluster.LIMITS, 5, TestCluster.PATIENCE));
  }

  @Test
  void fragmentsOfManyWorkersTakeEffectTogether() throws Exception {
    Worker reader = cluster.worker("reader");
    Committed committed;
    List<UUID> fragments = new ArrayList<>();
    try (DistributedTransaction transaction = begin()) {
      for (List<UUID> each : sendAll(transaction.handle(), 4, 5_000)) {
        assertThat(each).as("cut into pieces").hasSizeGreaterThan(1);
        fragments.addAll(each);
      }
      assertThat(primary.snapshot().table("events").rowCount()).isZero();
      assertThat(primary.transactions())
          .singleElement()
          .satisfies(open -> assertThat(open.fragments()).isEqualTo(fragments.size()));

      committed = transaction.commit(fragments);
    }

    assertThat(reader.awaitSnapshot(committed.snapshot(), TestCluster.PATIENCE)).isTrue();
    requireRows(reader.snapshot(), 4, 5_000);
    requireRows(primary.snapshot(), 4, 5_000);
    SnapshotManifest entry =
        new SnapshotCatalog(cluster.objects).entry(committed.snapshot()).manifest();
    assertThat(entry.cargoes())
        .extracting(cargo -> cargo.header().transactionId())
        .containsExactlyElementsOf(fragments);
    requireNothingLeft(entry);
  }

  @Test
  void aPublishedCommitNamesWhoSentItsFragments() throws Exception {
    List<PublishedCommit> published = new CopyOnWriteArrayList<>();
    primary.close();
    primary = cluster.transactor(TestCluster.options("t2"), published::add);
    Waiting.await(primary::isPrimary);
    try (DistributedTransaction transaction = begin()) {
      List<UUID> fragments = new ArrayList<>();
      for (String worker : List.of("berta", "anna", "berta")) {
        try (FragmentSender sender =
            new FragmentSender(
                transaction.handle(),
                cluster.coordination(),
                address -> cluster.connect(address, worker),
                TestCluster.PATIENCE)) {
          fragments.addAll(sender.send(cut(events(transaction.handle(), 1, 10))));
        }
      }
      transaction.commit(fragments);
    }

    Waiting.await(() -> !published.isEmpty());
    assertThat(published.get(0).worker()).isEqualTo("driver");
    assertThat(published.get(0).senders()).containsExactly("anna", "berta");
  }

  @Test
  void nothingIsLeftOfATransactionThatIsClosed() throws Exception {
    long before = primary.snapshot().timestamp();
    TransactionHandle handle;
    try (DistributedTransaction transaction = begin()) {
      handle = transaction.handle();
      sendAll(handle, 2, 500);
    }

    assertThat(manifest(before + 1).kind()).isInstanceOf(SnapshotKind.Abort.class);
    requireNothingLeft();
    Waiting.await(() -> !cluster.ended.isEmpty());
    assertThat(cluster.ended)
        .containsExactly(new EndedTransaction(handle.transaction(), "driver", false, before + 1));
    assertFails(
        () -> sendAll(handle, 1, 10),
        Fault.REFUSED,
        format("has ended without effect, by entry %d of the log", before + 1));
  }

  @Test
  void aLeaseThatNobodyRenewsEndsATransaction() throws Exception {
    long before = primary.snapshot().timestamp();
    TransactionHandle handle = abandon(Duration.ofMillis(100));

    Waiting.await(() -> primary.snapshot().timestamp() > before);

    Waiting.await(() -> primary.transactions().isEmpty());
    assertThat(manifest(before + 1).kind()).isInstanceOf(SnapshotKind.Expired.class);
    requireNothingLeft();
    Waiting.await(() -> !cluster.ended.isEmpty());
    assertThat(cluster.ended)
        .containsExactly(new EndedTransaction(handle.transaction(), "driver", true, before + 1));
    assertFails(
        () -> ask(commit(handle, null, List.of())), Fault.REJECTED, "has ended without effect");
    assertThat(ask(new TransactionRequest.Abort(handle.transaction(), token(handle))))
        .isEqualTo(new TransactionAnswer.Aborted());
  }

  @Test
  void aFragmentThatComesAfterTheEndIsAnsweredByIt() throws Exception {
    TransactionHandle committed;
    long snapshot;
    try (DistributedTransaction transaction = begin()) {
      committed = transaction.handle();
      snapshot = transaction.commit(sendAll(committed, 1, 10).get(0)).snapshot();
    }
    TransactionHandle expired = abandon(Duration.ofMillis(100));
    Waiting.await(() -> primary.snapshot().timestamp() > snapshot);
    Waiting.await(() -> primary.transactions().isEmpty());

    for (int primaries = 0; primaries < 2; primaries++) {
      assertFails(
          () -> sendAll(committed, 1, 10), Fault.REFUSED, "was committed as snapshot " + snapshot);
      assertFails(() -> sendAll(expired, 1, 10), Fault.REFUSED, "has ended without effect");
      failOver();
    }
    requireRows(primary.snapshot(), 1, 10);
  }

  /** Fragments of one row, which need a hundred times more memory than their values. */
  @Test
  void fragmentsTakeNoMoreMemoryThanTheyMayAndAreReadAgain() throws Exception {
    int most = 20_000;
    limit(new TransactionLimits(2, 2, 1 << 30, most, Duration.ofSeconds(60)));
    MeterRegistry meters = new SimpleMeterRegistry();
    new TransactorMeters(meters).bind(primary);
    Gauge memory = meters.get("drayage.transactions.memory").gauge();
    int workers = 40;
    try (DistributedTransaction transaction = begin()) {
      TransactionHandle handle = transaction.handle();
      List<UUID> fragments = new ArrayList<>(send(handle, 0, 1));
      Path oldest = file(keys("data/" + handle.transaction()).get(0));
      for (int worker = 1; worker < workers; worker++) {
        fragments.addAll(send(handle, worker, 1));
        assertThat(memory.value()).isPositive().isLessThanOrEqualTo(most);
      }
      assertThat(primary.transactions())
          .singleElement()
          .satisfies(open -> assertThat(open.fragments()).isEqualTo(workers));

      StoreFiller.flip(oldest);
      assertFails(
          () -> ask(commit(handle, null, fragments)),
          Fault.REJECTED,
          format(
              "fragment %s, number 1 of %d of transaction %s, cannot be loaded",
              fragments.get(0), workers, handle.transaction()));
      StoreFiller.flip(oldest); // Repaired.
      transaction.commit(fragments);
    }
    requireRows(primary.snapshot(), workers, 1);
    assertThat(memory.value()).isZero();
  }

  private List<UUID> send(TransactionHandle handle, int worker, int rows) throws Exception {
    try (FragmentSender sender = sender(handle)) {
      return sender.send(cut(events(handle, worker, rows)));
    }
  }

  @Test
  void twoDriversOfOneVersionTakeEffectOnce() throws Exception {
    How version =
        new How(
            Acknowledgement.STORED, OnConflict.REJECT, false, AppVersion.of("query", 5, "events"));
    long snapshot;
    try (DistributedTransaction one = begin();
        DistributedTransaction other = begin()) {
      List<UUID> ofOne = sendAll(one.handle(), 1, 100).get(0);
      List<UUID> ofOther = sendAll(other.handle(), 1, 100).get(0);

      Waiting.Running<Committed> first = Waiting.start(() -> one.commit(ofOne, version));
      Committed second = other.commit(ofOther, version);

      assertThat(first.get()).isEqualTo(second);
      snapshot = second.snapshot();
    }
    requireRows(primary.snapshot(), 1, 100);
    requireNothingLeft(manifest(snapshot));
  }

  @Test
  void aNewPrimaryCommitsWhatItsPredecessorPrepared() throws Exception {
    List<UUID> fragments = new ArrayList<>();
    try (DistributedTransaction transaction = begin()) {
      sendAll(transaction.handle(), 2, 1_000).forEach(fragments::addAll);
      TransactorNode next = transactor();
      primary.close();
      sendAll(transaction.handle(), 3, 1_000).subList(2, 3).forEach(fragments::addAll);

      Committed committed = transaction.commit(fragments);

      assertThat(next.isPrimary()).isTrue();
      requireRows(next.snapshot(), 3, 1_000);
      TransactorNode last = transactor();
      next.close();
      assertThat(transaction.commit(fragments)).as("asked again").isEqualTo(committed);
      requireRows(last.snapshot(), 3, 1_000);
    }
  }

  @Test
  void aFragmentThatIsLostFailsTheCommitByName() throws Exception {
    try (DistributedTransaction transaction = begin()) {
      List<UUID> fragments = sendAll(transaction.handle(), 1, 100).get(0);
      List<UUID> unknown = List.of(fragments.get(0), new UUID(1, 1));
      assertFails(
          () -> transaction.commit(unknown),
          Fault.REJECTED,
          "fragment 00000000-0000-0001-0000-000000000001, number 2 of 2");
      assertFails(
          () -> transaction.commit(List.of(fragments.get(0), fragments.get(0))),
          Fault.REJECTED,
          "is to be committed twice");
      for (StoredObject data : cluster.objects.list("data/" + transaction.handle().transaction())) {
        Files.delete(folder.resolve("store").resolve(data.key()));
      }
      assertFails(() -> transaction.commit(fragments), Fault.REJECTED, "is not in the store");
    }
    assertThat(primary.snapshot().table("events").rowCount()).isZero();
  }

  @Test
  void aDamagedRecordCostsItsTransactionAlone() throws Exception {
    long base = primary.snapshot().timestamp();
    try (DistributedTransaction one = begin();
        DistributedTransaction other = begin()) {
      boolean isFirst =
          one.handle().transaction().toString().compareTo(other.handle().transaction().toString())
              < 0;
      DistributedTransaction damaged = isFirst ? one : other; // The first one in lists.
      DistributedTransaction sound = isFirst ? other : one;
      TransactionHandle lost = damaged.handle();
      List<UUID> fragments = sendAll(sound.handle(), 1, 100).get(0);
      sendAll(lost, 1, 100);
      StoreFiller.flip(file("open/" + lost.transaction()));
      failOver();

      Waiting.await(() -> !primary.transactions().isEmpty());
      assertThat(primary.transactions())
          .singleElement()
          .satisfies(open -> assertThat(open.fragments()).isZero());
      assertFails(
          () -> ask(commit(lost, null, List.of())), Fault.REJECTED, "has ended without effect");
      long snapshot = sound.commit(fragments).snapshot();

      requireRows(primary.snapshot(), 1, 100);
      assertThat(snapshot).isGreaterThan(base);
      requireNothingLeft(manifest(snapshot));
    }
  }

  /** Each part fits, but not all of them. The refusal comes before the first is loaded. */
  @Test
  void oneThatDoesNotFitIsRefusedBeforeAnyOfItIsApplied() throws Exception {
    replaceBy(
        TestCluster.options(
                "full",
                TestCluster.LIMITS,
                new MemoryLimit(100_000, 10_000_000),
                5,
                TestCluster.PATIENCE)
            .toBuilder()
            .transactions(new TransactionLimits(2, 2, 1 << 30, 0, Duration.ofSeconds(60)))
            .build());
    StoreSnapshot before = primary.snapshot();
    try (DistributedTransaction transaction = begin()) {
      List<UUID> fragments = new ArrayList<>();
      sendAll(transaction.handle(), 8, 1_000).forEach(fragments::addAll);
      List<String> stored = keys("data/" + transaction.handle().transaction());
      for (String key : stored) {
        StoreFiller.flip(file(key)); // Loading it would fail.
      }

      assertFails(() -> transaction.commit(fragments), Fault.FULL, "the limit is 100,000");

      assertThat(primary.snapshot()).isSameAs(before);
      for (String key : stored) {
        StoreFiller.flip(file(key)); // Repaired.
      }
      transaction.commit(fragments.subList(0, 1));
    }
    requireRows(primary.snapshot(), 1, 1_000);
  }

  /** An unreadable entry would be the end of the log. */
  @Test
  @Tag("ci")
  void oneWhoseEntryWouldBeTooLongIsRefusedBeforeAnyOfItIsApplied() throws Exception {
    MemoryObjects objects = new MemoryObjects("memory");
    try (TestCluster other = new TestCluster(objects)) {
      TransactorNode node = other.primary(TestCluster.options("t1"));
      StoreSnapshot before = node.snapshot();
      try (DistributedTransaction transaction = other.begin("driver")) {
        UUID id = transaction.handle().transaction();
        StoredBytes data = new StoredBytes("data/" + id + "-1", new ObjectDigest(1, 1));
        objects.put(data.key(), ByteBuffer.allocate(1));
        List<UUID> fragments = new ArrayList<>();
        for (int i = 0; i < 25_000; i++) {
          UUID fragment = new UUID(1, i);
          String worker = format("%s%05d", "汉".repeat(195), i);
          ShipmentHeader header =
              ShipmentHeaders.of(
                  fragment, transaction.base(), ShipmentHeader.Pipeline.SEGMENTS, 1, 0, worker);
          SnapshotContents cargo = new SnapshotContents(data, header, new Seal(1, 1));
          Fragment unused = new TransactionRecords(objects).add(new Fragment(id, cargo, 1));
          fragments.add(fragment);
        }

        assertFails(
            () -> transaction.commit(fragments),
            Fault.REJECTED,
            "bytes exceed the 16,777,216 of a manifest");
      }
      assertThat(node.snapshot().table("events").rowCount()).isZero();
      assertThat(node.isPrimary()).isTrue();
      Worker worker = other.worker("w");
      assertThat(worker.commit(Workload.next(worker.snapshot(), 1, 1)).timestamp())
          .isGreaterThan(before.timestamp());
    }
  }

  @Test
  void aCoordinatorLearnsThatItsTransactionHasEnded() throws Exception {
    try (DistributedTransaction transaction = beginShort()) {
      TransactionHandle handle = transaction.handle();
      transaction.requireAlive();
      ask(new TransactionRequest.Abort(handle.transaction(), token(handle)));

      Waiting.await(() -> !isAlive(transaction));

      assertFails(transaction::requireAlive, Fault.REFUSED, "has ended without effect");
      assertFails(() -> transaction.commit(List.of()), Fault.REJECTED, "has ended without effect");
    }
  }

  @Test
  void aCoordinatorLearnsThatItsBaseIsLost() throws Exception {
    replaceBy(TestCluster.options("forgetful").toBuilder().historyBytes(1).build());
    Worker other = cluster.worker("other");
    try (DistributedTransaction transaction = beginShort()) {
      List<UUID> fragments = sendAll(transaction.handle(), 1, 10).get(0);
      for (int number = 1; number <= 3; number++) {
        other.commit(Workload.next(other.snapshot(), 7, number));
      }

      Waiting.await(() -> !isAlive(transaction));

      assertFails(transaction::requireAlive, Fault.CONFLICT, "is too old to commit on");
      assertFails(() -> transaction.commit(fragments), Fault.CONFLICT, "is too old");
    }
  }

  /** Otherwise rows would be changed by the numbers that they have elsewhere. */
  @Test
  void whatWasReadElsewhereIsNotChangedHere() throws Exception {
    LogPosition here = cluster.coordination().published().orElseThrow().position();
    try (DistributedTransaction transaction = begin(here)) {
      assertThat(transaction.base()).isEqualTo(here.timestamp());
    }
    UUID another = new UUID(5, 6);
    for (long base : List.of(here.timestamp(), TransactionRequest.Begin.NEWEST)) {
      assertFails(
          () -> begin(new LogPosition(another, base, 0)),
          Fault.REFUSED,
          "the transaction is for database %s, and this transactor has database %s"
              .formatted(another, here.database()));
    }
    assertFails(
        () -> begin(new LogPosition(here.database(), here.timestamp(), here.checksum() + 1)),
        Fault.REFUSED,
        "the transaction is for another history of database " + here.database());
  }

  private DistributedTransaction begin(LogPosition read) throws Exception {
    return begin(options(Duration.ofSeconds(60)).on(read));
  }

  private DistributedTransaction beginShort() throws Exception {
    return begin(options(Duration.ofSeconds(1)));
  }

  private DistributedTransaction begin(DistributedTransaction.Options options) throws Exception {
    return DistributedTransaction.begin(options, cluster.coordination(), cluster::connect);
  }

  private static DistributedTransaction.Options options(Duration lease) {
    return new DistributedTransaction.Options("driver", -1, lease, TestCluster.PATIENCE);
  }

  private static boolean isAlive(DistributedTransaction transaction) {
    try {
      transaction.requireAlive();
      return true;
    } catch (ShipmentException e) {
      return false;
    }
  }

  /** Makes a primary with other limits. */
  private void limit(TransactionLimits limits) throws IOException {
    replaceBy(TestCluster.options("small").toBuilder().transactions(limits).build());
  }

  private void replaceBy(TransactorOptions options) throws IOException {
    primary.close();
    primary = cluster.primary(options);
  }

  private Path file(String key) {
    return folder.resolve("store").resolve(key);
  }

  @Test
  void conflictsAreFoundWithWhatOthersCommitted() throws Exception {
    Worker other = cluster.worker("other");
    Transaction change = other.begin();
    change.update("left", "number", 3, 5);
    try (DistributedTransaction transaction = begin();
        FragmentSender sender = sender(transaction.handle())) {
      List<UUID> fragments = sender.send(cut(change.toCargo()));
      other.commit(Workload.next(other.snapshot(), 3, 1));

      assertFails(
          () -> transaction.commit(fragments),
          Fault.CONFLICT,
          "table 'left', column 'number': 1 row (3) to be updated were updated by others");
      How overwriting = new How(Acknowledgement.PUBLISHED, OnConflict.OVERWRITE, false, null);
      transaction.commit(fragments, overwriting);
    }
    assertThat(primary.snapshot().table("left").get("number", 3)).isEqualTo(5);
  }

  private static How numbered(long version, String... tables) {
    return new How(
        Acknowledgement.STORED,
        OnConflict.REJECT,
        false,
        new AppVersion("load", version, List.of(tables)));
  }

  /** Inserts a row into a table. */
  private Committed commitNumbered(How how, String table) throws Exception {
    try (DistributedTransaction transaction = begin("the driver");
        FragmentSender sender = sender(transaction.handle())) {
      ChangeCargo cargo =
          ChangeCargo.builder(new UUID(0, 0), transaction.base())
              .newTable(TableSchema.of(table, ColumnSchema.of("number", ColumnType.INT)))
              .table(table, changes -> changes.insert("number", ColumnValues.of(new int[1][1])))
              .build();
      return transaction.commit(sender.send(cut(cargo)), how);
    }
  }

  /** Versions of overlapping tables may be the same or not, which is unknown. */
  @Test
  void anApplicationsVersionIsOfASetOfTables() throws Exception {
    Committed first = commitNumbered(numbered(3, "x", "y"), "x");
    Committed other = commitNumbered(numbered(3, "z"), "z");
    assertThat(other.snapshot()).isGreaterThan(first.snapshot());
    for (int restart = 0; restart < 2; restart++) {
      assertThat(commitNumbered(numbered(3, "y", "x"), "y")).isEqualTo(first);
      assertThat(primary.transactions()).as("what was answered so has ended").isEmpty();
      assertThat(commitNumbered(numbered(3, "z"), "z")).isEqualTo(other);
      assertThat(commitNumbered(numbered(2, "z"), "z"))
          .isEqualTo(new Committed(other.snapshot(), false));
      for (long version : new long[] {3, 2}) {
        assertFails(
            () -> commitNumbered(numbered(version, "x", "z"), "x"),
            Fault.REFUSED,
            format(
                "version %d of application 'load' is to be committed for the tables [x, z], but"
                    + " version 3 is for [",
                version));
      }
      failOver();
    }
    for (String table : List.of("x", "z")) {
      assertThat(primary.snapshot().table(table).rowCount()).isEqualTo(1);
    }
    assertFails(
        () -> commitNumbered(numbered(5, "x", "z"), "other"),
        Fault.REJECTED,
        "table 'other' cannot be changed under version 5 of application 'load', which counts for"
            + " [x, z]");
    assertThat(primary.snapshot().has("other")).isFalse();
    assertThat(commitNumbered(numbered(4, "x"), "x").snapshot()).isGreaterThan(other.snapshot());
    assertFails(
        () -> commitNumbered(numbered(4, "x", "y"), "x"), Fault.REFUSED, "version 4 is for [x]");
    assertThat(commitNumbered(numbered(3, "x", "y"), "x")).isEqualTo(first);
    try (DistributedTransaction stranger = begin("somebody else")) {
      assertFails(
          () -> stranger.commit(List.of(), numbered(4, "x")),
          Fault.REFUSED,
          "application 'load' is that of 'the_driver', not of 'somebody_else'");
    }
  }

  @Test
  void nobodyAddsToATransactionWithoutItsToken() throws Exception {
    try (DistributedTransaction transaction = begin()) {
      TransactionHandle handle = transaction.handle();
      assertThat(handle.toString()).doesNotContain(Long.toString(handle.tokenHigh()));
      TransactionHandle guessed = withToken(handle, handle.transaction());
      UUID notBegun = new Token(1, 2).transaction();
      TransactionHandle unknown = withToken(handle, notBegun);
      assertFails(() -> sendAll(guessed, 1, 10), Fault.REFUSED, "has another token");
      assertFails(() -> ask(commit(guessed, null, List.of())), Fault.REFUSED, "another token");
      assertFails(() -> sendAll(unknown, 1, 10), Fault.REFUSED, "is not known");
      assertFails(
          () -> ask(new TransactionRequest.Renew(notBegun, token(unknown))),
          Fault.REFUSED,
          "is not known");
      assertThat(new String(store("open/" + handle.transaction()), StandardCharsets.UTF_8))
          .doesNotContain(Long.toHexString(handle.tokenHigh()));
    }
  }

  /** A new primary accepts cargoes before it knows the open transactions. */
  @Test
  void nobodyEndsATransactionThatIsNotAdoptedYetWithACargoOfItsName() throws Exception {
    FaultyStore stalling = new FaultyStore(new MemoryObjects("memory"));
    try (TestCluster other = new TestCluster(stalling)) {
      TransactorNode first = other.primary("t1");
      try (DistributedTransaction transaction = other.begin("driver");
          FragmentSender sender = other.fragments(transaction.handle())) {
        List<UUID> fragments = sender.send(cut(events(transaction.handle(), 0, 5)));
        TransactorNode next = other.transactor("t2");
        stalling.stall("open/", FaultyStore.Call.LIST, FaultyStore.Call.WRITE);
        first.close();
        Waiting.await(next::isPrimary);
        assertThat(next.transactions()).isEmpty();
        ChangeCargo thief =
            events(transaction.handle(), 9, 1)
                .as(transaction.handle().transaction(), next.snapshot().timestamp());

        assertFails(
            () -> other.sender(TestCluster.port(next)).send(thief),
            Fault.REJECTED,
            "is one of several workers: only its coordinator commits it");

        stalling.mend();
        transaction.commit(fragments);
        requireRows(next.snapshot(), 1, 5);
      } finally {
        stalling.mend();
      }
    }
  }

  @Test
  void aTransactionOfOneWorkerIsNotBegun() throws Exception {
    UUID ordinary = UUID.fromString("3563adba-518f-464c-8600-986d162c50fa");

    assertFails(
        () -> ask(begin(ordinary, Duration.ofSeconds(1))),
        Fault.REJECTED,
        "transaction 3563adba-518f-464c-8600-986d162c50fa cannot be one of several workers");
    assertThat(keys("open/")).isEmpty();
  }

  @Test
  void inMaintenanceACommitWaitsUnlessItIsCommittedAlready() throws Exception {
    try (InMemoryCoordination operator = new InMemoryCoordination(cluster.cluster);
        DistributedTransaction transaction = begin();
        DistributedTransaction waiting = begin()) {
      TransactionHandle handle = transaction.handle();
      List<UUID> fragments = sendAll(handle, 1, 10).get(0);
      Committed committed = transaction.commit(fragments);
      operator.maintain(true, "the store moves");
      Waiting.await(() -> primary.status().maintenance().isOn());

      assertThat(ask(commit(handle, null, fragments)))
          .isEqualTo(new TransactionAnswer.Committed(committed.snapshot(), true));
      assertFails(
          () -> ask(commit(waiting.handle(), null, List.of())), Fault.BUSY, "the store moves");
    }
  }

  @Test
  void anInterruptedCommitSaysThatItMayTakeEffect() throws Exception {
    FaultyStore stalling = new FaultyStore(new MemoryObjects("memory"));
    try (TestCluster other = new TestCluster(stalling)) {
      TransactorNode node = other.primary("t1");
      DistributedTransaction transaction = other.begin("driver");
      try (FragmentSender sender = other.fragments(transaction.handle())) {
        List<UUID> fragments = sender.send(cut(events(transaction.handle(), 0, 10)));
        stalling.stall("snapshots/", FaultyStore.Call.WRITE);
        Waiting.Running<ShipmentException> failed =
            Waiting.start(
                () -> {
                  ShipmentException cause =
                      catchThrowableOfType(
                          ShipmentException.class, () -> transaction.commit(fragments));
                  transaction.close();
                  assertThat(Thread.interrupted()).as("still interrupted").isTrue();
                  return cause;
                });
        Waiting.await(() -> stalling.stalled() > 0);
        failed.thread().interrupt();

        assertThat(failed.get())
            .hasMessage(
                "interrupted while transaction %s was committed: it may take effect",
                transaction.handle().transaction());
        assertThat(failed.get().fault()).isEqualTo(Fault.CANCELLED);
        assertThat(failed.get().outcome()).isEqualTo(ShipmentException.Outcome.UNKNOWN);
        stalling.mend();
        Waiting.await(() -> node.snapshot().table("events").rowCount() == 10);
        Waiting.await(() -> node.transactions().isEmpty());
      } finally {
        stalling.mend();
      }
    }
  }

  @Test
  void anInterruptedThreadAbortsWhatItHasNotCommitted() throws Exception {
    long before = primary.snapshot().timestamp();
    DistributedTransaction transaction = begin();
    List<UUID> fragments = sendAll(transaction.handle(), 1, 10).get(0);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> transaction.commit(fragments));
    assertThat(Thread.interrupted()).as("as of whatever throws so").isFalse();

    Thread.currentThread().interrupt();
    transaction.close();

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    Waiting.await(() -> primary.snapshot().timestamp() > before);
    assertThat(manifest(before + 1).kind()).isInstanceOf(SnapshotKind.Abort.class);
    requireNothingLeft();
  }

  @Test
  @Tag("ci")
  void limitsAreNamed() throws Exception {
    limit(new TransactionLimits(2, 1, 1, 0, Duration.ofSeconds(60)));
    try (DistributedTransaction transaction = begin()) {
      assertFails(
          () -> ask(begin(new Token(3, 3).transaction(), Duration.ofSeconds(1))),
          Fault.BUSY,
          "1 transactions are open, 1 of 'driver'; the limits are 2, and 1 of one owner");
      List<UUID> fragments = sendAll(transaction.handle(), 1, 10).get(0);
      TransactionHandle handle = transaction.handle();
      try (FragmentSender impatient = impatient(handle)) {
        assertFails(
            () -> impatient.send(events(handle, 1, 10)),
            Fault.REFUSED,
            "bytes in the store, the limit of all is 1 (TransactionLimits.maxStoredBytes)");
      }
      transaction.commit(fragments);
    }
    requireRows(primary.snapshot(), 1, 10);
  }

  @Test
  @Tag("ci")
  void waitsForRoomInTheStoreThatAnotherTakes() throws Exception {
    limit(new TransactionLimits(2, 2, 1, 0, Duration.ofSeconds(60)));
    try (DistributedTransaction first = begin();
        DistributedTransaction second = begin();
        FragmentSender impatient = impatient(second.handle())) {
      List<UUID> fragments = sendAll(first.handle(), 1, 10).get(0);
      assertFails(
          () -> impatient.send(events(second.handle(), 1, 10)),
          Fault.BUSY,
          "transaction " + second.handle().transaction() + " waits");
      first.commit(fragments);
      assertThat(impatient.send(events(second.handle(), 1, 10))).hasSize(1);
    }
  }

  @Test
  void nobodyLearnsHowATransactionEndedWithoutItsToken() throws Exception {
    TransactionHandle committed;
    try (DistributedTransaction transaction = begin()) {
      committed = transaction.handle();
      transaction.commit(sendAll(committed, 1, 10).get(0));
    }
    TransactionHandle guessed = withToken(committed, committed.transaction());
    failOver();

    assertFails(() -> ask(commit(guessed, null, List.of())), Fault.REFUSED, "another token");
    assertFails(
        () -> ask(new TransactionRequest.Abort(guessed.transaction(), token(guessed))),
        Fault.REFUSED,
        "another token");
    assertFails(() -> sendAll(guessed, 1, 10), Fault.REFUSED, "another token");
    assertThat(ask(commit(committed, null, List.of())))
        .isInstanceOf(TransactionAnswer.Committed.class);
  }

  private byte[] store(String key) throws IOException {
    return Files.readAllBytes(folder.resolve("store").resolve(key));
  }

  private static TransactionRequest.Commit commit(
      TransactionHandle handle, AppVersion app, List<UUID> fragments) {
    return new TransactionRequest.Commit(
        handle.transaction(),
        token(handle),
        Acknowledgement.STORED,
        OnConflict.REJECT,
        false,
        app,
        fragments);
  }

  /** Makes a handle of a transaction, with the token of another one. */
  private static TransactionHandle withToken(TransactionHandle handle, UUID id) {
    return new TransactionHandle(id, 1, 2, handle.database(), handle.base(), handle.baseChecksum());
  }

  private static Token token(TransactionHandle handle) {
    return new Token(handle.tokenHigh(), handle.tokenLow());
  }

  private TransactionAnswer ask(TransactionRequest request) throws Exception {
    return cluster.sender(TestCluster.port(primary)).ask(request, TestCluster.PATIENCE);
  }

  /** Makes a transaction with a fragment, whose coordinator is gone. */
  private TransactionHandle abandon(Duration lease) throws Exception {
    Token token = new Token(5, 6);
    UUID id = token.transaction();
    TransactionAnswer.Opened opened = (TransactionAnswer.Opened) ask(begin(id, lease));
    return new TransactionHandle(
        id, token.high(), token.low(), opened.database(), opened.base(), opened.baseChecksum());
  }

  private DistributedTransaction begin() throws Exception {
    return begin("driver");
  }

  private DistributedTransaction begin(String name) throws Exception {
    return cluster.begin(name);
  }

  private FragmentSender sender(TransactionHandle handle) throws IOException {
    return new FragmentSender(
        passed(handle), cluster.coordination(), cluster::connect, TestCluster.PATIENCE);
  }

  private FragmentSender impatient(TransactionHandle handle) throws IOException {
    return new FragmentSender(
        handle,
        cluster.coordination(),
        cluster::connect,
        new FragmentSender.Options(TestCluster.PATIENCE, Duration.ZERO));
  }

  private static TransactionRequest begin(UUID id, Duration lease) {
    return new TransactionRequest.Begin(id, null, -1, 0, lease, "driver");
  }

  private SnapshotManifest manifest(long snapshot) throws IOException {
    return new SnapshotCatalog(cluster.objects).entry(snapshot).manifest();
  }

  private static List<ChangeCargo> cut(ChangeCargo cargo) {
    return CargoCutter.cut(cargo, PIECE_BYTES);
  }

  /** Serializes the handle, as for another process. */
  private static TransactionHandle passed(TransactionHandle handle) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(handle);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (TransactionHandle) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** Sends the fragments of each worker in parallel. */
  private List<List<UUID>> sendAll(TransactionHandle handle, int workers, int rows)
      throws Exception {
    List<Waiting.Running<List<UUID>>> sending = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      int number = worker;
      sending.add(Waiting.start(() -> send(handle, number, rows)));
    }
    List<List<UUID>> sent = new ArrayList<>();
    try {
      for (Waiting.Running<List<UUID>> each : sending) {
        sent.add(each.get());
      }
      return sent;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static ChangeCargo events(TransactionHandle handle, int worker, int rows) {
    int page = 1_024;
    int pages = (rows + page - 1) / page;
    int[][] workers = new int[pages][];
    int[][] numbers = new int[pages][];
    String[][] notes = new String[pages][];
    for (int p = 0; p < pages; p++) {
      numbers[p] = IntStream.range(p * page, Math.min(rows, (p + 1) * page)).toArray();
      workers[p] = new int[numbers[p].length];
      notes[p] = new String[numbers[p].length];
      Arrays.fill(workers[p], worker);
      Arrays.fill(notes[p], "note");
    }
    return ChangeCargo.builder(new UUID(0, 0), handle.base())
        .table(
            "events",
            changes ->
                changes
                    .insert("worker", ColumnValues.of(workers))
                    .insert("number", ColumnValues.of(numbers))
                    .insert("note", ColumnValues.ofTexts(notes)))
        .build();
  }

  private static void requireRows(StoreSnapshot snapshot, int workers, int rows) {
    StoredTable events = snapshot.table("events");
    assertThat(events.rowCount()).isEqualTo((long) workers * rows);
    for (int row = 0; row < events.rowCount(); row += 7) {
      assertThat(events.get("worker", row)).isEqualTo(row / rows);
      assertThat(events.get("number", row)).isEqualTo(row % rows);
      assertThat(events.get("note", row)).isEqualTo("note");
    }
  }

  private void requireNothingLeft(SnapshotManifest... named) throws Exception {
    List<String> needed =
        Arrays.stream(named)
            .flatMap(manifest -> manifest.references().stream())
            .map(data -> data.key())
            .toList();
    Waiting.await(
        () ->
            keys("open/").isEmpty()
                && keys("fragments/").isEmpty()
                && needed.containsAll(
                    keys("data/").stream().filter(key -> !key.startsWith("data/0000")).toList()));
  }

  private List<String> keys(String prefix) throws IOException {
    return cluster.objects.list(prefix).stream().map(StoredObject::key).toList();
  }
}
