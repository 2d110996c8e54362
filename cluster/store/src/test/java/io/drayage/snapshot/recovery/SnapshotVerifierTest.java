package io.drayage.snapshot.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.CodecPair;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreFiller;
import io.drayage.snapshot.StoredLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests errors that checksums do not show. */
final class SnapshotVerifierTest {
  private static final CodecPair RAW = CodecPair.of("raw", "none");
  private static final AllowedCodecs COLUMNAR =
      new AllowedCodecs(
          AllowedCodecs.INSTALLED.pipelines(),
          Set.of("columnar"),
          AllowedCodecs.INSTALLED.compressors());

  @TempDir private Path folder;
  @AutoClose private ObjectStore store;
  private SnapshotCatalog catalog;
  private StoredLog log;

  @BeforeEach
  void open() throws IOException {
    store = FolderStore.open(folder);
    catalog = new SnapshotCatalog(store);
    log = new StoredLog(store);
  }

  private static ChangeCargo cargo(int value) {
    return ChangeCargo.builder(new UUID(5, 5), 1)
        .table("t", table -> table.insert("a", ColumnValues.of(new int[][] {{1, value, 3}})))
        .build();
  }

  private SnapshotContents stored(ChangeCargo cargo) throws IOException {
    return StoreFiller.store(store, cargo, RAW.serializer(), RAW.compressor());
  }

  private void append(SnapshotEntry last, long applied, SnapshotContents contents)
      throws IOException {
    SnapshotEntry unused =
        catalog.append(
            SnapshotManifest.entry(
                SnapshotKind.Commit.of(applied, contents), last.position(), 1, Instant.now()));
  }

  private List<String> errors() throws IOException {
    List<String> errors = new ArrayList<>();
    int wrong =
        new SnapshotVerifier(catalog)
            .verify(
                finding -> {
                  if (!finding.isOk()) {
                    errors.add("%s: %s".formatted(finding.key(), finding.error()));
                  }
                });
    assertThat(errors).hasSize(wrong);
    return errors;
  }

  @Test
  void findsAnotherCargoInPlaceOfTheOneThatWasApplied() throws Exception {
    SnapshotEntry last = log.begin(1).get(1);
    ChangeCargo applied = cargo(2);
    SnapshotContents other = stored(cargo(4));
    append(last, AppliedDigest.of(applied), other);

    assertThat(errors())
        .containsExactly(
            "snapshots/00000000000000000002.commit: %s is a cargo with digest %s, but %s was applied"
                .formatted(
                    other.data().key(),
                    CargoDigest.toHex(AppliedDigest.of(cargo(4))),
                    CargoDigest.toHex(AppliedDigest.of(applied))));
  }

  /** Every block is right, but the cargo is not the cargo that its worker has sealed. */
  @Test
  void findsDataThatIsNotWhatWasSealed() throws Exception {
    SnapshotEntry last = log.begin(1).get(1);
    SnapshotContents contents = stored(cargo(2));
    SnapshotContents other = stored(cargo(4));
    append(
        last,
        AppliedDigest.of(cargo(2)),
        new SnapshotContents(other.data(), contents.header(), contents.seal()));

    assertThat(errors()).singleElement().asString().contains("2.commit", other.data().key());
  }

  @Test
  void aSerializerThatIsNotAllowedIsWrong() throws Exception {
    SnapshotEntry last = log.begin(1).get(1);
    SnapshotContents contents = stored(cargo(2));
    append(last, AppliedDigest.of(cargo(2)), contents);
    assertThat(errors()).isEmpty();
    // The full snapshot is not counted, because a transactor wrote it.
    assertThat(new SnapshotVerifier(catalog, 1, COLUMNAR).verify(finding -> {})).isEqualTo(2);
  }

  /** This can happen if a folder changes while it is listed. */
  @Test
  void verifiesEntriesThatTheListLacksThoughItHasTheNext() throws Exception {
    List<SnapshotEntry> entries = log.begin(4);
    List<String> lacked = List.of(entries.get(2).key(), entries.get(3).key());
    FaultyStore late = new FaultyStore(store);
    late.omitFromLists(lacked.get(0), lacked.get(1));
    SnapshotCatalog listedLate = new SnapshotCatalog(late);
    List<String> verified = new ArrayList<>();
    int wrong =
        new SnapshotVerifier(listedLate)
            .verify(finding -> verified.add(finding.key() + finding.error()));
    assertThat(wrong).as("of %s", verified).isZero();
    assertThat(verified).hasSize(5).contains(lacked.get(0) + null, lacked.get(1) + null);

    store.delete(lacked.get(0));
    verified.clear();
    assertThat(
            new SnapshotVerifier(listedLate).verify(finding -> verified.add(finding.error() + "")))
        .isOne();
    assertThat(verified).hasSize(4).contains("snapshot 2 is missing before it");
  }

  @Test
  void doesNotSayThatWhatTheStoreDoesNotAnswerIsDamaged() throws Exception {
    SnapshotEntry last = log.begin(1).get(1);
    SnapshotContents contents = stored(cargo(2));
    append(last, AppliedDigest.of(cargo(2)), contents);
    FaultyStore deaf = new FaultyStore(store);
    deaf.leaveUnread(contents.data().key());
    List<String> errors = new ArrayList<>();
    int unused =
        new SnapshotVerifier(new SnapshotCatalog(deaf))
            .verify(finding -> errors.add(String.valueOf(finding.error())));
    assertThat(errors)
        .anySatisfy(
            error ->
                assertThat(error)
                    .startsWith("it cannot be read now, and may be intact: ")
                    .endsWith(contents.data().key() + ": service unavailable"));
  }
}
