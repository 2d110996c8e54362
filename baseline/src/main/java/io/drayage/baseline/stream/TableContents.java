package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds a table that was read from a stream to a cargo. */
public final class TableContents {
  private TableContents() {}

  /**
   * Adds the table to a cargo.
   *
   * @param deleted null if no row was deleted
   */
  public static void add(
      ChangeCargo.Builder cargo,
      String name,
      List<InsertedColumn> inserted,
      List<ColumnUpdates> updates,
      @Nullable RowBits deleted) {
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
