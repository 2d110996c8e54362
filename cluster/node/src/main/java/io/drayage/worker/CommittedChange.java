package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TableSchema;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.column.StoredTable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** One commit, as a {@link ChangeFeed} delivers it. Immutable; any thread may read it. */
public final class CommittedChange {
  private final SnapshotManifest manifest;
  private final AppliedChanges changes;
  private final StoreSnapshot before;
  private final StoreSnapshot after;

  CommittedChange(
      SnapshotManifest manifest,
      AppliedChanges changes,
      StoreSnapshot before,
      StoreSnapshot after) {
    this.manifest = manifest;
    this.changes = changes;
    this.before = before;
    this.after = after;
  }

  /** The number of the snapshot that the commit made. The next feed begins after it. */
  public long snapshot() {
    return manifest.timestamp();
  }

  /** The transaction's id. */
  public UUID transactionId() {
    return changes.transactionId();
  }

  /** The time of the commit by the primary's clock, for display only. */
  public Instant committed() {
    return manifest.created();
  }

  /** The names of the tables that the commit dropped, before it added any. */
  public List<String> droppedTables() {
    return changes.droppedTables();
  }

  /** The tables that the commit added. */
  public List<TableSchema> newTables() {
    return changes.newTables().stream().filter(table -> !hadBefore(table.name())).toList();
  }

  private boolean hadBefore(String table) {
    return before.has(table) && !changes.droppedTables().contains(table);
  }

  /** The tables whose rows the transaction names. */
  public List<ChangedTable> tables() {
    return changes.tables().stream().map(this::changed).toList();
  }

  private ChangedTable changed(String table) {
    StoredTable now = after.table(table);
    StoredTable then =
        hadBefore(table) ? before.table(table) : StoredTable.ofDefaults(now.schema(), 0);
    return new ChangedTable(changes, then, now);
  }

  @Override
  public String toString() {
    return format("CommittedChange[snapshot %d, %s]", snapshot(), changes.rows());
  }
}
