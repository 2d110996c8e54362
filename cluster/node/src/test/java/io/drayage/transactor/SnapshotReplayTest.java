package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.KnownTransactions;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.replica.SnapshotReplay;
import io.drayage.snapshot.EditedManifest;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.store.FullContents;
import io.drayage.store.StoreSnapshot;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The replay of a log. */
@Tag("ci")
@Timeout(120)
class SnapshotReplayTest {
  /** The takeover is entry 1. */
  private static final long NEWEST = 5;

  @TempDir private Path folder;
  @AutoClose private ObjectStore store;
  private SnapshotCatalog catalog;
  private final List<String> errors = new ArrayList<>();

  @BeforeEach
  void makeDatabase() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      for (int number = 1; number < NEWEST; number++) {
        worker.commit(Workload.nextLarge(worker.snapshot(), 1, number));
      }
    }
    store = ObjectStores.open("fs:" + folder);
    catalog = new SnapshotCatalog(store);
  }

  private SnapshotReplay.Result replay() throws IOException {
    return replay(OptionalLong.empty());
  }

  private SnapshotReplay.Result replay(OptionalLong from) throws IOException {
    errors.clear();
    return new SnapshotReplay(store, 1, AllowedCodecs.DATA_ONLY)
        .run(
            from,
            finding -> {
              if (!finding.isOk()) {
                errors.add("%s: %s".formatted(finding.key(), finding.error()));
              }
            });
  }

  private StoreSnapshot read(long timestamp) throws IOException {
    return Replica.read(store, 1, 1 << 28, AllowedCodecs.DATA_ONLY, OptionalLong.of(timestamp));
  }

  private void writeFull(StoreSnapshot snapshot, Map<UUID, Long> transactions) throws IOException {
    SnapshotEntry entry = catalog.entry(snapshot.timestamp());
    SnapshotEntry unused =
        new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("zstd"))
            .write(
                FullContents.toCargo(snapshot),
                entry.position(),
                null,
                1,
                KnownTransactions.committed(transactions));
  }

  private Map<UUID, Long> transactions(long upTo) throws IOException {
    Map<UUID, Long> transactions = new HashMap<>();
    for (long timestamp = 2; timestamp <= upTo; timestamp++) {
      transactions.put(catalog.entry(timestamp).manifest().transactionId(), timestamp);
    }
    return transactions;
  }

  @Test
  void findsNothingWrongWithASoundLog() throws Exception {
    writeFull(read(3), transactions(3));

    assertThat(replay()).isEqualTo(new SnapshotReplay.Result(0, NEWEST, 1, 0));
    assertThat(replay(OptionalLong.of(3))).isEqualTo(new SnapshotReplay.Result(3, NEWEST, 0, 0));
    assertThat(errors).isEmpty();
    assertThatExceptionOfType(ObjectMissingException.class)
        .isThrownBy(() -> replay(OptionalLong.of(2)));
  }

  /** The checksums and all entries of the log are right. */
  @Test
  void findsAFullSnapshotThatIsNotWhatTheLogMakes() throws Exception {
    StoreSnapshot sound = read(4);
    StoreSnapshot other = read(3);
    ((int[]) other.table("left").column("number").extent(0).page(0))[5] = 6;
    writeFull(other, transactions(3));
    writeFull(sound, transactions(3));
    assertThat(new SnapshotVerifier(catalog).verify(finding -> {})).isZero();

    assertThat(replay()).isEqualTo(new SnapshotReplay.Result(0, NEWEST, 2, 2));
    assertThat(errors)
        .satisfiesExactly(
            error ->
                assertThat(error)
                    .contains("3.full: its rows have digest")
                    .contains("but full snapshot 0 and the log since then give"),
            error ->
                assertThat(error).endsWith("4.full: its transactions are not those of the log"));
  }

  @Test
  void goesOnAfterAnEntryThatDiffers() throws Exception {
    EditedManifest.setApplied(folder, NEWEST, 1);
    writeFull(read(NEWEST - 1), Map.of());

    assertThat(replay(OptionalLong.of(NEWEST - 1)))
        .isEqualTo(new SnapshotReplay.Result(NEWEST - 1, NEWEST, 0, 1));
    assertThat(errors)
        .singleElement()
        .asString()
        .contains("5.commit: snapshot 5 is applied differently here")
        .endsWith("expected 0000000000000001");
  }

  @Test
  void endsBeforeAnEntryThatCannotBeLoaded() throws Exception {
    StoreFiller.flip(folder.resolve(catalog.entry(3).manifest().cargoes().get(0).data().key()));

    assertThat(replay()).isEqualTo(new SnapshotReplay.Result(0, 2, 0, 1));
    assertThat(errors).singleElement().asString().contains("3.commit", "corrupt: bytes 0 to");
  }
}
