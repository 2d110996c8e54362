package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.util.UUID;

/** The changes of one cargo as another transaction on another snapshot. Shares the arrays. */
public final class BasedCargo {
  private BasedCargo() {}

  /** Bases the changes of a cargo on a snapshot, as a transaction of this id. */
  public static ChangeCargo of(ChangeCargo changes, UUID transactionId, long baseSnapshot) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, baseSnapshot);
    for (TableChanges table : changes.tables()) {
      cargo.table(table.table(), copy -> addTo(copy, table));
    }
    return cargo.build();
  }

  private static void addTo(ChangeCargo.TableChangesBuilder copy, TableChanges table) {
    for (InsertedColumn inserted : table.insertedColumns()) {
      copy.insert(inserted.column(), inserted.values());
    }
    for (ColumnUpdates update : table.updates()) {
      copy.update(update.column(), update.rowIds(), update.values());
    }
    RowBits deleted = table.deletedRows();
    if (deleted != null) {
      copy.delete(deleted);
    }
  }
}
