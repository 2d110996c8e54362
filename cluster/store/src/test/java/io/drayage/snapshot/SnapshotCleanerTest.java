package io.drayage.snapshot;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotCleanerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path folder;
  private final AtomicLong nanoTime = new AtomicLong(-5);
  @AutoClose private ObjectStore store;
  private SnapshotCatalog catalog;
  private SnapshotCleaner cleaner;
  private StoredLog log;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder);
    catalog = new SnapshotCatalog(store);
    cleaner = new SnapshotCleaner(catalog, nanoTime::get);
    log = new StoredLog(store);
  }

  private void pass(Duration time) {
    nanoTime.addAndGet(time.toNanos());
  }

  private String leftover() throws IOException {
    String key = SnapshotKeys.data(UUID.randomUUID());
    return StoreFiller.put(store, key, new byte[10]).key();
  }

  private List<String> keys(String prefix) throws IOException {
    return store.list(prefix).stream().map(StoredObject::key).toList();
  }

  private void damage(String key) throws IOException {
    Path file = folder.resolve(key);
    Files.writeString(file, Files.readString(file).replace("epoch 1", "epoch 9"));
  }

  @Test
  void keepsTwoFullSnapshotsAndTheLogSinceTheOlder() throws Exception {
    List<SnapshotEntry> entries = log.begin(3);
    log.full(entries.get(2));
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isZero();
    log.full(entries.get(3));

    assertThat(cleaner.prune(HOUR, Long.MAX_VALUE, List.of())).isZero();
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(3);
    assertThat(catalog.fullTimestamps()).containsExactly(2L, 3L);
    assertThat(catalog.logObjects()).containsExactly(3L);
    // The rows and the histories of two full snapshots, and the frames of the commit.
    assertThat(keys(SnapshotKeys.DATA)).hasSize(5);
    assertThat(Objects.requireNonNull(catalog.longChain()).log()).hasSize(1);
  }

  /** Nodes distinguish this log from that of another database by the published entry. */
  @Test
  void keepsWhatIsPublishedAndAllSinceThen() throws Exception {
    List<SnapshotEntry> entries = log.begin(5);
    log.full(entries.get(2));
    log.full(entries.get(4));
    log.full(entries.get(5));

    assertThat(cleaner.prune(Duration.ZERO, 1, List.of())).isZero();
    assertThat(cleaner.prune(Duration.ZERO, 2, List.of())).isEqualTo(3);
    assertThat(catalog.fullTimestamps()).containsExactly(2L, 4L, 5L);
    assertThat(catalog.checksum(2)).hasValue(entries.get(2).checksum());
    assertThat(cleaner.prune(Duration.ZERO, 3, List.of())).isZero();
    assertThat(cleaner.prune(Duration.ZERO, 4, List.of())).isEqualTo(3);
    assertThat(catalog.logObjects()).containsExactly(5L);
    assertThat(catalog.checksum(4)).hasValue(entries.get(4).checksum());
    assertThat(catalog.checksum(3)).isEmpty();
  }

  @Test
  void goesOnPastWhatIsDeletedAndStillListed() throws Exception {
    FaultyStore late = new FaultyStore(store);
    SnapshotCatalog seen = new SnapshotCatalog(late);
    SnapshotCleaner seeing = new SnapshotCleaner(seen, nanoTime::get);
    List<SnapshotEntry> entries = log.begin(5);
    log.full(entries.get(2));
    log.full(entries.get(3));
    List<StoredObject> deleted = new ArrayList<>(store.list(SnapshotKeys.MANIFESTS));
    assertThat(seeing.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(3);
    deleted.removeAll(store.list(SnapshotKeys.MANIFESTS));
    late.addToLists(deleted);
    log.full(entries.get(4));

    assertThat(seeing.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(2);
    assertThat(keys(SnapshotKeys.MANIFESTS)).hasSize(4);
    StoreFiller.assertIntact(seen);
  }

  @Test
  void keepsWhatANodeIsLoading() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    log.full(entries.get(2));
    log.full(entries.get(3));
    log.full(entries.get(4));
    LoadingMark mark = new LoadingMark(store, 0);
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isOne();
    assertThat(catalog.fullTimestamps()).containsExactly(0L, 3L, 4L);
    assertThat(catalog.logObjects()).containsExactly(1L, 2L, 3L, 4L);

    mark.close();
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(4);
    assertThat(keys("loading/")).isEmpty();
  }

  @Test
  void theMarkOfANodeThatDiedExpires() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    log.full(entries.get(2));
    log.full(entries.get(3));
    store.put(SnapshotKeys.loading(0), ByteBuffer.allocate(0));
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isZero();
    pass(LoadingMark.EXPIRY.minusNanos(1));
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isZero();
    pass(Duration.ofNanos(1));
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(3);
    assertThat(keys("loading/")).isEmpty();
  }

  @Test
  void deletesDataThatNoManifestNames() throws Exception {
    log.begin(1);
    String leftover = leftover();
    assertThat(cleaner.deleteUnreferenced(HOUR, 0, Set::of)).isZero();
    pass(HOUR);
    assertThat(cleaner.deleteUnreferenced(HOUR, 0, Set::of)).isOne();
    assertThat(keys(SnapshotKeys.DATA)).doesNotContain(leftover).hasSize(3);
    assertThat(Objects.requireNonNull(catalog.chain()).timestamp()).isEqualTo(1);
  }

  /** The clocks of the store and of this machine do not matter. */
  @Test
  void keepsDataWhoseEntryMayFollow() throws Exception {
    String old = leftover();
    String future = leftover();
    Instant now = Instant.now();
    Files.setLastModifiedTime(folder.resolve(old), FileTime.from(now.minus(HOUR.multipliedBy(2))));
    Files.setLastModifiedTime(
        folder.resolve(future), FileTime.from(now.plus(HOUR.multipliedBy(2))));
    log.begin(0);

    assertThat(cleaner.deleteUnreferenced(HOUR, 0, Set::of)).isZero();
    pass(HOUR.minusNanos(1));
    String young = leftover();
    assertThat(cleaner.deleteUnreferenced(HOUR, 0, Set::of)).isZero();
    pass(Duration.ofNanos(1));
    assertThat(cleaner.deleteUnreferenced(HOUR, 0, Set::of)).isEqualTo(2);
    assertThat(keys(SnapshotKeys.DATA)).contains(young).doesNotContain(old, future);
  }

  /** Data of a missing entry looks like that of a failed commit, and a repair may need it. */
  @Test
  void keepsAllDataWhileAnEntryIsMissing() throws Exception {
    log.begin(3);
    leftover();
    Path newest = folder.resolve("snapshots/00000000000000000003.commit");
    byte[] entry = Files.readAllBytes(newest);
    Files.delete(newest);
    assertFails(
        () -> cleaner.deleteUnreferenced(Duration.ZERO, 3, Set::of),
        SnapshotException.class,
        "snapshot 3 is missing: the log ends at 2, and had 3");
    Files.write(newest, entry);
    Files.delete(folder.resolve("snapshots/00000000000000000002.commit"));
    assertFails(
        () -> cleaner.deleteUnreferenced(Duration.ZERO, 3, Set::of),
        SnapshotException.class,
        "snapshot 2 is missing, and there is snapshot 3");
    Files.delete(folder.resolve("snapshots/00000000000000000000.full"));
    assertFails(
        () -> cleaner.deleteUnreferenced(Duration.ZERO, 3, Set::of),
        SnapshotException.class,
        "has no full snapshot any more");
    assertThat(keys(SnapshotKeys.DATA)).hasSize(6);
  }

  /** The record of a fragment is deleted when its entry exists, which a late list may lack. */
  @Test
  void asksForTheNewestEntryAfterTheFragments() throws Exception {
    log.begin(3);
    leftover();
    AtomicLong newest = new AtomicLong(3);
    assertFails(
        () ->
            cleaner.deleteUnreferenced(
                Duration.ZERO,
                newest::get,
                () -> {
                  newest.set(4);
                  return Set.of();
                }),
        SnapshotException.class,
        "snapshot 4 is missing: the log ends at 3, and had 4");
  }

  @Test
  void leavesOtherApplicationsObjectsAlone() throws Exception {
    log.begin(0);
    StoreFiller.put(store, "data/sales.csv", new byte[10]);
    StoreFiller.put(store, "data/" + UUID.randomUUID(), new byte[10]);
    assertThat(cleaner.deleteUnreferenced(Duration.ofSeconds(-10), 0, Set::of)).isZero();
  }

  @Test
  void aDamagedManifestThatNobodyNeedsHoldsUpNothing() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    log.full(entries.get(2));
    log.full(entries.get(3));
    damage("snapshots/00000000000000000000.full");
    damage("snapshots/00000000000000000001.commit");

    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(2);
    assertThat(catalog.fullTimestamps()).containsExactly(2L, 3L);
    // It keeps its place, because it may have been a takeover.
    assertThat(catalog.logObjects()).containsExactly(1L, 3L, 4L);
    assertThat(cleaner.deleteUnreferenced(Duration.ZERO, 0, Set::of)).isEqualTo(3);
    assertThat(keys(SnapshotKeys.DATA)).hasSize(6);
    assertThat(Objects.requireNonNull(catalog.longChain()).timestamp()).isEqualTo(4);
  }

  @Test
  void deletesNothingWhileAManifestThatIsNeededIsDamaged() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    log.full(entries.get(2));
    log.full(entries.get(3));
    leftover();
    damage("snapshots/00000000000000000004.commit");
    assertFails(
        () -> cleaner.deleteUnreferenced(Duration.ZERO, 0, Set::of),
        ObjectCorruptException.class,
        "00000000000000000004.commit");
    damage("snapshots/00000000000000000002.full");
    assertFails(
        () -> cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of()),
        ObjectCorruptException.class,
        "00000000000000000002.full");
    assertThat(catalog.logObjects()).containsExactly(1L, 2L, 3L, 4L);
  }

  /** The rows of the full snapshot are the only remains of the log before it. */
  @Test
  void deletesNothingInFavourOfAFullSnapshotThatDoesNotReadBack() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    SnapshotEntry full = log.full(entries.get(2));
    log.full(entries.get(3));
    Path rows = folder.resolve(full.manifest().references().get(0).key());
    StoreFiller.flip(rows);
    assertFails(
        () -> cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of()),
        ObjectCorruptException.class,
        "-rows-");
    assertThat(catalog.logObjects()).containsExactly(1L, 2L, 3L, 4L);

    StoreFiller.flip(rows);
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isPositive();
  }

  /** Otherwise the primary would acknowledge a commit that is in no log. */
  @Test
  void aPrimaryThatWasPausedForLongStillFindsItsNextEntryTaken() throws Exception {
    SnapshotEntry last = log.begin(1).get(1);
    SnapshotEntry takeover = log.takeover(last, 2);
    SnapshotEntry newest = takeover;
    for (int i = 0; i < 3; i++) {
      newest = log.commit(newest);
      log.full(newest);
    }
    assertThat(cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of())).isEqualTo(5);
    assertThat(catalog.logObjects()).containsExactly(2L, 5L);

    assertThatThrownBy(() -> log.commit(last)).isInstanceOf(ObjectExistsException.class);
    assertThat(Objects.requireNonNull(catalog.longChain()).timestamp()).isEqualTo(5);
    StoreFiller.assertIntact(catalog);
  }
}
