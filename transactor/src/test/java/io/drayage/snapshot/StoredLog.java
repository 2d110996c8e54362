package io.drayage.snapshot;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writes full snapshots and a log into a store, without a transactor. */
final class StoredLog {
  private static final CodecPair RAW = CodecPair.of("raw", "zstd");

  private final ObjectStore store;
  private final SnapshotCatalog catalog;

  StoredLog(ObjectStore store) {
    this.store = store;
    this.catalog = new SnapshotCatalog(store);
  }

  SnapshotEntry full(long timestamp, int checksum, Map<UUID, Long> history) throws IOException {
    return new FullSnapshotWriter(catalog, RAW.serializer(), RAW.compressor())
        .write(RandomCargo.of(timestamp, 100), timestamp, checksum, 1, history);
  }

  SnapshotEntry full(SnapshotEntry last) throws IOException {
    return full(last.manifest().timestamp(), last.checksum(), Map.of());
  }

  SnapshotEntry commit(long timestamp, int parent) throws IOException {
    ChangeCargo cargo = RandomCargo.of(timestamp, 50);
    SnapshotContents contents = StoredCargo.store(store, cargo, RAW.serializer(), RAW.compressor());
    return catalog.append(
        SnapshotManifest.commit(
            timestamp, 1, parent, Instant.now(), AppliedDigest.of(cargo), contents));
  }

  SnapshotEntry commit(SnapshotEntry last) throws IOException {
    return commit(last.manifest().timestamp() + 1, last.checksum());
  }

  SnapshotEntry takeover(SnapshotEntry last, long epoch) throws IOException {
    return catalog.append(
        SnapshotManifest.takeover(
            last.manifest().timestamp() + 1, epoch, last.checksum(), Instant.now()));
  }

  /** A full snapshot 0 and so many commits. */
  List<SnapshotEntry> begin(int commits) throws IOException {
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
