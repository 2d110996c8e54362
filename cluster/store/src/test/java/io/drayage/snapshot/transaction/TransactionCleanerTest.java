package io.drayage.snapshot.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.database.LogPosition;
import io.drayage.database.LoggedTransaction;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.StoredLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which records of transactions are deleted, and when. */
class TransactionCleanerTest {
  private static final CodecPair RAW = CodecPair.of("raw", "none");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final UUID ID = new UUID(7, 7);

  @TempDir private Path folder;
  private final AtomicLong nanoTime = new AtomicLong();
  @AutoClose private ObjectStore store;
  private SnapshotCatalog catalog;
  private TransactionRecords records;
  private TransactionCleaner cleaner;
  private SnapshotEntry last;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder);
    catalog = new SnapshotCatalog(store);
    records = new TransactionRecords(store);
    cleaner = new TransactionCleaner(catalog, nanoTime::get);
    List<SnapshotEntry> log = new StoredLog(store).begin(3);
    last = log.get(log.size() - 1);
    records.open(new OpenTransaction(ID, 2, 9, "a driver", HOUR));
  }

  private Fragment prepare(long seed) throws IOException {
    SnapshotContents cargo =
        StoreFiller.store(store, ID, RandomCargo.of(seed, 20), RAW.serializer(), RAW.compressor());
    return records.add(new Fragment(ID, cargo, 100 + seed));
  }

  @Test
  void recordsAreReadAsTheyWereWritten() throws Exception {
    OpenTransaction open = records.find(ID);
    assertThat(open).isEqualTo(new OpenTransaction(ID, 2, 9, "a_driver", HOUR));
    assertThat(records.find(new UUID(1, 1))).isNull();
    Fragment fragment = prepare(1);
    Fragment read = records.find(fragment.place());
    assertThat(read.addedBytes()).isEqualTo(101);
    assertThat(read.cargo().data()).isEqualTo(fragment.cargo().data());
    assertThat(read.cargo().seal()).isEqualTo(fragment.cargo().seal());
    assertThat(records.fragments(ID)).containsExactly(fragment.place());
    assertThat(records.open()).containsExactly(ID);
  }

  @Test
  void theFirstRecordOfAFragmentCounts() throws Exception {
    Fragment first = prepare(1);

    Fragment second = prepare(1);

    assertThat(second.cargo().data().key()).isEqualTo(first.cargo().data().key());
    assertThat(records.fragments(ID)).hasSize(1);
  }

  @Test
  void nothingOfAnOpenTransactionIsDeleted() throws Exception {
    Fragment fragment = prepare(1);
    SnapshotCleaner others = new SnapshotCleaner(catalog, nanoTime::get);
    for (int hour = 0; hour < 3; hour++) {
      assertThat(cleaner.deleteEnded(id -> OptionalLong.empty(), HOUR)).isZero();
      assertThat(others.deleteUnreferenced(HOUR, 3, cleaner::references)).isZero();
      nanoTime.addAndGet(HOUR.toNanos() + 1);
    }
    assertThat(records.isComplete(fragment)).isTrue();
    assertThat(cleaner.bases()).containsExactly(2L);
    assertThat(others.deleteUnreferenced(HOUR, 3, Set::of))
        .as("what a cleaner that forgets them does")
        .isOne();
  }

  @Test
  void whatACommitNamesStays() throws Exception {
    Fragment named = prepare(1);
    Fragment loser = prepare(2);
    String unrecorded = data(ID);
    SnapshotEntry commit =
        catalog.append(
            SnapshotManifest.entry(
                new SnapshotKind.Commit(
                    new LoggedTransaction(ID, 2, "a driver", null),
                    0,
                    List.of(),
                    List.of(),
                    List.of(named.cargo())),
                last.position(),
                1,
                Instant.now()));
    long end = commit.manifest().timestamp();

    assertThat(cleaner.deleteEnded(id -> OptionalLong.of(end), HOUR)).isEqualTo(5);

    assertThat(records.open()).isEmpty();
    assertThat(records.fragments()).isEmpty();
    assertThat(records.isComplete(named)).isTrue();
    assertThat(records.isComplete(loser)).isFalse();
    assertThat(store.list(unrecorded)).isEmpty();
    // A late fragment of a primary that was paused is deleted, too.
    Fragment late = prepare(3);
    assertThat(cleaner.deleteEnded(id -> OptionalLong.of(end), HOUR)).isEqualTo(3);
    assertThat(records.isComplete(late)).isFalse();
  }

  @Test
  void allOfATransactionWithoutEffectGoes() throws Exception {
    Fragment fragment = prepare(1);
    String others = data(new UUID(5, 5));

    assertThat(cleaner.deleteEnded(id -> OptionalLong.of(-4), HOUR)).isEqualTo(3);

    assertThat(records.isComplete(fragment)).isFalse();
    assertThat(store.list("open/")).isEmpty();
    assertThat(folder.resolve("fragments")).as("nor a folder").isEmptyDirectory();
    assertThat(store.size(others)).isOne();
  }

  /** Stores data without a record, as a primary does that dies after the data of a fragment. */
  private String data(UUID transaction) throws IOException {
    String key = "data/" + transaction + "-" + new UUID(3, 3);
    store.put(key, ByteBuffer.wrap(new byte[] {1}));
    return key;
  }

  @Test
  void dataThatNoRecordNamesGoesWithItsTransaction() throws Exception {
    String unrecorded = data(ID);
    assertThat(cleaner.deleteEnded(id -> OptionalLong.empty(), HOUR)).isZero();
    assertThat(store.size(unrecorded)).as("its record may follow").isOne();

    assertThat(cleaner.deleteEnded(id -> OptionalLong.of(-4), HOUR)).isEqualTo(2);

    assertThat(store.list(unrecorded)).isEmpty();
    assertThat(store.list("open/")).isEmpty();
  }

  @Test
  void fragmentsOfATransactionThatNobodyKnowsGoAfterAnHour() throws Exception {
    Fragment fragment = prepare(1);
    store.delete("open/" + ID);

    assertThat(cleaner.deleteEnded(id -> OptionalLong.empty(), HOUR)).isZero();
    nanoTime.addAndGet(HOUR.toNanos() + 1);
    assertThat(cleaner.deleteEnded(id -> OptionalLong.empty(), HOUR)).isOne();

    assertThat(records.fragments()).isEmpty();
    assertThat(records.isComplete(fragment)).as("left to be found as unreferenced").isTrue();
  }

  /** The transaction was committed, but its records stayed: an entry may name its data. */
  @Test
  void oneThatMayHaveEndedLongAgoGoesAfterAnHourWithoutItsData() throws Exception {
    Fragment fragment = prepare(1);
    TransactionEnds ends = knownSince(3, OptionalLong.empty());

    assertThat(cleaner.deleteEnded(ends, HOUR)).isZero();
    nanoTime.addAndGet(HOUR.toNanos() + 1);
    assertThat(cleaner.deleteEnded(ends, HOUR)).isEqualTo(2);

    assertThat(records.open()).isEmpty();
    assertThat(records.fragments()).isEmpty();
    assertThat(records.isComplete(fragment)).as("left to be found as unreferenced").isTrue();
  }

  /** The primary did not know the base of the transaction, and has ended it. */
  @Test
  void oneWithADamagedRecordThatMayHaveEndedLongAgoGoesWithoutItsData() throws Exception {
    Fragment fragment = prepare(1);
    String record = "open/" + ID;
    store.delete(record);
    store.put(record, ByteBuffer.wrap(new byte[] {1, 2, 3}));

    assertThat(cleaner.deleteEnded(knownSince(3, OptionalLong.of(-9)), HOUR)).isEqualTo(2);

    assertThat(records.open()).isEmpty();
    assertThat(records.isComplete(fragment)).isTrue();
  }

  private static TransactionEnds knownSince(long base, OptionalLong end) {
    return new TransactionEnds() {
      @Override
      public OptionalLong endOf(UUID transaction) {
        return end;
      }

      @Override
      public long knownSince() {
        return base;
      }
    };
  }

  @Test
  void aDamagedRecordOfATransactionStopsNothing() throws Exception {
    UUID damaged = new UUID(1, 1);
    store.put("open/" + damaged, ByteBuffer.wrap(new byte[] {1, 2, 3}));

    assertThat(cleaner.bases()).containsExactly(2L);
    assertThat(
            cleaner.deleteEnded(
                id -> id.equals(ID) ? OptionalLong.of(-4) : OptionalLong.empty(), HOUR))
        .isOne();
    assertThat(records.open()).containsExactly(damaged);
    assertThat(cleaner.deleteEnded(id -> OptionalLong.of(-5), HOUR)).isOne();
    assertThat(records.open()).isEmpty();
  }

  @Test
  void aDamagedRecordOfAFragmentKeepsTheDataOfItsTransactionAlone() throws Exception {
    Fragment fragment = prepare(1);
    String own = data(ID);
    String others = data(new UUID(5, 5));
    store.put("fragments/" + ID + "/" + new UUID(2, 2), ByteBuffer.wrap(new byte[] {1, 2, 3}));

    assertThat(cleaner.references()).contains(own, fragment.cargo().data().key());
    assertThat(cleaner.references()).doesNotContain(others);
  }

  @Test
  void aDamagedRecordDoesNotHideTheOthers() throws Exception {
    Fragment unused = prepare(1);
    UUID hurt = new UUID(8, 8);
    store.put("open/" + hurt, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    List<ObjectCorruptException> damaged = new ArrayList<>();

    List<StoredTransaction> shown = StoredTransaction.list(store, damaged::add);

    assertThat(shown).singleElement().extracting(each -> each.record().id()).isEqualTo(ID);
    assertThat(shown.get(0).fragments()).isEqualTo(1);
    assertThat(damaged).singleElement().asString().contains("open/" + hurt, "corrupt");
  }

  @Test
  void theSnapshotThatATransactionIsMadeOnStaysLoadable() throws Exception {
    StoredLog log = new StoredLog(store);
    LogPosition at = last.position();
    assertThat(at.timestamp()).isEqualTo(3);
    SnapshotCleaner others = new SnapshotCleaner(catalog, nanoTime::get);
    for (int i = 0; i < 2; i++) {
      last = log.commit(last);
      SnapshotEntry unused = log.full(last);
    }

    assertThat(others.prune(Duration.ZERO, Long.MAX_VALUE, cleaner.bases())).isZero();
    assertThat(others.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isPositive();
    assertThat(store.list("data/").stream().map(StoredObject::key)).isNotEmpty();
  }
}
