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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the records of ended transactions of several workers, and the data of fragments that did
 * not take effect.
 *
 * <p>Only an entry of the log proves that a transaction has ended: a cleaner that was paused may
 * believe that a lease is over while its successor commits the fragments. If it is unknown whether
 * there is such an entry, the records are deleted. The data is then deleted when no entry names it
 * ({@link io.drayage.snapshot.SnapshotCleaner#deleteUnreferenced}).
 *
 * <p>The key of all data of a transaction begins with its id, and the entry of a commit names the
 * data that stays, so the records of fragments are not read. Thread-safe; every method may block.
 */
public final class TransactionCleaner {
  private static final System.Logger LOG = System.getLogger(TransactionCleaner.class.getName());

  /** The base of a transaction whose record is damaged. Older than any base. */
  private static final long DAMAGED = -1;

  private final SnapshotCatalog catalog;
  private final TransactionRecords records;
  private final Sightings<UUID> orphans;

  /** The bases of open transactions: a record never changes. */
  private final Map<UUID, Long> basesRead = new ConcurrentHashMap<>();

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  public TransactionCleaner(SnapshotCatalog catalog, LongSupplier nanoTime) {
    this.catalog = catalog;
    this.records = new TransactionRecords(catalog.store());
    this.orphans = new Sightings<>(nanoTime);
  }

  /** The keys of objects, in the order of their deletion: the last keys lead to the others. */
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
   * Deletes the remains of transactions that have ended.
   *
   * @param age of records of a transaction whose end is unknown: they are deleted when they were
   *     seen for so long. The data stays if an entry of the log names it
   * @return the number of deleted objects; a damaged object does not prevent the deletion of others
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
      // A list may lack an existing object.
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

  /** Whether the base is so old that its end is unknown: the transaction cannot be committed. */
  private boolean isForgotten(UUID transaction, TransactionEnds ends) throws IOException {
    return mayHaveEnded(transaction, ends) && !Objects.equals(base(transaction), DAMAGED);
  }

  /** Whether the transaction may have an unknown commit, so that an entry names its data. */
  private boolean mayHaveEnded(UUID transaction, TransactionEnds ends) throws IOException {
    if (ends.knownSince() <= 0) {
      return false; // All ends are known.
    }
    Long base = base(transaction);
    return base != null && base < ends.knownSince();
  }

  /** The base in a transaction's record; {@link #DAMAGED} if that is damaged, null if missing. */
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
   * Adds the stored data of a transaction that no entry names, with or without a record: it will
   * not be committed any more. If that is unknown, the data is left to be found as unreferenced.
   *
   * @return whether the records may be deleted, too
   */
  private boolean addData(UUID transaction, long end, TransactionEnds ends, Remains remains)
      throws IOException {
    Set<String> needed;
    try {
      needed = end < 0 && mayHaveEnded(transaction, ends) ? null : needed(end);
    } catch (ObjectCorruptException e) {
      LOG.log(Level.WARNING, "transaction {0} is kept: {1}", transaction, e.getMessage());
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

  /** The data in the entry of an end; null if unknown. */
  private @Nullable Set<String> needed(long end) throws IOException {
    if (end < 0) {
      return Set.of();
    }
    try {
      return catalog.entry(end).manifest().references().stream()
          .map(StoredBytes::key)
          .collect(Collectors.toSet());
    } catch (ObjectMissingException e) {
      return null; // A full snapshot has replaced it, and its data was deleted with it.
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
    Set<UUID> transactions =
        records.fragments().stream().map(FragmentPlace::transaction).collect(Collectors.toSet());
    Set<String> keys = ConcurrentHashMap.newKeySet();
    ConcurrentCalls.forEach(transactions, each -> keys.addAll(records.data(each)));
    return keys;
  }

  /**
   * The snapshots that open transactions were made on. A transaction whose record is damaged is
   * left out, because it cannot be committed.
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
