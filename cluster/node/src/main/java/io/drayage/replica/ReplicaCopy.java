package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** A store, and where it is in the log. Whoever has it guards what changes it. */
public final class ReplicaCopy {
  private final MemoryStore store;

  /** The epoch of the newest entry. */
  private volatile long epoch;

  /** Written by whoever advances it, or by a primary meanwhile. */
  private volatile Replica.Position position;

  private final EntryChecksums checksums = new EntryChecksums();

  private ReplicaCopy(MemoryStore store, SnapshotEntry full) {
    this.store = store;
    this.epoch = full.manifest().epoch();
    this.position = Replica.Position.ofFull(full);
    checksums.add(position.timestamp(), position.last().checksum());
  }

  /**
   * Loads a full snapshot.
   *
   * @param transactions that are part of it
   * @param historyBytes see {@link MemoryStore}
   * @throws IOException if it cannot be read, is corrupt, or is no database
   */
  public static ReplicaCopy load(
      SnapshotLoader loader,
      SnapshotEntry full,
      Map<UUID, Long> transactions,
      int threads,
      long historyBytes)
      throws IOException {
    ChangeCargo rows = loader.loadFull(full.manifest().requireContents());
    StoreSnapshot snapshot;
    try {
      snapshot = FullContents.toSnapshot(full.manifest().timestamp(), rows);
    } catch (IllegalArgumentException e) {
      throw new SnapshotException(
          "%s is no database: %s".formatted(full.manifest().key(), e.getMessage()), e);
    }
    return new ReplicaCopy(
        new MemoryStore(snapshot, transactions, ForkJoinPool.commonPool(), threads, historyBytes),
        full);
  }

  /** What it holds. */
  public MemoryStore store() {
    return store;
  }

  /** Thread-safe. */
  long epoch() {
    return epoch;
  }

  /** Thread-safe. */
  public Replica.Position position() {
    return position;
  }

  /** The checksum of an entry that is in the store; 0 if it is not known. Thread-safe. */
  int checksum(long timestamp) {
    return checksums.of(timestamp);
  }

  /** Notes an entry that is in the store. */
  void follow(SnapshotEntry entry) {
    position = Replica.Position.of(entry);
    checksums.add(position.timestamp(), entry.checksum());
    epoch = entry.manifest().epoch();
  }

  /**
   * Applies the next entry.
   *
   * @param cargo null for a takeover
   * @param digests tell what it is to change, and note what it did
   */
  public void apply(SnapshotEntry entry, @Nullable ChangeCargo cargo, EntryDigests digests)
      throws SnapshotException, AppliedDiffersException {
    Long expected = digests.expected(entry);
    replay(store, entry, cargo, expected);
    digests.add(entry, expected);
    follow(entry);
  }

  /**
   * Applies an entry of the log to a store.
   *
   * @param cargo null for a takeover
   * @param applied the digest that its changes must have; null if they are not to be compared
   */
  static void replay(
      MemoryStore store, SnapshotEntry entry, @Nullable ChangeCargo cargo, @Nullable Long applied)
      throws SnapshotException, AppliedDiffersException {
    long timestamp = entry.manifest().timestamp();
    try {
      if (cargo == null) {
        store.replayUnchanged(timestamp);
      } else if (applied == null) {
        store.replay(cargo, timestamp);
      } else {
        store.replay(cargo, timestamp, applied);
      }
    } catch (ShipmentException e) {
      throw new SnapshotException(
          format("snapshot %d does not fit: %s", timestamp, e.getMessage()), e);
    }
  }
}
