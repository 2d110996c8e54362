package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TableSchema;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ConcurrentCalls;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotKeys.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a database in its object store: a log with one entry for each timestamp, and
 * full snapshots. Stateless: each method reads the current contents of the store. Thread-safe;
 * every method may block.
 */
public record SnapshotCatalog(ObjectStore store) {
  /** A time with all digits that a time may have. */
  private static final Instant LONGEST_CREATED = Instant.ofEpochSecond(0, 999_999_999);

  /**
   * Stores a manifest in an object of its own. If the manifest is a log entry, its commit is
   * durable from now on.
   *
   * @throws ObjectExistsException if the entry of this timestamp exists: the caller is no longer
   *     the primary
   * @throws ShipmentException {@code REJECTED} if the manifest is too long: nothing is stored
   */
  public SnapshotEntry append(SnapshotManifest manifest) throws IOException {
    ByteBuffer text = ManifestText.encode(manifest);
    SnapshotEntry entry = new SnapshotEntry(manifest, ObjectDigest.checksum(text));
    StoredText.MANIFEST.put(store, entry.key(), text);
    return entry;
  }

  /**
   * Stores entries of the log together. Their commits are durable from now on. Fails as {@link
   * #append} does; then none of them is.
   *
   * @param entries at least one
   */
  public List<SnapshotEntry> appendTogether(LogObject entries) throws IOException {
    if (entries.next() == entries.first()) {
      throw new IllegalArgumentException("an object of the log without entries");
    }
    StoredText.MANIFEST.put(store, Place.entry(entries.first()).key(), entries.text());
    return entries.entries();
  }

  /**
   * Fails if a commit would be too long for an entry, whatever its place in the log.
   *
   * @throws ShipmentException {@code REJECTED} in that case; names the length and the limit
   */
  public static void requireRoom(
      LoggedTransaction transaction,
      List<String> droppedTables,
      List<TableSchema> newTables,
      List<SnapshotContents> cargoes)
      throws ShipmentException {
    SnapshotManifest longest =
        SnapshotManifest.entry(
            new SnapshotKind.Commit(transaction, 0, droppedTables, newTables, cargoes),
            new LogPosition(new UUID(0, 0), Long.MAX_VALUE - 1, 0),
            Long.MAX_VALUE,
            LONGEST_CREATED);
    StoredText.MANIFEST.requireRoom(
        "the entry of transaction " + transaction.id(), ManifestText.encode(longest));
  }

  /** The timestamps at which the objects of the log begin, ascending. */
  public NavigableSet<Long> logObjects() throws IOException {
    return new TreeSet<>(timestamps(places(), true));
  }

  /** The timestamps of the full snapshots, ascending. */
  public List<Long> fullTimestamps() throws IOException {
    return timestamps(places(), false);
  }

  /**
   * The newest timestamp of an entry or a full snapshot; -1 if there is none. The log cannot end
   * before a full snapshot.
   *
   * @throws ObjectCorruptException if the last object of the log cannot be parsed
   */
  public long newestTimestamp() throws IOException {
    List<Place> places = places();
    long newest = newestOf(places);
    Place last = Place.entry(newest);
    return places.contains(last) ? read(last).get(0).last() : newest;
  }

  private static long newestOf(List<Place> places) {
    return places.stream().mapToLong(Place::timestamp).max().orElse(-1);
  }

  /**
   * The last entry of the log; null if the log is empty.
   *
   * @throws ObjectCorruptException if the last object of the log cannot be parsed
   */
  public @Nullable SnapshotEntry newestEntry() throws IOException {
    NavigableSet<Long> log = logObjects();
    if (log.isEmpty()) {
      return null;
    }
    List<SnapshotEntry> last = read(Place.entry(log.last()));
    return last.get(last.size() - 1);
  }

  /** The newest full snapshot, with the number of log entries after it; empty if there is none. */
  public Optional<NewestFull> newestFull() throws IOException {
    return NewestFull.of(store.list(SnapshotKeys.MANIFESTS));
  }

  /**
   * The places of the manifests by timestamp; at the same one, the entry before the full snapshot.
   */
  public List<Place> places() throws IOException {
    return store.list(SnapshotKeys.MANIFESTS).stream()
        .map(object -> SnapshotKeys.place(object.key()))
        .filter(Objects::nonNull)
        .toList();
  }

  private static List<Long> timestamps(List<Place> places, boolean logEntries) {
    return places.stream()
        .filter(place -> place.logEntry() == logEntries)
        .map(Place::timestamp)
        .toList();
  }

  /** The entries of takeovers up to a timestamp, which stay for ever. */
  public List<SnapshotEntry> takeovers(long upTo) throws IOException {
    List<SnapshotEntry> takeovers = new ArrayList<>();
    for (long first : logObjects().headSet(upTo, true)) {
      for (SnapshotEntry entry : read(Place.entry(first))) {
        if (entry.manifest().isTakeover() && entry.manifest().timestamp() <= upTo) {
          takeovers.add(entry);
        }
      }
    }
    return takeovers;
  }

  /**
   * Deletes an object with all of its snapshots, and the objects that they refer to. The manifests
   * are deleted first: a crash in between leaves garbage, not a broken snapshot.
   *
   * @param together all manifests of the object
   * @return the number of deleted objects
   */
  public int delete(List<SnapshotEntry> together) throws IOException {
    List<StoredBytes> data =
        together.stream().flatMap(entry -> entry.manifest().references().stream()).toList();
    store.delete(together.get(0).key());
    ConcurrentCalls.forEach(data, each -> store.delete(each.key()));
    return 1 + data.size();
  }

  /**
   * An entry of the log.
   *
   * @throws ObjectMissingException if there is no such entry
   * @throws ObjectCorruptException if the entry cannot be parsed, or belongs to another place
   */
  public SnapshotEntry entry(long timestamp) throws IOException {
    return entriesFrom(timestamp).get(0);
  }

  /**
   * An entry of the log, and those that follow it in the same object. Fails as {@link #entry} does.
   */
  public List<SnapshotEntry> entriesFrom(long timestamp) throws IOException {
    try {
      return read(Place.entry(timestamp));
    } catch (ObjectMissingException e) {
      List<SnapshotEntry> rest = withinObject(timestamp);
      if (rest.isEmpty()) {
        throw e;
      }
      return rest;
    }
  }

  /**
   * The entries from a timestamp on in an object that begins before it; none if there is none.
   * Follows the log from the nearest object that is listed, because a list may lack new objects.
   */
  private List<SnapshotEntry> withinObject(long timestamp) throws IOException {
    NavigableSet<Long> begins = new TreeSet<>();
    for (Place place : places()) {
      begins.add(place.logEntry() ? place.timestamp() : place.timestamp() + 1);
    }
    List<SnapshotEntry> object = List.of();
    Long first = begins.lower(timestamp);
    while (first != null && object.isEmpty()) {
      object = readIfThere(first);
      first = begins.lower(first);
    }
    while (!object.isEmpty() && object.get(0).last() < timestamp) {
      object = readIfThere(object.get(0).last() + 1);
    }
    return from(timestamp, object);
  }

  private List<SnapshotEntry> readIfThere(long first) throws IOException {
    try {
      return read(Place.entry(first));
    } catch (ObjectMissingException e) {
      return List.of();
    }
  }

  private static List<SnapshotEntry> from(long timestamp, List<SnapshotEntry> object) {
    return object.stream().filter(entry -> entry.manifest().timestamp() >= timestamp).toList();
  }

  /** A full snapshot. Fails as {@link #entry} does. */
  public SnapshotEntry full(long timestamp) throws IOException {
    return read(Place.full(timestamp)).get(0);
  }

  /**
   * The newest full snapshot up to a timestamp.
   *
   * @throws SnapshotException if there is none; names the oldest. Also as {@link #requireDatabase}
   */
  public SnapshotEntry fullUpTo(long wanted) throws IOException {
    OptionalLong full = newestUpTo(wanted, fullTimestamps());
    if (full.isEmpty()) {
      requireDatabase();
      List<Long> fulls = fullTimestamps(); // Another process may have made the database meanwhile.
      full = newestUpTo(wanted, fulls);
      if (full.isEmpty()) {
        throw new SnapshotException(
            format(
                "%s no longer holds snapshot %d: %s",
                store.name(),
                wanted,
                fulls.isEmpty()
                    ? "it lists no full snapshot"
                    : "its oldest full snapshot is " + Collections.min(fulls)));
      }
    }
    return full(full.getAsLong());
  }

  private static OptionalLong newestUpTo(long wanted, List<Long> timestamps) {
    return timestamps.stream().mapToLong(Long::longValue).filter(each -> each <= wanted).max();
  }

  /**
   * The id of the database, from the newest full snapshot that can be read; empty if there is no
   * full snapshot.
   */
  public Optional<UUID> database() throws IOException {
    List<Long> fulls = fullTimestamps();
    for (int i = fulls.size() - 1; i > 0; i--) {
      try {
        return Optional.of(full(fulls.get(i)).manifest().database());
      } catch (ObjectMissingException | ObjectCorruptException e) {
        // It was replaced, or is damaged; an older one has the same id.
      }
    }
    return fulls.isEmpty()
        ? Optional.empty()
        : Optional.of(full(fulls.get(0)).manifest().database());
  }

  /**
   * Fails if the store has no snapshots: it is empty, or its name is mistyped.
   *
   * @throws SnapshotException in that case
   */
  public void requireSnapshots() throws IOException {
    if (places().isEmpty()) {
      throw new SnapshotException(store.name() + " holds no database: name a store with snapshots");
    }
  }

  /**
   * Fails if there is no full snapshot.
   *
   * @throws SnapshotException in that case; states whether a transactor would make a database there
   */
  public void requireDatabase() throws IOException {
    if (fullTimestamps().isEmpty()) {
      requireNoLog();
      throw new SnapshotException(
          "%s has no database yet: a transactor creates it".formatted(store.name()));
    }
  }

  private void requireNoLog() throws IOException {
    NavigableSet<Long> log = logObjects();
    if (!log.isEmpty()) {
      throw new SnapshotException(
          format(
              "%s: there is a log from %d to %d, but no full snapshot: a restore that was killed"
                  + " leaves such a store; delete it, and restore again",
              store.name(), log.first(), newestTimestamp()));
    }
  }

  /**
   * The manifests of a damaged object, in their places; null for those that cannot be read. Empty
   * if the object is missing.
   */
  public List<@Nullable SnapshotManifest> readable(Place object) throws IOException {
    try {
      return LogObject.readable(StoredText.MANIFEST.read(store, object.key()));
    } catch (ObjectMissingException e) {
      return List.of();
    }
  }

  /** All manifests of an object, at least one. Fails as {@link #entry} does. */
  public List<SnapshotEntry> read(Place object) throws IOException {
    return StoredBytes.reread(() -> readOnce(object));
  }

  private List<SnapshotEntry> readOnce(Place place) throws IOException {
    String key = place.key();
    ByteBuffer text = StoredText.MANIFEST.read(store, key);
    List<SnapshotEntry> entries;
    try {
      entries = LogObject.parse(text);
    } catch (IllegalArgumentException e) {
      throw corrupt(key, e.getMessage(), e);
    }
    if (!entries.get(0).key().equals(key)) {
      SnapshotManifest manifest = entries.get(0).manifest();
      throw corrupt(
          key,
          format("it is the manifest of %s %d", manifest.kind().text(), manifest.timestamp()),
          null);
    }
    return entries;
  }

  private ObjectCorruptException corrupt(String key, @Nullable String why, @Nullable Exception e) {
    return new ObjectCorruptException(store.name(), key, String.valueOf(why), e);
  }

  /**
   * The newest full snapshot and the log after it; null if there is no snapshot at all.
   *
   * @throws SnapshotException if an entry is missing, or does not follow the one before
   */
  public @Nullable SnapshotChain chain() throws IOException {
    List<Long> fulls = fullTimestamps();
    if (fulls.isEmpty()) {
      requireNoLog();
      return null;
    }
    return chainFrom(fulls.get(fulls.size() - 1));
  }

  /**
   * The full snapshot before the newest and the log after it, which also contains the recent
   * changes. Returns {@link #chain} if there is only one full snapshot.
   *
   * @throws SnapshotException as {@link #chain}, and if the log ends before the newest full
   *     snapshot
   */
  public @Nullable SnapshotChain longChain() throws IOException {
    List<Long> fulls = fullTimestamps();
    return fulls.size() < 2 ? chain() : chainFrom(fulls.get(fulls.size() - 2));
  }

  /** A full snapshot and the log after it. Fails as {@link #full} and {@link #after} do. */
  SnapshotChain chainFrom(long timestamp) throws IOException {
    SnapshotEntry full = full(timestamp);
    return new SnapshotChain(full, after(full));
  }

  /**
   * The entries of the log after a snapshot, in order.
   *
   * @param from an entry of the log, or a full snapshot
   * @throws SnapshotException if an entry is missing, or does not follow the one before: it was
   *     made on another entry, or its epoch is lower
   * @throws ForeignDatabaseException if an entry belongs to another database
   */
  public List<SnapshotEntry> after(SnapshotEntry from) throws IOException {
    List<SnapshotEntry> entries = new ArrayList<>();
    long newest = newestOf(places());
    SnapshotEntry last = from;
    long next = from.manifest().timestamp() + 1;
    // Objects are created in order, but the list of a folder that changes may lack an object and
    // contain the next.
    List<SnapshotEntry> together = restOfObject(from);
    while (!together.isEmpty() || next <= newest) {
      for (SnapshotEntry entry : together.isEmpty() ? existing(next, newest) : together) {
        entry.requireFollows(last.position(), store.name());
        entry.requireEpoch(last.manifest().epoch(), store.name());
        entries.add(entry);
        last = entry;
      }
      next = last.manifest().timestamp() + 1;
      together = List.of();
    }
    return entries;
  }

  /** The entries after one in the same object. */
  private List<SnapshotEntry> restOfObject(SnapshotEntry entry) throws IOException {
    if (entry.endsObject()) {
      return List.of();
    }
    try {
      return from(entry.manifest().timestamp() + 1, read(entry.place()));
    } catch (ObjectMissingException e) {
      throw new SnapshotException(
          format(
              "%s: snapshot %d is missing, and there was snapshot %d",
              store.name(), entry.manifest().timestamp() + 1, entry.last()),
          e);
    }
  }

  private List<SnapshotEntry> existing(long timestamp, long newest) throws IOException {
    try {
      return entriesFrom(timestamp);
    } catch (ObjectMissingException e) {
      throw new SnapshotException(
          format(
              "%s: snapshot %d is missing, and there is snapshot %d",
              store.name(), timestamp, newest),
          e);
    }
  }

  /**
   * The checksum of an entry of the log. If the entry is missing, the full snapshot that ends with
   * it, or the entry after it, has the checksum. Empty if all three are missing.
   *
   * @throws ObjectCorruptException if they are damaged
   */
  public OptionalInt checksum(long timestamp) throws IOException {
    @Nullable IOException damage = null;
    for (Telling telling :
        List.<Telling>of(
            () -> entry(timestamp).checksum(),
            () -> full(timestamp).manifest().parentChecksum(),
            () -> entry(timestamp + 1).manifest().parentChecksum())) {
      try {
        return OptionalInt.of(telling.checksum());
      } catch (ObjectMissingException e) {
        // It is missing, or was deleted because it was replaced.
      } catch (ObjectCorruptException e) {
        damage = damage == null ? e : damage;
      }
    }
    if (damage != null) {
      throw damage;
    }
    return OptionalInt.empty();
  }

  private interface Telling {
    int checksum() throws IOException;
  }

  /** The transactions that ended up to a full snapshot; none for an entry of the log. */
  public KnownTransactions history(SnapshotEntry full) throws IOException {
    return full.manifest().kind() instanceof SnapshotKind.Full stored
        ? CommitHistory.read(store, stored.history())
        : KnownTransactions.NONE;
  }
}
