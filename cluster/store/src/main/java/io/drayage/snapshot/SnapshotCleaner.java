package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ConcurrentCalls;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.Sightings;
import io.drayage.objectstore.StoredObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Deletes data that no node needs: snapshots that newer ones replace, and data of commits that
 * failed. Measures ages by its own observations. Thread-safe; every method may block.
 */
public final class SnapshotCleaner {
  private static final System.Logger LOG = System.getLogger(SnapshotCleaner.class.getName());

  private final SnapshotCatalog catalog;
  private final ObjectStore store;

  /** The full snapshot that was verified last; -1 for none. */
  private volatile long verified = -1;

  private final Sightings<Long> fulls;
  private final Sightings<String> data;
  private final Sightings<String> marks;

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  public SnapshotCleaner(SnapshotCatalog catalog, LongSupplier nanoTime) {
    this.catalog = catalog;
    this.store = catalog.store();
    this.fulls = new Sightings<>(nanoTime);
    this.data = new Sightings<>(nanoTime);
    this.marks = new Sightings<>(nanoTime);
  }

  /**
   * Deletes full snapshots that two newer ones replace and that no node is loading. Also deletes
   * the log up to the oldest full snapshot that is kept, with its data. The entries of takeovers
   * are kept for ever: a primary that was paused for long would append its next entry exactly
   * there. The published snapshot is kept, and all entries since: nodes identify this log by it.
   *
   * @param grace for which the newer ones must have existed
   * @param published the newest published snapshot
   * @param bases the snapshots that open transactions are made on: they stay loadable
   * @return the number of deleted snapshots
   */
  public int prune(Duration grace, long published, Collection<Long> bases) throws IOException {
    List<Long> all = catalog.fullTimestamps();
    Set<Long> settled = fulls.seenFor(grace, all);
    Set<Long> loading = loading();
    List<Long> replaced = new ArrayList<>();
    List<Long> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean isReplaced =
          i + 2 < all.size()
              && settled.contains(all.get(i + 2))
              && all.get(i + 1) <= published
              && !loading.contains(all.get(i))
              && !isOfBase(all.get(i), all.get(i + 1), bases);
      (isReplaced ? replaced : kept).add(all.get(i));
    }
    if (kept.isEmpty()) {
      return 0;
    }
    long floor = kept.get(0);
    int deleted = 0;
    for (long old : replaced) {
      requireReadable(floor);
      deleted += deleteFull(old);
    }
    for (long old : catalog.logObjects().headSet(Math.min(floor, published), true)) {
      deleted += deleteEntries(old, floor, published);
    }
    return deleted;
  }

  private static boolean isOfBase(long full, long next, Collection<Long> bases) {
    return bases.stream().anyMatch(base -> base >= full && base < next);
  }

  /** The full snapshots that nodes are loading. */
  private Set<Long> loading() throws IOException {
    Map<String, Long> present = new HashMap<>();
    for (StoredObject object : store.list(SnapshotKeys.LOADING)) {
      Long timestamp = SnapshotKeys.loadingTimestamp(object.key());
      if (timestamp != null) {
        present.put(object.key(), timestamp);
      }
    }
    for (String expired : marks.seenFor(LoadingMark.EXPIRY, present.keySet())) {
      present.remove(expired);
      store.delete(expired);
    }
    return new HashSet<>(present.values());
  }

  /**
   * Verifies a full snapshot, once, before the first deletion: nothing may be deleted in favour of
   * a snapshot that cannot be loaded.
   */
  private void requireReadable(long full) throws IOException {
    if (full == verified) {
      return;
    }
    for (StoredBytes bytes : catalog.full(full).manifest().references()) {
      bytes.verify(store);
    }
    verified = full;
  }

  private int deleteFull(long timestamp) throws IOException {
    try {
      int unused = catalog.delete(List.of(catalog.full(timestamp)));
    } catch (ObjectMissingException e) {
      return 0; // Deleted since it was listed.
    } catch (ObjectCorruptException e) {
      // Its data is found as unreferenced.
      LOG.log(Level.WARNING, "deleted, though it names no data: {0}", e.getMessage());
      store.delete(SnapshotKeys.Place.full(timestamp).key());
    }
    return 1;
  }

  /** Deletes the entries of an object, unless one of them is needed. */
  private int deleteEntries(long first, long floor, long published) throws IOException {
    List<SnapshotEntry> entries;
    try {
      entries = catalog.read(SnapshotKeys.Place.entry(first));
    } catch (ObjectMissingException e) {
      return 0; // Deleted since it was listed.
    } catch (ObjectCorruptException e) {
      // It may be a takeover. Its data, if any, is found as unreferenced.
      LOG.log(Level.WARNING, "not needed, but kept: {0}", e.getMessage());
      return 0;
    }
    if (entries.get(0).last() > Math.min(floor, published)
        || entries.stream().anyMatch(entry -> entry.manifest().isTakeover())) {
      return 0;
    }
    requireReadable(floor);
    int unused = catalog.delete(entries);
    return entries.size();
  }

  /**
   * Deletes the data of commits that were never completed: no manifest refers to it. Deletes
   * nothing while a manifest is missing, because the data of that manifest has no reference either.
   *
   * @param age of data since it was first seen; the manifest of younger data may follow
   * @param fragments the keys of data that belongs to no entry yet. The keys are read before the
   *     log, because their data may get an entry meanwhile
   * @param newest the timestamp up to which the log is known to have reached. The timestamp is read
   *     after the fragments, so that it includes the entry of a fragment whose record was deleted
   *     meanwhile
   * @return the number of deleted objects
   * @throws ObjectCorruptException if a manifest cannot be read: its references are unknown
   * @throws SnapshotException if the log has a gap, or ends before {@code newest}
   */
  public int deleteUnreferenced(Duration age, LongSupplier newest, References fragments)
      throws IOException {
    // The data is listed before the manifests, so that a manifest created meanwhile is seen.
    List<String> present =
        store.list(SnapshotKeys.DATA).stream()
            .map(StoredObject::key)
            .filter(SnapshotKeys::isData)
            .toList();
    Set<String> leftover = data.seenFor(age, present);
    if (leftover.isEmpty()) {
      return 0;
    }
    leftover.removeAll(fragments.keys());
    leftover.removeAll(references(newest.getAsLong()));
    ConcurrentCalls.forEach(leftover, store::delete);
    return leftover.size();
  }

  /** Deletes unreferenced data while no record of a fragment is deleted. */
  public int deleteUnreferenced(Duration age, long newest, References fragments)
      throws IOException {
    return deleteUnreferenced(age, () -> newest, fragments);
  }

  /** The keys of needed data. */
  public interface References {
    /** Reads the keys. */
    Set<String> keys() throws IOException;
  }

  private Set<String> references(long newest) throws IOException {
    List<Long> all = catalog.fullTimestamps();
    if (all.isEmpty()) {
      throw new SnapshotException(store.name() + " has no full snapshot any more");
    }
    // No node needs the log up to the oldest full snapshot.
    SnapshotChain chain = catalog.chainFrom(all.get(0));
    if (chain.timestamp() < newest) {
      throw new SnapshotException(
          format(
              "%s: snapshot %d is missing: the log ends at %d, and had %d",
              store.name(), chain.timestamp() + 1, chain.timestamp(), newest));
    }
    Set<String> references = new HashSet<>();
    chain.log().forEach(entry -> add(entry.manifest(), references));
    for (long timestamp : all) {
      add(catalog.full(timestamp).manifest(), references);
    }
    return references;
  }

  private static void add(SnapshotManifest manifest, Set<String> references) {
    manifest.references().forEach(bytes -> references.add(bytes.key()));
  }

  /**
   * Deletes abandoned uploads of data.
   *
   * @param age see {@link ObjectStore#deleteUnfinished}
   * @return the number of deleted uploads
   */
  public int deleteUnfinished(Duration age) throws IOException {
    return store.deleteUnfinished(SnapshotKeys::isData, age);
  }
}
