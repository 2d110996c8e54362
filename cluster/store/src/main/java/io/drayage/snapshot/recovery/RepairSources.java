package io.drayage.snapshot.recovery;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.LoggedTransaction;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys.Place;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What can be read of a store, or of its copy in place of that: every byte is compared with its
 * checksum, and what is missing or damaged is read several times. Not thread-safe.
 */
final class RepairSources {
  /** How many entries beyond the lists are looked for. */
  private static final int MAX_HOLES = 1000;

  private final ObjectStore store;
  private final @Nullable ObjectStore copy;
  private final SnapshotCatalog catalog;
  private final @Nullable SnapshotCatalog copied;
  private final Map<String, String> damage = new HashMap<>();
  private List<Long> seenFulls = List.of();
  private List<Long> seenLog = List.of();

  /**
   * A snapshot that can be read.
   *
   * @param taken the keys of what has to be taken from the copy, its manifest last
   */
  record Usable(SnapshotEntry entry, List<String> taken) {
    SnapshotManifest manifest() {
      return entry.manifest();
    }

    long timestamp() {
      return entry.manifest().timestamp();
    }

    List<StoredBytes> references() {
      return entry.manifest().references();
    }

    String describe() {
      return RepairSources.describe(entry);
    }
  }

  /** What an entry of the log did. */
  static String describe(SnapshotEntry entry) {
    LoggedTransaction transaction = entry.manifest().transaction();
    return transaction == null
        ? format("takeover of epoch %d", entry.manifest().epoch())
        : "transaction %s of '%s'".formatted(transaction.id(), transaction.worker());
  }

  RepairSources(ObjectStore store, @Nullable ObjectStore copy) {
    this.store = store;
    this.copy = copy;
    this.catalog = new SnapshotCatalog(store);
    this.copied = copy == null ? null : new SnapshotCatalog(copy);
  }

  /** Nothing is taken from a copy of another database. */
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
    if (from == null) {
      return null;
    }
    List<Place> places = new ArrayList<>();
    from.fullTimestamps().forEach(each -> places.add(Place.full(each)));
    from.logTimestamps().forEach(each -> places.add(Place.entry(each)));
    for (Place place : places) {
      SnapshotEntry entry = read(from, place);
      if (entry != null) {
        return entry.manifest().database();
      }
    }
    return null;
  }

  /** What is wrong with an object of the store. */
  String damage(String key) {
    return damage.getOrDefault(key, "its data is damaged");
  }

  /** The full snapshots of the store; those of the copy if there are none. */
  NavigableMap<Long, Usable> fulls() throws IOException {
    seenFulls = catalog.fullTimestamps();
    seenLog = catalog.logTimestamps();
    NavigableMap<Long, Usable> fulls = usable(false, seenFulls);
    return fulls.isEmpty() && copied != null ? usable(false, copied.fullTimestamps()) : fulls;
  }

  /** The log of the store, and what the copy has of it after a full snapshot. */
  NavigableMap<Long, Usable> log(long full) throws IOException {
    TreeSet<Long> timestamps = new TreeSet<>(seenLog);
    // An entry may be there though a list lacks it.
    long last = Math.min(newestEntry(), full + seenLog.size() + MAX_HOLES);
    for (long hole = full + 1; hole <= last; hole++) {
      timestamps.add(hole);
    }
    if (copied != null) {
      copied.logTimestamps().stream().filter(each -> each > full).forEach(timestamps::add);
    }
    return usable(true, timestamps);
  }

  /** The newest entry of the log of the store, damaged or not; -1 if there is none. */
  long newestEntry() {
    return seenLog.isEmpty() ? -1 : seenLog.get(seenLog.size() - 1);
  }

  private NavigableMap<Long, Usable> usable(boolean logEntry, Iterable<Long> timestamps)
      throws IOException {
    NavigableMap<Long, Usable> usable = new TreeMap<>();
    for (long timestamp : timestamps) {
      Usable found = find(new Place(logEntry, timestamp));
      if (found != null) {
        usable.put(timestamp, found);
      }
    }
    return usable;
  }

  private @Nullable Usable find(Place place) throws IOException {
    SnapshotEntry own = read(catalog, place);
    SnapshotEntry entry = own == null ? read(copied, place) : own;
    if (entry == null) {
      return null;
    }
    List<String> taken = new ArrayList<>();
    for (StoredBytes data : entry.manifest().references()) {
      if (!isIntact(data, store)) {
        if (copy == null || !isIntact(data, copy)) {
          damage.put(entry.manifest().key(), damage(data.key()));
          return null;
        }
        taken.add(data.key());
      }
    }
    if (own == null) {
      taken.add(entry.manifest().key());
    }
    return new Usable(entry, taken);
  }

  /** Null if it is missing or damaged. */
  @Nullable SnapshotEntry read(@Nullable SnapshotCatalog from, Place place) throws IOException {
    if (from == null) {
      return null;
    }
    try {
      return StoredBytes.reread(ObjectMissingException.class, () -> from.read(place));
    } catch (ObjectMissingException | ObjectCorruptException e) {
      note(from.store(), place.key(), e);
      return null;
    }
  }

  private boolean isIntact(StoredBytes data, ObjectStore in) throws IOException {
    try {
      boolean unused =
          StoredBytes.reread(
              ObjectMissingException.class,
              () -> {
                data.verify(in);
                return true;
              });
      return true;
    } catch (ObjectMissingException | ObjectCorruptException e) {
      note(in, data.key(), e);
      return false;
    }
  }

  private void note(ObjectStore in, String key, IOException wrong) {
    if (in == store) {
      damage.put(
          key,
          wrong instanceof ObjectMissingException ? "missing" : String.valueOf(wrong.getMessage()));
    }
  }
}
