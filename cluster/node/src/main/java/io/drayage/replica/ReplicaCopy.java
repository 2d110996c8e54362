package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.KnownTransactions;
import io.drayage.frame.ShipmentException;
import io.drayage.snapshot.LoggedTransaction;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.load.SnapshotLoader;
import io.drayage.snapshot.load.SnapshotLoader.EntryCargoes;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.TransactionBuild;
import java.io.IOException;
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
   * @param known the transactions that ended before it
   * @param historyBytes see {@link MemoryStore}
   * @throws IOException if it cannot be read, is corrupt, or is no database
   */
  public static ReplicaCopy load(
      SnapshotLoader loader,
      SnapshotEntry full,
      KnownTransactions known,
      int threads,
      long historyBytes)
      throws IOException {
    ChangeCargo rows = loader.loadFull(full.manifest().rows());
    StoreSnapshot snapshot;
    try {
      snapshot = FullContents.toSnapshot(full.manifest().timestamp(), rows);
    } catch (IllegalArgumentException e) {
      throw new SnapshotException(
          "%s is no database: %s".formatted(full.manifest().key(), e.getMessage()), e);
    }
    return new ReplicaCopy(
        new MemoryStore(snapshot, known, ForkJoinPool.commonPool(), threads, historyBytes), full);
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
   * @param cargoes of the entry
   * @throws AppliedDiffersException if its changes have another digest than it says
   */
  public void apply(SnapshotEntry entry, EntryCargoes cargoes) throws IOException {
    replay(store, entry, cargoes, entry.manifest().applied());
    follow(entry);
  }

  /**
   * Applies an entry of the log to a store.
   *
   * @param cargoes of the entry
   * @param applied the digest that its changes must have; null if they are not to be compared
   */
  static void replay(
      MemoryStore store, SnapshotEntry entry, EntryCargoes cargoes, @Nullable Long applied)
      throws IOException {
    SnapshotManifest manifest = entry.manifest();
    long timestamp = manifest.timestamp();
    try {
      switch (manifest.kind()) {
        case COMMIT -> {
          TransactionBuild build = build(store, manifest, cargoes, applied != null);
          publish(store, manifest, build, applied);
        }
        case ABORT, EXPIRED -> store.replayEnd(manifest.requireTransaction().id(), timestamp);
        default -> store.replayUnchanged(timestamp);
      }
    } catch (ShipmentException e) {
      throw new SnapshotException(
          format("snapshot %d does not fit: %s", timestamp, e.getMessage()), e);
    }
  }

  /** Applies the cargoes of a commit beside what is in memory. */
  private static TransactionBuild build(
      MemoryStore store, SnapshotManifest manifest, EntryCargoes cargoes, boolean digesting)
      throws IOException {
    LoggedTransaction transaction = manifest.requireTransaction();
    TransactionBuild build =
        store.replaying(
            transaction.id(), transaction.baseSnapshot(), manifest.timestamp(), digesting);
    for (ChangeCargo next = cargoes.next(); next != null; next = cargoes.next()) {
      build.add(next);
    }
    return build;
  }

  private static void publish(
      MemoryStore store, SnapshotManifest manifest, TransactionBuild build, @Nullable Long applied)
      throws IOException {
    LoggedTransaction transaction = manifest.requireTransaction();
    store.replay(build, transaction.app(), transaction.worker(), applied);
  }

  /**
   * Applies an entry as it is, and tells whether it is what it says.
   *
   * @return what differs; null if nothing does
   */
  static @Nullable AppliedDiffersException replayWhatever(
      MemoryStore store, SnapshotEntry entry, EntryCargoes cargoes) throws IOException {
    SnapshotManifest manifest = entry.manifest();
    Long applied = manifest.applied();
    if (applied == null) {
      replay(store, entry, cargoes, null);
      return null;
    }
    try {
      TransactionBuild build = build(store, manifest, cargoes, true);
      publish(store, manifest, build, null);
      return build.digest() == applied
          ? null
          : new AppliedDiffersException(manifest.timestamp(), applied, build.digest());
    } catch (ShipmentException e) {
      throw new SnapshotException(
          format("snapshot %d does not fit: %s", manifest.timestamp(), e.getMessage()), e);
    }
  }
}
