package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.column.StoredTable;
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

  /** The tables that there are since this commit, and were not before. */
  public List<TableSchema> newTables() {
    return cargo.newTables().stream().filter(table -> !before.has(table.name())).toList();
  }

  /** The tables whose rows the transaction names. */
  public List<ChangedTable> tables() {
    return cargo.tables().stream().map(this::changed).toList();
  }

  private ChangedTable changed(TableChanges changes) {
    StoredTable now = after.table(changes.table());
    StoredTable then =
        before.has(changes.table())
            ? before.table(changes.table())
            : StoredTable.ofDefaults(now.schema(), 0);
    return new ChangedTable(changes, then, now);
  }

  @Override
  public String toString() {
    return format("CommittedChange[snapshot %d, %s]", snapshot(), cargo);
  }
}
