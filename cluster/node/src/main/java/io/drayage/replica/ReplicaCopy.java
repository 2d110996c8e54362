package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.frame.ShipmentException;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotLoader.EntryCargoes;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.TransactionBuild;
import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** A store and its position in the log. The owner guards the methods that change it. */
public final class ReplicaCopy {
  /** The treatment of changes that differ from their entry. */
  enum Differences {
    REFUSED,
    TOLD,
    /** Changes are not compared, because some columns are left out. */
    IGNORED
  }

  private final MemoryStore store;

  /**
   * The newest entry, or the full snapshot if there is none. Written by the thread that advances
   * the copy, or during a term by the primary.
   */
  private volatile SnapshotEntry newest;

  private final EntryChecksums checksums = new EntryChecksums();

  private ReplicaCopy(MemoryStore store, SnapshotEntry full) {
    this.store = store;
    this.newest = full;
    checksums.add(full.position().timestamp(), full.position().checksum());
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
    ChangeCargo rows = loader.loadFull(full.manifest().full().rows());
    StoreSnapshot snapshot;
    try {
      snapshot = FullContents.toSnapshot(full.manifest().timestamp(), rows);
    } catch (IllegalArgumentException e) {
      throw new SnapshotException("%s is no database: %s".formatted(full.key(), e.getMessage()), e);
    }
    return new ReplicaCopy(
        new MemoryStore(snapshot, known, ForkJoinPool.commonPool(), threads, historyBytes), full);
  }

  /** The store of the copy. */
  public MemoryStore store() {
    return store;
  }

  /** The newest applied entry, or the full snapshot if there is none. Thread-safe. */
  public SnapshotEntry newest() {
    return newest;
  }

  /** The position of {@link #newest}. Thread-safe. */
  public LogPosition position() {
    return newest.position();
  }

  /** The checksum of an entry in the store; 0 if it is unknown. Thread-safe. */
  int checksum(long timestamp) {
    return checksums.of(timestamp);
  }

  /** Notes an entry that the store has applied. */
  void follow(SnapshotEntry entry) {
    newest = entry;
    checksums.add(entry.manifest().timestamp(), entry.checksum());
  }

  /**
   * Applies the next entry.
   *
   * @param cargoes of the entry
   * @throws AppliedDiffersException if its changes have another digest than the entry says
   */
  public void apply(SnapshotEntry entry, EntryCargoes cargoes) throws IOException {
    AppliedDiffersException unused = replay(store, entry, cargoes, Differences.REFUSED);
    follow(entry);
  }

  /**
   * Applies an entry of the log to a store.
   *
   * @param cargoes of the entry
   * @return the difference if the entry was applied in spite of it; null if there is none
   * @throws AppliedDiffersException if its changes differ, and {@code differences} refuses that
   */
  static @Nullable AppliedDiffersException replay(
      MemoryStore store, SnapshotEntry entry, EntryCargoes cargoes, Differences differences)
      throws IOException {
    SnapshotManifest manifest = entry.manifest();
    long timestamp = manifest.timestamp();
    try {
      return manifest
          .kind()
          .<@Nullable AppliedDiffersException, IOException>fold(
              commit -> replay(store, timestamp, commit, cargoes, differences),
              end -> {
                store.replayEnd(end.transaction().id(), timestamp);
                return null;
              },
              takeover -> {
                store.replayUnchanged(timestamp);
                return null;
              },
              full -> {
                throw new IllegalArgumentException(entry.key() + " is no entry of the log");
              });
    } catch (ShipmentException e) {
      throw new SnapshotException(
          format("snapshot %d does not fit: %s", timestamp, e.getMessage()), e);
    }
  }

  /** Applies the cargoes of a commit, not visible yet, and then shows all of them. */
  private static @Nullable AppliedDiffersException replay(
      MemoryStore store,
      long timestamp,
      SnapshotKind.Commit commit,
      EntryCargoes cargoes,
      Differences differences)
      throws IOException {
    boolean compares = differences != Differences.IGNORED;
    TransactionBuild build = store.replaying(commit.transaction(), timestamp, compares);
    for (ChangeCargo next = cargoes.next(); next != null; next = cargoes.next()) {
      build.add(next);
    }
    store.replay(build, differences == Differences.REFUSED ? commit.applied() : null);
    return !compares || build.digest() == commit.applied()
        ? null
        : new AppliedDiffersException(timestamp, commit.applied(), build.digest());
  }
}
