package io.drayage.snapshot;

import io.drayage.objectstore.ObjectMissingException;
import io.drayage.snapshot.SnapshotKeys.Place;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies every snapshot in a store: reads all data and compares digests, and checks each log
 * entry against the one before.
 */
public final class SnapshotVerifier {
  private final SnapshotCatalog catalog;

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
   * @throws IOException if the store cannot be listed
   */
  public int verify(Consumer<CheckedManifest> findings) throws IOException {
    Map<Long, Integer> checksums = new HashMap<>();
    List<Long> fulls = catalog.fullTimestamps();
    // Up to there the log has gaps: only takeovers are left of it.
    @Nullable Long last = fulls.isEmpty() ? null : fulls.get(0);
    int wrong = 0;
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
    Integer parent = checksums.get(manifest.parent());
    if (place.logEntry()) {
      checksums.put(manifest.timestamp(), entry.checksum());
      boolean isNext = last == null || manifest.timestamp() <= last || manifest.parent() == last;
      if (!isNext && isNeeded(manifest.parent())) {
        error = String.format(Locale.ROOT, "snapshot %d is missing before it", manifest.parent());
      }
    }
    if (parent != null && parent != manifest.parentChecksum()) {
      error =
          String.format(
              Locale.ROOT,
              "it refers to a snapshot %d with checksum %08x, but the checksum is %08x",
              manifest.parent(),
              manifest.parentChecksum(),
              parent);
    }
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
