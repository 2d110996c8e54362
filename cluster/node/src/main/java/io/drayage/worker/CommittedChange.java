package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.StoreSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** One commit, as a {@link ChangeFeed} delivers it. Immutable; any thread may read it. */
public final class CommittedChange {
  private final SnapshotManifest manifest;
  private final ChangeCargo cargo;
  private final StoreSnapshot before;
  private final StoreSnapshot after;

  CommittedChange(
      SnapshotManifest manifest, ChangeCargo cargo, StoreSnapshot before, StoreSnapshot after) {
    this.manifest = manifest;
    this.cargo = cargo;
    this.before = before;
    this.after = after;
  }

  /** The number of the snapshot that the commit made: the position to go on from. */
  public long snapshot() {
    return manifest.timestamp();
  }

  /** The transaction's id. */
  public UUID transactionId() {
    return cargo.transactionId();
  }

  /** When it was committed, by the clock of the primary: for display only. */
  public Instant committed() {
    return manifest.created();
  }

  /** The tables that the transaction names. */
  public List<ChangedTable> tables() {
    return cargo.tables().stream()
        .map(
            changes ->
                new ChangedTable(
                    changes, before.table(changes.table()), after.table(changes.table())))
        .toList();
  }

  @Override
  public String toString() {
    return format("CommittedChange[snapshot %d, %s]", snapshot(), cargo);
  }
}
