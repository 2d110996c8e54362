package io.drayage.snapshot;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotKeys.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of one database in its object store: a log with one entry for each timestamp, and
 * full snapshots beside it. Holds no state of its own, so that it always shows what is there.
 * Thread-safe; every method may block.
 */
public final class SnapshotCatalog {
  /** The longest manifest: that of a snapshot of 8 TB. */
  static final int MAX_MANIFEST_BYTES = 16 << 20;

  private final ObjectStore store;

  public SnapshotCatalog(ObjectStore store) {
    this.store = store;
  }

  /** Where the snapshots lie. */
  public ObjectStore store() {
    return store;
  }

  /**
   * Stores a manifest. If it is a log entry, its commit is durable from now on.
   *
   * @throws ObjectExistsException if somebody else made the entry of that timestamp: the caller is
   *     not the primary any more
   */
  public SnapshotEntry append(SnapshotManifest manifest) throws IOException {
    ByteBuffer text = ManifestText.encode(manifest);
    store.put(manifest.key(), text);
    return new SnapshotEntry(manifest, ObjectDigest.checksum(text));
  }

  /** The timestamps of the log, in their order. */
  public List<Long> logTimestamps() throws IOException {
    return places(true);
  }

  /** The timestamps of the full snapshots, in their order. */
  public List<Long> fullTimestamps() throws IOException {
    return places(false);
  }

  private List<Long> places(boolean logEntries) throws IOException {
    List<Long> timestamps = new ArrayList<>();
    for (StoredObject object : store.list(SnapshotKeys.MANIFESTS)) {
      Place place = SnapshotKeys.place(object.key());
      if (place != null && place.logEntry() == logEntries) {
        timestamps.add(place.timestamp());
      }
    }
    return timestamps;
  }

  /**
   * An entry of the log.
   *
   * @throws ObjectMissingException if there is none
   * @throws ObjectCorruptException if it cannot be read, or does not belong there
   */
  public SnapshotEntry entry(long timestamp) throws IOException {
    return read(true, timestamp);
  }

  /** A full snapshot; fails as {@link #entry}. */
  public SnapshotEntry full(long timestamp) throws IOException {
    return read(false, timestamp);
  }

  private SnapshotEntry read(boolean logEntry, long timestamp) throws IOException {
    String key = SnapshotKeys.manifest(logEntry, timestamp);
    long bytes = store.size(key);
    if (bytes > MAX_MANIFEST_BYTES) {
      throw corrupt(
          key, "%,d bytes exceed the %,d of a manifest".formatted(bytes, MAX_MANIFEST_BYTES), null);
    }
    ByteBuffer text = ByteBuffer.allocate((int) bytes);
    store.read(key, 0, text);
    SnapshotManifest manifest;
    try {
      manifest = ManifestText.parse(StandardCharsets.UTF_8.decode(text.flip()).toString());
    } catch (IllegalArgumentException e) {
      throw corrupt(key, e.getMessage(), e);
    }
    if (manifest.kind().isLogEntry() != logEntry || manifest.timestamp() != timestamp) {
      throw corrupt(
          key,
          "it is the manifest of %s %d".formatted(manifest.kind().text(), manifest.timestamp()),
          null);
    }
    return new SnapshotEntry(manifest, ObjectDigest.checksum(text.rewind()));
  }

  private ObjectCorruptException corrupt(String key, @Nullable String why, @Nullable Exception e) {
    return new ObjectCorruptException(store.name(), key, String.valueOf(why), e);
  }

  /**
   * What has to be read to have the newest snapshot; null if there is no snapshot at all.
   *
   * @throws SnapshotException if an entry is missing, or does not follow the one before
   */
  public @Nullable SnapshotChain chain() throws IOException {
    List<Long> fulls = fullTimestamps();
    if (fulls.isEmpty()) {
      List<Long> log = logTimestamps();
      if (!log.isEmpty()) {
        throw new SnapshotException(
            "%s: there is no full snapshot to begin with, but a log from %d to %d"
                .formatted(store.name(), log.get(0), log.get(log.size() - 1)),
            null);
      }
      return null;
    }
    return chainFrom(fulls.get(fulls.size() - 1));
  }

  /**
   * The same, but with as much of the log as there is: from the full snapshot before the newest on,
   * if there is one. So whoever reads it also knows what was changed lately.
   *
   * @throws SnapshotException as {@link #chain}
   */
  public @Nullable SnapshotChain longChain() throws IOException {
    List<Long> fulls = fullTimestamps();
    return fulls.size() < 2 ? chain() : chainFrom(fulls.get(fulls.size() - 2));
  }

  private SnapshotChain chainFrom(long timestamp) throws IOException {
    SnapshotEntry full = full(timestamp);
    return new SnapshotChain(full, after(timestamp, full.manifest().parentChecksum()));
  }

  /**
   * The entries of the log after a snapshot that the caller has, in order, up to the newest.
   *
   * @param checksum that of entry {@code timestamp}
   * @throws SnapshotException if an entry is missing, or does not follow the one before
   */
  public List<SnapshotEntry> after(long timestamp, int checksum) throws IOException {
    List<SnapshotEntry> entries = new ArrayList<>();
    long last = timestamp;
    int parent = checksum;
    for (long next : logTimestamps()) {
      if (next > timestamp) {
        requireNext(next, last);
        SnapshotEntry entry = entry(next);
        requireParent(entry, parent);
        entries.add(entry);
        last = next;
        parent = entry.checksum();
      }
    }
    return entries;
  }

  private void requireNext(long timestamp, long last) throws SnapshotException {
    if (timestamp != last + 1) {
      throw new SnapshotException(
          "%s: snapshot %d is missing: %d follows %d"
              .formatted(store.name(), last + 1, timestamp, last),
          null);
    }
  }

  private void requireParent(SnapshotEntry entry, int checksum) throws SnapshotException {
    if (entry.manifest().parentChecksum() != checksum) {
      throw new SnapshotException(
          "%s: snapshot %d was made on a snapshot %d with checksum %08x, the one here has %08x"
              .formatted(
                  store.name(),
                  entry.manifest().timestamp(),
                  entry.manifest().parent(),
                  entry.manifest().parentChecksum(),
                  checksum),
          null);
    }
  }

  /** The transactions that a full snapshot contains, and the timestamps that they were given. */
  public Map<UUID, Long> history(SnapshotEntry full) throws IOException {
    StoredBytes history = full.manifest().history();
    return history == null ? Map.of() : CommitHistory.read(store, history);
  }

  /**
   * Deletes the log up to {@code timestamp} with what it refers to, and the full snapshots before:
   * the full snapshot of {@code timestamp}, which has to exist, takes their place.
   *
   * @return how many snapshots are gone
   */
  public int prune(long timestamp) throws IOException {
    full(timestamp);
    int deleted = 0;
    for (long old : fullTimestamps()) {
      deleted += old < timestamp ? delete(full(old)) : 0;
    }
    for (long old : logTimestamps()) {
      deleted += old <= timestamp ? delete(entry(old)) : 0;
    }
    return deleted;
  }

  /** The manifest first: what is left of a crash in between is garbage, not a broken snapshot. */
  private int delete(SnapshotEntry entry) throws IOException {
    store.delete(entry.manifest().key());
    for (StoredBytes bytes : references(entry.manifest())) {
      store.delete(bytes.key());
    }
    return 1;
  }

  /** The objects that a manifest refers to. */
  static List<StoredBytes> references(SnapshotManifest manifest) {
    List<StoredBytes> references = new ArrayList<>();
    if (manifest.contents() != null) {
      references.add(manifest.contents().data());
    }
    if (manifest.history() != null) {
      references.add(manifest.history());
    }
    return references;
  }

  /**
   * Deletes what commits that were never completed left: data that no manifest refers to.
   *
   * @param olderThan for so long nothing is touched, since its manifest may be on the way
   * @return how many objects are gone
   */
  public int deleteUnreferenced(Duration olderThan) throws IOException {
    Instant before = Instant.now().minus(olderThan);
    // First what is there, then what is referred to: a manifest that comes meanwhile is seen.
    List<StoredObject> data = store.list(SnapshotKeys.DATA);
    Set<String> referred = new HashSet<>();
    for (long timestamp : logTimestamps()) {
      references(entry(timestamp).manifest()).forEach(bytes -> referred.add(bytes.key()));
    }
    for (long timestamp : fullTimestamps()) {
      references(full(timestamp).manifest()).forEach(bytes -> referred.add(bytes.key()));
    }
    int deleted = 0;
    for (StoredObject object : data) {
      if (!referred.contains(object.key()) && object.modified().isBefore(before)) {
        store.delete(object.key());
        deleted++;
      }
    }
    return deleted;
  }
}
