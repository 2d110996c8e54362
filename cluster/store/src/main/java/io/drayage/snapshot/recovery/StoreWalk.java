package io.drayage.snapshot.recovery;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys.Place;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the readable objects of a store, or of its copy if they are damaged. Compares every
 * byte with its checksum, and reads missing or damaged objects several times. Changes nothing. Not
 * thread-safe.
 */
final class StoreWalk {
  private final ObjectStore store;
  private final @Nullable ObjectStore copy;
  private final SnapshotCatalog catalog;
  private final @Nullable SnapshotCatalog copied;
  private final Map<String, String> damage = new HashMap<>();
  private final Map<Place, @Nullable Usable> found = new HashMap<>();
  private @Nullable NavigableSet<Long> logObjects;

  /**
   * An object of the log that can be read with all data of its entries, or a full snapshot.
   *
   * @param entries all entries of the object; one for a full snapshot
   * @param taken the keys of objects that have to be taken from the copy, the manifests last
   */
  record Usable(List<SnapshotEntry> entries, List<String> taken) {
    /** The last entry. */
    SnapshotEntry last() {
      return entries.get(entries.size() - 1);
    }

    /** Whether each entry follows the one before it. */
    private boolean follows(SnapshotEntry before) {
      SnapshotEntry last = before;
      for (SnapshotEntry entry : entries) {
        if (!entry.follows(last)) {
          return false;
        }
        last = entry;
      }
      return true;
    }
  }

  StoreWalk(ObjectStore store, @Nullable ObjectStore copy) {
    this.store = store;
    this.copy = copy;
    this.catalog = new SnapshotCatalog(store);
    this.copied = copy == null ? null : new SnapshotCatalog(copy);
  }

  /** Fails if the copy belongs to another database: nothing is taken from such a copy. */
  void requireSameDatabase() throws IOException {
    UUID own = database(catalog);
    UUID other = database(copied);
    if (copy != null && own != null && other != null && !own.equals(other)) {
      throw new ForeignDatabaseException(
          "%s holds database %s, but %s database %s: name a copy of the same one"
              .formatted(copy.name(), other, store.name(), own));
    }
  }

  /** The database of the first manifest that can be read; null if there is none. */
  private @Nullable UUID database(@Nullable SnapshotCatalog from) throws IOException {
    for (Place place : from == null ? List.<Place>of() : from.places()) {
      List<SnapshotEntry> entries = read(from, place);
      if (entries != null) {
        return entries.get(0).manifest().database();
      }
    }
    return null;
  }

  /** The damage of an object of the store. */
  String damage(String key) {
    return damage.getOrDefault(key, "its data is damaged");
  }

  /** The manifests of an object of the store; null if it is missing or damaged. */
  @Nullable List<SnapshotEntry> own(Place place) throws IOException {
    return read(catalog, place);
  }

  /** The full snapshots of the store; those of the copy if the store has none. */
  List<Usable> fulls() throws IOException {
    List<Usable> fulls = fulls(catalog);
    return fulls.isEmpty() && copied != null ? fulls(copied) : fulls;
  }

  private List<Usable> fulls(SnapshotCatalog from) throws IOException {
    List<Usable> fulls = new ArrayList<>();
    for (long timestamp : from.fullTimestamps()) {
      Usable full = find(Place.full(timestamp));
      if (full != null) {
        fulls.add(full);
      }
    }
    return fulls;
  }

  /**
   * Follows the log from a full snapshot to its end. An entry may exist although a list lacks it.
   *
   * @return the last entry; the full snapshot if there is no entry
   */
  SnapshotEntry end(SnapshotEntry full) throws IOException {
    SnapshotEntry last = full;
    while (true) {
      Usable next = find(Place.entry(last.manifest().timestamp() + 1));
      if (next == null || !next.follows(last)) {
        return last;
      }
      last = next.last();
    }
  }

  /** The entry of the log with a timestamp; null if it is missing or damaged. */
  @Nullable SnapshotEntry entry(long timestamp) throws IOException {
    Usable alone = find(Place.entry(timestamp));
    Long first = alone == null ? logObjects().lower(timestamp) : null;
    Usable object = first == null ? alone : find(Place.entry(first));
    if (object == null || object.last().manifest().timestamp() < timestamp) {
      return null;
    }
    return object.entries().get((int) (timestamp - object.last().first()));
  }

  private NavigableSet<Long> logObjects() throws IOException {
    if (logObjects == null) {
      logObjects = catalog.logObjects();
      if (copied != null) {
        logObjects.addAll(copied.logObjects());
      }
    }
    return logObjects;
  }

  /** An object, from the store or its copy; null if it is in neither: see {@link #damage}. */
  @Nullable Usable find(Place place) throws IOException {
    if (!found.containsKey(place)) {
      found.put(place, look(place));
    }
    return found.get(place);
  }

  private @Nullable Usable look(Place place) throws IOException {
    List<SnapshotEntry> own = own(place);
    List<SnapshotEntry> entries = own == null && copied != null ? read(copied, place) : own;
    if (entries == null) {
      return null;
    }
    List<String> taken = new ArrayList<>();
    for (SnapshotEntry entry : entries) {
      for (StoredBytes data : entry.manifest().references()) {
        if (!isIntact(data, store)) {
          if (copy == null || !isIntact(data, copy)) {
            damage.put(place.key(), damage(data.key()));
            return null;
          }
          taken.add(data.key());
        }
      }
    }
    if (own == null) {
      taken.add(place.key());
    }
    return new Usable(entries, taken);
  }

  private @Nullable List<SnapshotEntry> read(SnapshotCatalog from, Place place) throws IOException {
    return reading(from.store(), place.key(), () -> from.read(place));
  }

  private boolean isIntact(StoredBytes data, ObjectStore in) throws IOException {
    return reading(
            in,
            data.key(),
            () -> {
              data.verify(in);
              return data;
            })
        != null;
  }

  /** Reads an object; null if it is missing or damaged. Fails if the store does not answer. */
  private <T> @Nullable T reading(ObjectStore in, String key, StoredBytes.Reading<T> reading)
      throws IOException {
    try {
      return StoredBytes.reread(ObjectMissingException.class, reading);
    } catch (ObjectMissingException | ObjectCorruptException e) {
      if (in == store) {
        boolean isMissing = e instanceof ObjectMissingException;
        damage.put(key, isMissing ? "missing" : String.valueOf(e.getMessage()));
      }
      return null;
    }
  }
}
