package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writes full snapshots and a log into a store, without a transactor. */
public final class StoredLog {
  private static final CodecPair RAW = CodecPair.of("raw", "zstd");

  private final ObjectStore store;
  private final SnapshotCatalog catalog;
  private final UUID database;

  public StoredLog(ObjectStore store) {
    this(store, new UUID(1, 1));
  }

  /** A log of a database with that id. */
  StoredLog(ObjectStore store, UUID database) {
    this.store = store;
    this.catalog = new SnapshotCatalog(store);
    this.database = database;
  }

  private LogPosition at(long timestamp, int checksum) {
    return new LogPosition(database, timestamp, checksum);
  }

  SnapshotEntry full(long timestamp, int checksum, Map<UUID, Long> history) throws IOException {
    return full(timestamp, checksum, 1, history);
  }

  private SnapshotEntry full(long timestamp, int checksum, long epoch, Map<UUID, Long> history)
      throws IOException {
    return new FullSnapshotWriter(catalog, RAW.serializer(), RAW.compressor())
        .write(
            RandomCargo.of(timestamp, 100),
            at(timestamp, checksum),
            null,
            epoch,
            KnownTransactions.committed(history));
  }

  public SnapshotEntry full(SnapshotEntry last) throws IOException {
    SnapshotManifest manifest = last.manifest();
    return full(manifest.timestamp(), last.checksum(), manifest.epoch(), Map.of());
  }

  SnapshotEntry commit(long timestamp, int parent) throws IOException {
    return commit(timestamp, parent, 1);
  }

  SnapshotEntry commit(long timestamp, int parent, long epoch) throws IOException {
    ChangeCargo cargo = RandomCargo.of(timestamp, 50);
    SnapshotContents contents = StoreFiller.store(store, cargo, RAW.serializer(), RAW.compressor());
    LogPosition last = at(timestamp - 1, parent);
    return catalog.append(
        SnapshotManifest.entry(
            SnapshotKind.Commit.of(AppliedDigest.of(cargo), contents), last, epoch, Instant.now()));
  }

  public SnapshotEntry commit(SnapshotEntry last) throws IOException {
    return commit(last.manifest().timestamp() + 1, last.checksum(), last.manifest().epoch());
  }

  /** Appends commits in one object, every second one with its data in its entry. */
  public List<SnapshotEntry> together(SnapshotEntry last, int commits) throws IOException {
    LogObject object = new LogObject(last.position(), last.manifest().epoch());
    for (int i = 0; i < commits; i++) {
      ChangeCargo cargo = RandomCargo.of(object.next(), 50);
      SnapshotContents contents =
          i % 2 == 0
              ? StoreFiller.store(store, cargo, RAW.serializer(), RAW.compressor())
              : StoreFiller.inManifest(cargo, RAW.serializer(), RAW.compressor());
      assertThat(
              object.add(SnapshotKind.Commit.of(AppliedDigest.of(cargo), contents), Instant.now()))
          .isTrue();
    }
    return catalog.appendTogether(object);
  }

  SnapshotEntry takeover(SnapshotEntry last, long epoch) throws IOException {
    return catalog.append(
        SnapshotManifest.entry(
            new SnapshotKind.Takeover(new UUID(3, 3)), last.position(), epoch, Instant.now()));
  }

  /** Begins with full snapshot 0 and this number of commits. */
  public List<SnapshotEntry> begin(int commits) throws IOException {
    List<SnapshotEntry> entries = new ArrayList<>();
    entries.add(full(0, 0, Map.of()));
    int parent = 0;
    for (int timestamp = 1; timestamp <= commits; timestamp++) {
      SnapshotEntry entry = commit(timestamp, parent);
      parent = entry.checksum();
      entries.add(entry);
    }
    return entries;
  }
}
