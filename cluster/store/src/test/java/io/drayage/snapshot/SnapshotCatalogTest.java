package io.drayage.snapshot;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.RandomCargo;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.receive.ReceiverLimits;
import io.drayage.snapshot.recovery.SnapshotRepair;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class SnapshotCatalogTest {
  @TempDir private Path folder;
  @AutoClose private ObjectStore store;
  private SnapshotCatalog catalog;
  private StoredLog log;

  @BeforeEach
  void open() throws Exception {
    store = FolderStore.open(folder);
    catalog = new SnapshotCatalog(store);
    log = new StoredLog(store);
  }

  private SnapshotChain chain() throws IOException {
    return Objects.requireNonNull(catalog.chain());
  }

  @Test
  void hasNoChainWhereThereIsNothing() throws Exception {
    assertThat(catalog.chain()).isNull();
  }

  /** A worker may open the store while the transactor makes the database. */
  @Test
  void findsAFullSnapshotThatIsMadeMeanwhile() throws Exception {
    List<SnapshotEntry> entries = log.begin(1);
    ObjectStore late = hidingFirstLists(1);

    assertThat(new SnapshotCatalog(late).fullUpTo(1).checksum())
        .isEqualTo(entries.get(0).checksum());
    assertFails(
        () -> new SnapshotCatalog(late).fullUpTo(-1),
        SnapshotException.class,
        "no longer holds snapshot -1: its oldest full snapshot is 0");
  }

  /** Returns the store; its first lists are empty. */
  private ObjectStore hidingFirstLists(int count) {
    AtomicInteger lists = new AtomicInteger();
    return new ForwardingStore(store) {
      @Override
      public List<StoredObject> list(String prefix) throws IOException {
        return lists.incrementAndGet() <= count ? List.of() : super.list(prefix);
      }
    };
  }

  @Test
  void chainHoldsTheFullSnapshotAndEverythingSince() throws Exception {
    List<SnapshotEntry> entries = log.begin(3);
    SnapshotEntry last = log.takeover(entries.get(3), 2);

    SnapshotChain chain = chain();
    assertThat(chain.timestamp()).isEqualTo(4);
    assertThat(chain.checksum()).isEqualTo(last.checksum());
    assertThat(chain.log())
        .extracting(entry -> entry.manifest().timestamp())
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(catalog.after(entries.get(3))).hasSize(1);
  }

  @Test
  void aTimestampIsTakenOnce() throws Exception {
    List<SnapshotEntry> entries = log.begin(1);
    assertFails(
        () -> log.commit(1, entries.get(0).checksum()),
        ObjectExistsException.class,
        "snapshots/00000000000000000001.commit: exists already");
  }

  @Test
  void namesTheSnapshotThatIsMissing() throws Exception {
    log.begin(3);
    store.delete("snapshots/00000000000000000002.commit");
    assertFails(
        this::chain, SnapshotException.class, "snapshot 2 is missing, and there is snapshot 3");
  }

  /** Otherwise a node that begins before it would assume a log that is too short. */
  @Test
  void theLogDoesNotEndBeforeAFullSnapshot() throws Exception {
    List<SnapshotEntry> entries = log.begin(2);
    log.full(entries.get(2));
    store.delete("snapshots/00000000000000000002.commit");
    assertFails(
        () -> catalog.after(entries.get(1)),
        SnapshotException.class,
        "snapshot 2 is missing, and there is snapshot 2");
    assertThat(chain().log()).isEmpty();
  }

  /** This can happen in the list of a folder, if entries are created meanwhile. */
  @Test
  void aListMayLackAnEntryAndHaveTheNext() throws Exception {
    log.begin(3);
    FaultyStore faulty = new FaultyStore(store);
    faulty.omitFromLists("snapshots/00000000000000000002.commit");
    SnapshotChain chain = Objects.requireNonNull(new SnapshotCatalog(faulty).chain());
    assertThat(chain.log()).hasSize(3);
  }

  @Test
  void namesASnapshotThatWasMadeOnAnother() throws Exception {
    List<SnapshotEntry> entries = log.begin(1);
    log.commit(2, entries.get(1).checksum() + 1);
    assertFails(
        this::chain, SnapshotException.class, "snapshot 2 was made on a snapshot 1 with checksum");
  }

  /** The writer is a former primary that came back, or one whose session ZooKeeper had lost. */
  @Test
  void namesWhoWroteBehindAHigherEpoch() throws Exception {
    SnapshotEntry higher = log.takeover(log.begin(1).get(1), 7);
    SnapshotEntry lower = log.commit(3, higher.checksum(), 2);
    SnapshotEntry next = log.commit(lower);

    assertFails(
        this::chain,
        SnapshotException.class,
        "snapshot 3 has epoch 2, and the one before it the higher epoch 7");
    assertThatThrownBy(() -> catalog.after(higher)).isInstanceOf(SnapshotException.class);
    Map<String, String> wrong = new TreeMap<>();
    assertThat(
            new SnapshotVerifier(catalog)
                .verify(
                    found -> {
                      if (!found.isOk()) {
                        wrong.put(found.key(), String.valueOf(found.error()));
                      }
                    }))
        .isEqualTo(2);
    assertThat(wrong)
        .containsEntry(lower.key(), "it has epoch 2, and the one before it the higher epoch 7")
        .containsKey(next.key());
    SnapshotRepair.Plan plan = new SnapshotRepair(store, null).plan();
    assertThat(plan.reached()).isEqualTo(2);
    assertThat(plan.losses()).hasSize(2);
  }

  /** The epoch is that of its last entry: no lower one may follow after the entry is deleted. */
  @Test
  void aFullSnapshotHasAnEpoch() throws Exception {
    SnapshotEntry higher = log.takeover(log.begin(1).get(1), 7);
    log.full(higher);
    log.commit(3, higher.checksum(), 2);
    store.delete(higher.key());

    assertFails(this::chain, SnapshotException.class, "higher epoch 7");
  }

  @Test
  void namesAManifestThatIsCorrupt() throws Exception {
    log.begin(2);
    Path manifest = folder.resolve("snapshots/00000000000000000002.commit");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("epoch 1", "epoch 9"));
    assertFails(
        this::chain,
        ObjectCorruptException.class,
        "00000000000000000002.commit: corrupt: its checksum is");
    Files.writeString(
        manifest, Files.readString(folder.resolve("snapshots/00000000000000000001.commit")));
    assertFails(this::chain, ObjectCorruptException.class, "it is the manifest of commit 1");
  }

  @Test
  void aFullSnapshotTakesThePlaceOfTheLog() throws Exception {
    List<SnapshotEntry> entries = log.begin(3);
    Map<UUID, Long> history = Map.of(new UUID(1, 50), 1L, new UUID(2, 50), 2L);
    log.full(2, entries.get(2).checksum(), history);

    SnapshotChain chain = chain();
    assertThat(chain.full().manifest().timestamp()).isEqualTo(2);
    assertThat(chain.log()).hasSize(1);
    assertThat(catalog.history(chain.full()).committed()).isEqualTo(history);
    try (SnapshotLoader loader = new SnapshotLoader(store, 2, 1 << 30, ReceiverLimits.DATA_ONLY)) {
      SnapshotContents rows = chain.full().manifest().full().rows();
      assertThat(CargoDigest.of(loader.load(rows)))
          .isEqualTo(CargoDigest.of(RandomCargo.of(2, 100)));
    }
  }

  @Test
  void verifierNamesWhatIsWrong() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    StoreFiller.assertIntact(catalog);

    SnapshotContents second = entries.get(2).manifest().cargoes().get(0);
    StoreFiller.flip(folder.resolve(second.data().key()));
    store.delete("snapshots/00000000000000000003.commit");
    store.put("snapshots/notes.txt", ByteBuffer.wrap("x".getBytes(StandardCharsets.UTF_8)));

    List<String> errors = new ArrayList<>();
    assertThat(
            new SnapshotVerifier(catalog)
                .verify(f -> errors.add("%s: %s".formatted(f.key(), f.error()))))
        .isEqualTo(3);
    assertThat(errors)
        .hasSize(5)
        .anyMatch(error -> error.contains("2.commit") && error.contains("corrupt: bytes 0 to"))
        .anyMatch(error -> error.contains("4.commit") && error.contains("snapshot 3 is missing"))
        .anyMatch(error -> error.contains("notes.txt") && error.contains("not that of a manifest"));
  }

  @Test
  void verifierDoesNotMindWhatIsDeletedMeanwhile() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    FaultyStore faulty = new FaultyStore(store);
    faulty.beforeReads(
        () -> {
          for (SnapshotEntry entry : entries.subList(1, 3)) {
            store.delete(entry.key());
            store.delete(entry.manifest().references().get(0).key());
          }
        });
    SnapshotVerifier verifier = new SnapshotVerifier(new SnapshotCatalog(faulty));
    List<String> found = new ArrayList<>();

    assertThat(verifier.verify(f -> found.add("%s: %s".formatted(f.key(), f.error())))).isZero();

    assertThat(found)
        .hasSize(3)
        .noneMatch(finding -> finding.contains("1.commit") || finding.contains("2.commit"));
  }

  @Test
  void refusesALogThatGoesOnWithAnotherDatabase() throws Exception {
    List<SnapshotEntry> entries = log.begin(1);
    LogPosition foreign = new LogPosition(new UUID(9, 9), 1, entries.get(1).checksum());
    SnapshotEntry unused =
        catalog.append(
            SnapshotManifest.entry(
                new SnapshotKind.Takeover(new UUID(3, 3)),
                foreign,
                2,
                Instant.parse("2026-11-21T10:15:30Z")));

    assertFails(
        this::chain,
        ForeignDatabaseException.class,
        "snapshot 2 is of database " + new UUID(9, 9),
        entries.get(1).position().database() + "");
  }

  @Test
  void aChecksumIsToldByTheEntryTheFullSnapshotOrTheNextEntry() throws Exception {
    List<SnapshotEntry> entries = log.begin(3);
    assertThat(catalog.checksum(2)).hasValue(entries.get(2).checksum());
    store.delete(entries.get(2).key());
    assertThat(catalog.checksum(2)).hasValue(entries.get(2).checksum());
    store.delete(entries.get(3).key());
    assertThat(catalog.checksum(2)).isEmpty();
    log.full(entries.get(2));
    assertThat(catalog.checksum(2)).hasValue(entries.get(2).checksum());
  }
}
