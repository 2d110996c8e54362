package io.drayage.snapshot;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.RandomCargo;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.receive.ReceiverLimits;
import io.drayage.snapshot.recovery.SnapshotCopy;
import io.drayage.snapshot.recovery.SnapshotRepair;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what reads and changes a log whose objects hold several entries. */
@Timeout(180)
final class LogObjectTest {
  private static final Duration NO_GRACE = Duration.ZERO;

  @TempDir private Path folder;
  @AutoClose private ObjectStore store;
  private SnapshotCatalog catalog;
  private StoredLog log;

  /** A full snapshot, and the entries 1 to 3, 4, and 5 to 7, each in one object. */
  private final List<SnapshotEntry> entries = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder.resolve("store"));
    catalog = new SnapshotCatalog(store);
    log = new StoredLog(store);
    entries.addAll(log.begin(0));
    entries.addAll(log.together(newest(), 3));
    entries.add(log.commit(newest()));
    entries.addAll(log.together(newest(), 3));
  }

  private SnapshotEntry newest() {
    return entries.get(entries.size() - 1);
  }

  private Path file(SnapshotEntry entry) {
    return folder.resolve("store").resolve(entry.key());
  }

  private List<String> keys(String prefix) throws IOException {
    return store.list(prefix).stream().map(StoredObject::key).toList();
  }

  @Test
  void entriesAreReadOneByOneAndFromAnyOne() throws Exception {
    assertThat(keys(SnapshotKeys.MANIFESTS)).hasSize(4);
    assertThat(catalog.logObjects()).containsExactly(1L, 4L, 5L);
    assertThat(catalog.newestTimestamp()).isEqualTo(7);
    assertThat(Objects.requireNonNull(catalog.chain()).log()).isEqualTo(entries.subList(1, 8));
    for (int timestamp = 1; timestamp <= 7; timestamp++) {
      assertThat(catalog.entry(timestamp)).isEqualTo(entries.get(timestamp));
      assertThat(catalog.checksum(timestamp)).hasValue(entries.get(timestamp).checksum());
      assertThat(catalog.after(entries.get(timestamp)))
          .isEqualTo(entries.subList(timestamp + 1, 8));
    }
    assertThat(catalog.entriesFrom(6)).isEqualTo(entries.subList(6, 8));
    assertThatThrownBy(() -> catalog.entry(8)).isInstanceOf(ObjectMissingException.class);
    StoreFiller.assertIntact(catalog);
  }

  @Test
  void dataIsLoadedFromTheEntryAndFromItsObject() throws Exception {
    assertThat(keys(SnapshotKeys.DATA)).hasSize(2 + 5);
    try (SnapshotLoader loader = new SnapshotLoader(store, 2, 1 << 30, ReceiverLimits.DATA_ONLY)) {
      for (SnapshotEntry entry : entries.subList(1, 8)) {
        SnapshotContents contents = entry.manifest().cargoes().get(0);
        assertThat(CargoDigest.of(loader.load(contents)))
            .isEqualTo(CargoDigest.of(RandomCargo.of(entry.manifest().timestamp(), 50)));
        assertThat(loader.manifest(contents).transactionId())
            .isEqualTo(entry.manifest().transactionId());
      }
    }
  }

  /** The key of an object is that of its first entry, so that one of two primaries succeeds. */
  @Test
  void allEntriesAreThereOrNone() throws Exception {
    SnapshotEntry takeover = log.takeover(newest(), 2);
    assertFails(
        () -> log.together(newest(), 3),
        ObjectExistsException.class,
        "snapshots/00000000000000000008.commit: exists already");
    assertThat(catalog.newestTimestamp()).isEqualTo(8);
    assertThat(catalog.takeovers(8)).containsExactly(takeover);
    assertThat(catalog.takeovers(7)).isEmpty();
  }

  @Test
  void entriesAreFoundAlthoughAListLacksTheirObjects() throws Exception {
    FaultyStore late = new FaultyStore(store);
    late.omitFromLists(entries.get(4).key(), entries.get(5).key());
    SnapshotCatalog listedLate = new SnapshotCatalog(late);
    for (int timestamp = 1; timestamp <= 7; timestamp++) {
      assertThat(listedLate.entry(timestamp)).isEqualTo(entries.get(timestamp));
    }
    assertThat(listedLate.newestTimestamp()).isEqualTo(3);
    SnapshotEntry unused = log.commit(newest());
    assertThat(Objects.requireNonNull(listedLate.chain()).log()).hasSize(8);
    StoreFiller.assertIntact(listedLate);
  }

  @Test
  void oneObjectHoldsConsecutiveEntriesAndNothingElse() throws Exception {
    byte[] four = Files.readAllBytes(file(entries.get(4)));
    byte[] five = Files.readAllBytes(file(entries.get(5)));
    byte[] full = Files.readAllBytes(file(entries.get(0)));
    Path file = file(entries.get(4));

    Files.write(file, joined(four, four));
    assertCorrupt("commit 4 cannot follow commit 4 in one object");
    Files.write(file, joined(four, full));
    assertCorrupt("full 0 cannot follow commit 4 in one object");
    Files.write(file, joined(four, "x".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    assertCorrupt("its checksum is");
    Files.write(file, new byte[0]);
    assertCorrupt("its checksum is");
    Files.write(file, five);
    assertCorrupt("it is the manifest of commit 5");
    five[five.length / 2] ^= 1;
    Files.write(file, four);
    Files.write(file(entries.get(5)), five);
    assertCorrupt("its checksum is");
  }

  private static byte[] joined(byte[] first, byte[] second) {
    ByteBuffer joined = ByteBuffer.allocate(first.length + second.length);
    return joined.put(first).put(second).array();
  }

  private void assertCorrupt(String why) {
    assertFails(catalog::chain, ObjectCorruptException.class, why);
  }

  @Test
  void whatIsTooLongForTheOthersIsNotAdded() throws Exception {
    LogObject object = new LogObject(newest().position(), 1);
    SnapshotKind takeover = new SnapshotKind.Takeover(new UUID(3, 3));
    int added = 0;
    while (object.add(takeover, Instant.EPOCH)) {
      added++;
    }
    assertThat(object.text().remaining()).isBetween((1 << 20) - 1_000, 1 << 20);
    assertThat(object.next()).isEqualTo(8 + added);
    assertThat(catalog.appendTogether(object)).hasSize(added);
    assertThat(catalog.newestTimestamp()).isEqualTo(7 + added);
  }

  @Test
  void anObjectIsDeletedWhenAllOfItsEntriesAreReplaced() throws Exception {
    SnapshotCleaner cleaner = new SnapshotCleaner(catalog, System::nanoTime);
    log.full(entries.get(4));
    log.full(newest());
    assertThat(cleaner.prune(NO_GRACE, 2, List.of())).isEqualTo(0);
    assertThat(cleaner.prune(NO_GRACE, 4, List.of())).isEqualTo(1 + 3 + 1);
    assertThat(catalog.logObjects()).containsExactly(5L);
    assertThat(keys(SnapshotKeys.DATA)).hasSize(4 + 2);
    log.full(log.commit(newest()));
    assertThat(cleaner.prune(NO_GRACE, 6, List.of())).isZero();
    assertThat(cleaner.prune(NO_GRACE, 8, List.of())).isEqualTo(1 + 3);
    assertThat(catalog.checksum(7)).hasValue(newest().checksum());
    StoreFiller.assertIntact(catalog);
  }

  /** Such a node loads the newest full snapshot instead. */
  @Test
  void whatIsWithinADeletedObjectHasNoNextEntry() throws Exception {
    log.full(newest());
    int unused = catalog.delete(catalog.read(SnapshotKeys.Place.entry(5)));
    for (SnapshotEntry last : entries.subList(4, 7)) {
      assertFails(() -> catalog.after(last), SnapshotException.class, "is missing, and there");
    }
    assertThat(catalog.after(entries.get(7))).isEmpty();
  }

  @Test
  void aRepairNamesAllEntriesOfADamagedObject() throws Exception {
    byte[] object = Files.readAllBytes(file(entries.get(5)));
    object[object.length - 100] ^= 4;
    Files.write(file(entries.get(5)), object);
    SnapshotRepair.Plan plan = new SnapshotRepair(store, null).plan();
    assertThat(plan.reached()).isEqualTo(4);
    assertThat(plan.losses())
        .satisfiesExactly(
            loss -> assertThat(loss).matches("snapshot 5: transaction .* together with .*"),
            loss -> assertThat(loss).matches("snapshot 6: transaction .* together with .*"),
            loss -> assertThat(loss).startsWith("snapshot 7: ").contains("its checksum is"));
  }

  /** The number of entries of an object that cannot be read is unknown. */
  @Test
  void verifyNamesEntriesOfOneObjectAndADamagedObjectOnce() throws Exception {
    List<String> findings = new ArrayList<>();
    SnapshotVerifier verifier = new SnapshotVerifier(catalog);
    byte[] data = StoreFiller.flip(file(entries.get(1)));
    assertThat(verifier.verify(found -> findings.add(found.name()))).isOne();
    Files.write(file(entries.get(1)), data);
    assertThat(findings)
        .hasSize(6)
        .contains(
            "snapshots/00000000000000000001.commit",
            "snapshots/00000000000000000004.commit",
            "snapshots/00000000000000000005.commit, snapshot 6");
  }

  /** A gap is found although the run before ended with an object of unknown length. */
  @Test
  void aVerifierForgetsWhatItsLastRunHasFound() throws Exception {
    SnapshotVerifier verifier = new SnapshotVerifier(catalog);
    byte[] data = StoreFiller.flip(file(entries.get(5)));
    assertThat(verifier.verify(found -> {})).isOne();
    Files.write(file(entries.get(5)), data);
    store.delete(entries.get(1).key());
    assertThat(verifier.verify(found -> {})).isOne();
  }

  @Test
  void aBackupHasTheSameObjectsAndARestoredDatabaseEndsWithinOne() throws Exception {
    SnapshotEntry full = log.full(newest());
    try (ObjectStore backup = FolderStore.open(folder.resolve("backup"));
        ObjectStore restored = FolderStore.open(folder.resolve("restored"))) {
      SnapshotCopy.Result copied = new SnapshotCopy(store, backup).run(Long.MAX_VALUE);
      assertThat(copied.timestamp()).isEqualTo(7);
      assertThat(new SnapshotCopy(store, backup).run(Long.MAX_VALUE).objects()).isZero();
      SnapshotCatalog there = new SnapshotCatalog(backup);
      assertThat(there.after(entries.get(0))).isEqualTo(entries.subList(1, 8));
      assertThat(there.full(7)).isEqualTo(full);

      assertThat(SnapshotCopy.restoring(backup, restored).run(6).timestamp()).isEqualTo(6);
      SnapshotCatalog other = new SnapshotCatalog(restored);
      StoreFiller.assertIntact(other);
      assertThat(other.logObjects()).containsExactly(1L, 4L, 5L);
      assertThat(other.newestTimestamp()).isEqualTo(6);
      assertThat(other.entry(6).manifest().kind()).isEqualTo(entries.get(6).manifest().kind());
      assertThat(other.entry(6).manifest().database()).isNotEqualTo(new UUID(1, 1));
    }
  }

  /** An object is never rewritten, even if its other entries are intact. */
  @Test
  void aRepairCutsTheLogBeforeAnObjectWithDamage() throws Exception {
    SnapshotContents sixth = entries.get(7).manifest().cargoes().get(0);
    StoreFiller.flip(folder.resolve("store").resolve(sixth.data().key()));
    SnapshotRepair repair = new SnapshotRepair(store, null);
    SnapshotRepair.Plan plan = repair.plan();
    assertThat(plan.reached()).isEqualTo(4);
    assertThat(plan.losses())
        .hasSize(3)
        .allMatch(loss -> loss.matches("snapshot [567]: transaction .* of 'test', .*corrupt.*"));
    repair.apply(plan);
    StoreFiller.assertIntact(catalog);
    assertThat(catalog.newestTimestamp()).isEqualTo(4);
  }

  @Test
  void aRepairTakesAnObjectFromACopy() throws Exception {
    log.full(newest());
    log.full(log.commit(newest()));
    try (ObjectStore backup = FolderStore.open(folder.resolve("backup"))) {
      SnapshotCopy.Result unused = new SnapshotCopy(store, backup).run(Long.MAX_VALUE);
      byte[] unusedBytes = StoreFiller.flip(file(entries.get(5)));
      store.delete(entries.get(1).key());
      SnapshotRepair repair = new SnapshotRepair(store, backup);
      SnapshotRepair.Plan plan = repair.plan();
      assertThat(plan.reached()).isEqualTo(8);
      assertThat(plan.losses()).isEmpty();
      repair.apply(plan);
      StoreFiller.assertIntact(catalog);
      assertThat(new SnapshotRepair(store, backup).plan().steps()).isEmpty();
    }
  }
}
