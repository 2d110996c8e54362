package io.drayage.snapshot.transaction;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.Sightings;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the records of transactions of several workers that have ended, and the data of fragments
 * that did not take effect.
 *
 * <p>Only an entry of the log says that a transaction has ended: a cleaner that was paused may
 * believe that a lease is over whose fragments its successor is committing. Where it is not known
 * any more whether there is such an entry, records are deleted, and data as what no entry names
 * ({@link io.drayage.snapshot.SnapshotCleaner#deleteUnreferenced}). Thread-safe; every method may
 * block.
 */
public final class TransactionCleaner {
  private static final System.Logger LOG = System.getLogger(TransactionCleaner.class.getName());

  /** In place of a base: the record is damaged. Older than any base. */
  private static final long DAMAGED = -1;

  private final SnapshotCatalog catalog;
  private final TransactionRecords records;
  private final Sightings<UUID> orphans;

  /** Of the transactions that are open: a record never changes. */
  private final Map<UUID, Long> basesRead = new ConcurrentHashMap<>();

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  public TransactionCleaner(SnapshotCatalog catalog, LongSupplier nanoTime) {
    this.catalog = catalog;
    this.records = new TransactionRecords(catalog.store());
    this.orphans = new Sightings<>(nanoTime);
  }

  /**
   * Deletes what is left of transactions that have ended.
   *
   * @param age records of a transaction of which nobody knows whether it has ended are deleted when
   *     they were seen for so long; its data stays if an entry of the log names it
   * @return the number of deleted objects; one that is damaged keeps no other
   */
  public int deleteEnded(TransactionEnds ends, Duration age) throws IOException {
    List<UUID> open = records.open();
    basesRead.keySet().retainAll(open);
    Map<UUID, List<FragmentPlace>> fragments = new HashMap<>();
    for (FragmentPlace place : records.fragments()) {
      fragments.computeIfAbsent(place.transaction(), unused -> new ArrayList<>()).add(place);
    }
    Set<UUID> transactions = new HashSet<>(open);
    transactions.addAll(fragments.keySet());
    Set<UUID> unknown = new HashSet<>();
    int deleted = 0;
    for (UUID transaction : transactions) {
      List<FragmentPlace> own = fragments.getOrDefault(transaction, List.of());
      OptionalLong end = ends.endOf(transaction);
      if (end.isPresent()) {
        deleted += deleteEnded(transaction, own, end.getAsLong(), ends);
      } else if (!open.contains(transaction) || isForgotten(transaction, ends)) {
        unknown.add(transaction);
      }
    }
    for (UUID orphan : orphans.seenFor(age, unknown)) {
      boolean forgotten = isForgotten(orphan, ends);
      // A list may lack what is there.
      if (forgotten || base(orphan) == null) {
        deleted += delete(fragments.getOrDefault(orphan, List.of()), null);
      }
      if (forgotten) {
        close(orphan);
        deleted++;
      }
    }
    return deleted;
  }

  /** Whether its base is so old that nobody knows whether it has ended: it cannot be committed. */
  private boolean isForgotten(UUID transaction, TransactionEnds ends) throws IOException {
    return mayHaveEnded(transaction, ends) && !Objects.equals(base(transaction), DAMAGED);
  }

  /** Whether it may have been committed without being known, so that an entry names its data. */
  private boolean mayHaveEnded(UUID transaction, TransactionEnds ends) throws IOException {
    if (ends.knownSince() <= 0) {
      return false; // All are known.
    }
    Long base = base(transaction);
    return base != null && base < ends.knownSince();
  }

  /** By its record; {@link #DAMAGED} if that does not tell it, null if there is none. */
  private @Nullable Long base(UUID transaction) throws IOException {
    Long known = basesRead.get(transaction);
    if (known != null) {
      return known;
    }
    try {
      OpenTransaction record = records.find(transaction);
      if (record == null) {
        return null;
      }
      basesRead.put(transaction, record.base());
      return record.base();
    } catch (ObjectCorruptException e) {
      LOG.log(
          Level.WARNING,
          "the base of transaction {0} is unknown: {1}",
          transaction,
          e.getMessage());
      return DAMAGED;
    }
  }

  private void close(UUID transaction) throws IOException {
    records.close(transaction);
    basesRead.remove(transaction);
  }

  private int deleteEnded(UUID transaction, List<FragmentPlace> own, long end, TransactionEnds ends)
      throws IOException {
    Set<String> needed;
    try {
      needed = end < 0 && mayHaveEnded(transaction, ends) ? null : needed(end);
    } catch (ObjectCorruptException e) {
      LOG.log(Level.WARNING, "transaction {0} is left: {1}", transaction, e.getMessage());
      return 0;
    }
    int deleted = delete(own, needed) + deleteUnrecorded(transaction, needed);
    close(transaction);
    return deleted + 1;
  }

  /**
   * Whoever stored it died before it was recorded: nobody will commit it any more.
   *
   * @param needed as {@link #delete}
   */
  private int deleteUnrecorded(UUID transaction, @Nullable Set<String> needed) throws IOException {
    if (needed == null) {
      return 0;
    }
    int deleted = 0;
    for (String key : records.data(transaction)) {
      if (!needed.contains(key)) {
        records.deleteData(key);
        deleted++;
      }
    }
    return deleted;
  }

  /** The data that the entry of an end names; null if that is not known any more. */
  private @Nullable Set<String> needed(long end) throws IOException {
    if (end < 0) {
      return Set.of();
    }
    try {
      Set<String> keys = new HashSet<>();
      for (StoredBytes data : catalog.entry(end).manifest().references()) {
        keys.add(data.key());
      }
      return keys;
    } catch (ObjectMissingException e) {
      return null; // Replaced by a full snapshot, and its data deleted with it.
    }
  }

  /**
   * @param needed null: data is left to be found as unreferenced
   */
  private int delete(List<FragmentPlace> places, @Nullable Set<String> needed) throws IOException {
    for (FragmentPlace place : places) {
      try {
        Fragment fragment = records.find(place);
        if (fragment != null) {
          boolean withData = needed != null && !needed.contains(fragment.cargo().data().key());
          records.delete(fragment, withData);
        }
      } catch (ObjectCorruptException e) {
        LOG.log(Level.WARNING, "deleted, though it names no data: {0}", e.getMessage());
        records.delete(place);
      }
    }
    return places.size();
  }

  /**
   * The keys of the data of all fragments: see {@link
   * io.drayage.snapshot.SnapshotCleaner#deleteUnreferenced}. What a damaged record refers to is
   * unknown, so that it stands for all that its transaction has stored.
   */
  public Set<String> references() throws IOException {
    Set<String> keys = new HashSet<>();
    for (FragmentPlace place : records.fragments()) {
      try {
        Fragment fragment = records.find(place);
        if (fragment != null) {
          keys.add(fragment.cargo().data().key());
        }
      } catch (ObjectCorruptException e) {
        LOG.log(Level.WARNING, "nothing of its transaction is deleted: {0}", e.getMessage());
        keys.addAll(records.data(place.transaction()));
      }
    }
    return keys;
  }

  /**
   * The snapshots that open transactions were made on, but for one whose record is damaged: that
   * cannot be committed.
   */
  public Set<Long> bases() throws IOException {
    Set<Long> bases = new HashSet<>();
    for (UUID transaction : records.open()) {
      Long base = base(transaction);
      if (base != null && base != DAMAGED) {
        bases.add(base);
      }
    }
    return bases;
  }
}
