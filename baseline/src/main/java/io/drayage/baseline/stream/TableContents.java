package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table that was read from a stream.
 *
 * @param deleted null if no row was deleted
 */
public record TableContents(
    String name,
    List<InsertedColumn> inserted,
    List<ColumnUpdates> updates,
    @Nullable RowBits deleted) {
  /** Adds the table to a cargo, which checks it. */
  public void addTo(ChangeCargo.Builder cargo) {
    cargo.table(
        name,
        table -> {
          inserted.forEach(column -> table.insert(column.column(), column.values()));
          updates.forEach(up -> table.update(up.column(), up.rowIds(), up.values()));
          if (deleted != null) {
            table.delete(deleted);
          }
        });
  }
}
