package io.drayage.snapshot.transaction;

import io.drayage.objectstore.ConcurrentCalls;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.Sightings;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the records of transactions of several workers that have ended, and the data of fragments
 * that did not take effect.
 *
 * <p>Only an entry of the log says that a transaction has ended: a cleaner that was paused may
 * believe that a lease is over whose fragments its successor is committing. Where it is not known
 * any more whether there is such an entry, records are deleted, and data as what no entry names
 * ({@link io.drayage.snapshot.SnapshotCleaner#deleteUnreferenced}).
 *
 * <p>The key of all data of a transaction begins with its id, and the entry of a commit names what
 * stays: records of fragments are not read. Thread-safe; every method may block.
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

  /** The keys of what is to go, in the order in which it does: the last ones lead to the others. */
  private record Remains(
      Collection<String> data, Collection<String> fragments, Collection<String> transactions) {
    Remains() {
      this(
          new ConcurrentLinkedQueue<>(),
          new ConcurrentLinkedQueue<>(),
          new ConcurrentLinkedQueue<>());
    }

    int size() {
      return data.size() + fragments.size() + transactions.size();
    }
  }

  /**
   * Deletes what is left of transactions that have ended.
   *
   * @param age records of a transaction of which nobody knows whether it has ended are deleted when
   *     they were seen for so long; its data stays if an entry of the log names it
   * @return the number of deleted objects; one that is damaged keeps no other
   */
  public int deleteEnded(TransactionEnds ends, Duration age) throws IOException {
    Set<UUID> open = new HashSet<>(records.open());
    basesRead.keySet().retainAll(open);
    Map<UUID, List<String>> fragments = new HashMap<>();
    for (FragmentPlace place : records.fragments()) {
      fragments.computeIfAbsent(place.transaction(), unused -> new ArrayList<>()).add(place.key());
    }
    Set<UUID> transactions = new HashSet<>(open);
    transactions.addAll(fragments.keySet());
    Map<UUID, Long> ended = new HashMap<>();
    Set<UUID> unknown = new HashSet<>();
    for (UUID transaction : transactions) {
      OptionalLong end = ends.endOf(transaction);
      if (end.isPresent()) {
        ended.put(transaction, end.getAsLong());
      } else if (!open.contains(transaction) || isForgotten(transaction, ends)) {
        unknown.add(transaction);
      }
    }
    Remains remains = new Remains();
    ConcurrentCalls.forEach(
        ended.keySet(),
        each -> {
          if (addData(each, ended.get(each), ends, remains)) {
            remains.fragments.addAll(fragments.getOrDefault(each, List.of()));
            remains.transactions.add(SnapshotKeys.open(each));
          }
        });
    for (UUID orphan : orphans.seenFor(age, unknown)) {
      boolean forgotten = isForgotten(orphan, ends);
      // A list may lack what is there.
      if (forgotten || base(orphan) == null) {
        remains.fragments.addAll(fragments.getOrDefault(orphan, List.of()));
      }
      if (forgotten) {
        remains.transactions.add(SnapshotKeys.open(orphan));
      }
    }
    if (remains.size() > 0) {
      delete(remains);
    }
    return remains.size();
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

  /**
   * Adds what a transaction has stored and no entry names, whether it was recorded or not: nobody
   * will commit it any more. If that is not known, data is left to be found as unreferenced.
   *
   * @return whether its records may go, too
   */
  private boolean addData(UUID transaction, long end, TransactionEnds ends, Remains remains)
      throws IOException {
    Set<String> needed;
    try {
      needed = end < 0 && mayHaveEnded(transaction, ends) ? null : needed(end);
    } catch (ObjectCorruptException e) {
      LOG.log(Level.WARNING, "transaction {0} is left: {1}", transaction, e.getMessage());
      return false;
    }
    if (needed != null) {
      for (String key : records.data(transaction)) {
        if (!needed.contains(key)) {
          remains.data.add(key);
        }
      }
    }
    return true;
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

  private void delete(Remains remains) throws IOException {
    records.delete(remains.data);
    records.delete(remains.fragments);
    records.delete(remains.transactions);
  }

  /**
   * The keys of the data of all transactions that have a fragment, and so of every fragment: see
   * {@link io.drayage.snapshot.SnapshotCleaner#deleteUnreferenced}.
   */
  public Set<String> references() throws IOException {
    Set<UUID> transactions = new HashSet<>();
    for (FragmentPlace place : records.fragments()) {
      transactions.add(place.transaction());
    }
    Set<String> keys = ConcurrentHashMap.newKeySet();
    ConcurrentCalls.forEach(transactions, each -> keys.addAll(records.data(each)));
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
