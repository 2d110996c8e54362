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
 * Deletes what no node needs: snapshots that newer ones replace, and what is left of commits that
 * failed. Ages are by what this process has seen. Thread-safe; every method may block.
 */
public final class SnapshotCleaner {
  private static final System.Logger LOG = System.getLogger(SnapshotCleaner.class.getName());

  private final SnapshotCatalog catalog;
  private final ObjectStore store;

  /** The full snapshot that was read back last; -1 for none. */
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
   * Deletes full snapshots that two newer ones replace and no node is loading, and the log up to
   * the oldest one that is kept, with its data. The entries of takeovers are kept for ever: a
   * primary that was paused for long would append its next entry exactly there. What is published
   * is kept, and all since then: by its entry, nodes tell this log from another one.
   *
   * @param grace how long the newer ones must have been there
   * @param published the newest snapshot that is published
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
    for (long old : catalog.logTimestamps()) {
      deleted += old <= Math.min(floor, published) ? deleteEntry(old, floor) : 0;
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
   * Nothing may be deleted in favour of a full snapshot that cannot be loaded: each is read back
   * once, before the first deletion.
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
      int unused = catalog.delete(catalog.full(timestamp).manifest());
    } catch (ObjectMissingException e) {
      return 0; // Listed, and deleted before.
    } catch (ObjectCorruptException e) {
      // Its data is found as unreferenced.
      LOG.log(Level.WARNING, "deleted, though it names no data: {0}", e.getMessage());
      store.delete(SnapshotKeys.Place.full(timestamp).key());
    }
    return 1;
  }

  private int deleteEntry(long timestamp, long floor) throws IOException {
    SnapshotManifest manifest;
    try {
      manifest = catalog.entry(timestamp).manifest();
    } catch (ObjectMissingException e) {
      return 0; // Listed, and deleted before.
    } catch (ObjectCorruptException e) {
      // It may be a takeover. Its data, if it has any, is found as unreferenced.
      LOG.log(Level.WARNING, "not needed, and kept in its place: {0}", e.getMessage());
      return 0;
    }
    if (manifest.isTakeover()) {
      return 0;
    }
    requireReadable(floor);
    int unused = catalog.delete(manifest);
    return 1;
  }

  /**
   * Deletes the data of commits that were never completed: no manifest refers to it. Deletes
   * nothing while a manifest is missing, because its data looks the same.
   *
   * @param age data that was first seen later is kept, since its manifest may follow
   * @param fragments tells the keys of what is no entry's yet: asked before the log is read, since
   *     it may become an entry's, and nobody's else
   * @param newest tells the timestamp up to which the log is known to have reached: asked after the
   *     fragments, so that it is not before the entry of one whose record was deleted meanwhile
   * @return the number of deleted objects
   * @throws ObjectCorruptException if a manifest that is needed cannot be read: what it refers to
   *     is unknown
   * @throws SnapshotException if the log has a gap, or ends before {@code newest}
   */
  public int deleteUnreferenced(Duration age, LongSupplier newest, References fragments)
      throws IOException {
    // Lists the data before the manifests, so that a manifest created meanwhile is seen.
    List<String> present = new ArrayList<>();
    for (StoredObject object : store.list(SnapshotKeys.DATA)) {
      if (SnapshotKeys.isData(object.key())) {
        present.add(object.key());
      }
    }
    Set<String> leftover = data.seenFor(age, present);
    if (leftover.isEmpty()) {
      return 0;
    }
    leftover.removeAll(fragments.keys());
    leftover.removeAll(references(newest.getAsLong()));
    ConcurrentCalls.forEach(leftover, store::delete);
    return leftover.size();
  }

  /** The same where no record of a fragment is deleted meanwhile. */
  public int deleteUnreferenced(Duration age, long newest, References fragments)
      throws IOException {
    return deleteUnreferenced(age, () -> newest, fragments);
  }

  /** Names data that is needed. */
  @FunctionalInterface
  public interface References {
    /** The keys. */
    Set<String> keys() throws IOException;
  }

  private Set<String> references(long newest) throws IOException {
    List<Long> all = catalog.fullTimestamps();
    if (all.isEmpty()) {
      throw new SnapshotException(store.name() + " has no full snapshot any more");
    }
    // Up to the oldest full snapshot nobody needs the log.
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
   * Deletes uploads of data that nobody ends.
   *
   * @param age see {@link ObjectStore#deleteUnfinished}
   * @return the number of deleted uploads
   */
  public int deleteUnfinished(Duration age) throws IOException {
    return store.deleteUnfinished(SnapshotKeys::isData, age);
  }
}
