package io.drayage.bench.child;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * A digest of the changes of a cargo, independent of its id, its base, and the order of its tables
 * and columns: a transaction of several cargoes is read back as one cargo in another order.
 */
public final class EffectDigest {
  private EffectDigest() {}

  /** Computes the digest of a cargo with updates in the order of rows, as in the rig's cargoes. */
  public static long of(ChangeCargo cargo) {
    ChangeCargo.Builder sorted = ChangeCargo.builder(new UUID(0, 0), 0);
    List<TableChanges> tables =
        cargo.tables().stream().sorted(Comparator.comparing(TableChanges::table)).toList();
    for (TableChanges table : tables) {
      sorted.table(table.table(), changes -> addTo(changes, table));
    }
    return CargoDigest.of(sorted.build());
  }

  private static void addTo(ChangeCargo.TableChangesBuilder changes, TableChanges table) {
    table.insertedColumns().stream()
        .sorted(Comparator.comparing(InsertedColumn::column))
        .forEach(inserted -> changes.insert(inserted.column(), inserted.values()));
    table.updates().stream()
        .sorted(Comparator.comparing(ColumnUpdates::column))
        .forEach(update -> changes.update(update.column(), update.rowIds(), update.values()));
    RowBits deleted = table.deletedRows();
    if (deleted != null) {
      changes.delete(deleted);
    }
  }
}
