package io.drayage.snapshot;

import io.drayage.objectstore.ObjectMissingException;
import io.drayage.snapshot.SnapshotKeys.Place;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies every snapshot in a store: reads all data and compares digests, and checks each log
 * entry against the one before, and that all are of one database. Not thread-safe.
 */
public final class SnapshotVerifier {
  private final SnapshotCatalog catalog;

  /** The first that was seen. */
  private @Nullable UUID database;

  /** Of the manifests before; they come by timestamp, a log entry before its full snapshot. */
  private long highestEpoch;

  /**
   * The result of verifying one snapshot.
   *
   * @param key key of its manifest
   * @param entry its manifest; null if it cannot be read
   * @param error the problem; null if there is none
   */
  public record CheckedManifest(String key, @Nullable SnapshotEntry entry, @Nullable String error) {
    /** Whether the snapshot is intact. */
    public boolean isOk() {
      return error == null;
    }
  }

  public SnapshotVerifier(SnapshotCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Verifies all snapshots, continuing after a wrong one. What a cluster deletes meanwhile is not
   * reported.
   *
   * @param findings receives one for each manifest, by timestamp
   * @return the number of wrong snapshots
   * @throws SnapshotException if the store has no snapshots
   * @throws IOException if the store cannot be listed
   */
  public int verify(Consumer<CheckedManifest> findings) throws IOException {
    catalog.requireSnapshots();
    highestEpoch = 0;
    Map<Long, Integer> checksums = new HashMap<>();
    List<Long> fulls = catalog.fullTimestamps();
    // Up to there the log has gaps: only takeovers are left of it.
    @Nullable Long last = fulls.isEmpty() ? null : fulls.get(0);
    int wrong = 0;
    if (fulls.isEmpty()) {
      wrong++;
      findings.accept(
          new CheckedManifest(
              SnapshotKeys.MANIFESTS, null, "there is no full snapshot from which the log leads"));
    }
    for (var object : catalog.store().list(SnapshotKeys.MANIFESTS)) {
      Place place = SnapshotKeys.place(object.key());
      CheckedManifest finding;
      if (place == null) {
        finding = new CheckedManifest(object.key(), null, "its name is not that of a manifest");
      } else {
        finding = verify(object.key(), place, checksums, last);
        if (place.logEntry() && (last == null || place.timestamp() > last)) {
          last = place.timestamp();
        }
      }
      if (finding.isOk() || isThere(object.key())) {
        wrong += finding.isOk() ? 0 : 1;
        findings.accept(finding);
      }
    }
    return wrong;
  }

  /** Not if it was listed and has been deleted since, because nobody needs it any more. */
  private boolean isThere(String key) throws IOException {
    try {
      long unused = catalog.store().size(key);
      return true;
    } catch (ObjectMissingException e) {
      return false;
    }
  }

  /** Not up to the oldest full snapshot, which may have become a newer one meanwhile. */
  private boolean isNeeded(long timestamp) throws IOException {
    for (long full : catalog.fullTimestamps()) {
      if (isThere(SnapshotKeys.manifest(false, full))) {
        return timestamp > full;
      }
    }
    return true;
  }

  private CheckedManifest verify(
      String key, Place place, Map<Long, Integer> checksums, @Nullable Long last)
      throws IOException {
    SnapshotEntry entry;
    try {
      entry = place.logEntry() ? catalog.entry(place.timestamp()) : catalog.full(place.timestamp());
    } catch (IOException e) {
      return new CheckedManifest(key, null, e.getMessage());
    }
    SnapshotManifest manifest = entry.manifest();
    String error = null;
    database = database == null ? manifest.database() : database;
    if (!manifest.database().equals(database)) {
      return new CheckedManifest(
          key,
          entry,
          "it is of database %s, and those before it of %s"
              .formatted(manifest.database(), database));
    }
    Integer parent = checksums.get(manifest.parent());
    if (place.logEntry()) {
      checksums.put(manifest.timestamp(), entry.checksum());
      boolean isNext = last == null || manifest.timestamp() <= last || manifest.parent() == last;
      if (!isNext && isNeeded(manifest.parent())) {
        error = "snapshot %d is missing before it".formatted(manifest.parent());
      }
    }
    if (parent != null && parent != manifest.parentChecksum()) {
      error =
          "it refers to a snapshot %d with checksum %08x, but the checksum is %08x"
              .formatted(manifest.parent(), manifest.parentChecksum(), parent);
    }
    if (manifest.epoch() < highestEpoch) {
      error = "it " + SnapshotCatalog.falls(entry, highestEpoch);
    }
    highestEpoch = Math.max(highestEpoch, manifest.epoch());
    return new CheckedManifest(key, entry, error == null ? verifyBytes(manifest) : error);
  }

  private @Nullable String verifyBytes(SnapshotManifest manifest) {
    try {
      for (StoredBytes bytes : SnapshotCatalog.references(manifest)) {
        bytes.verify(catalog.store());
      }
      return null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
