package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The columns to load, by table and name. The name for a table's deleted rows is empty. A table
 * without selected columns is left out.
 *
 * @param wanted whether a column is selected
 */
public record SnapshotSelection(BiPredicate<String, String> wanted) {
  /** The largest memory that the selected part of a cargo needs, during decoding or afterwards. */
  long memoryBytes(Manifest manifest) {
    return manifest.parts().stream()
        .filter(part -> wanted.test(part.table(), part.column()))
        .mapToLong(Part::memoryBytes)
        .sum();
  }

  /** The selected part of a whole cargo. */
  public ChangeCargo of(ChangeCargo whole) {
    ChangeCargo.Builder part = ChangeCargo.builder(whole.transactionId(), whole.baseSnapshot());
    whole.droppedTables().forEach(part::dropTable);
    TableSchema.only(whole.newTables(), wanted).forEach(part::newTable);
    for (TableChanges table : whole.tables()) {
      List<InsertedColumn> inserted =
          table.insertedColumns().stream()
              .filter(column -> wanted.test(table.table(), column.column()))
              .toList();
      List<ColumnUpdates> updates =
          table.updates().stream()
              .filter(update -> wanted.test(table.table(), update.column()))
              .toList();
      RowBits deleted = wanted.test(table.table(), "") ? table.deletedRows() : null;
      if (!inserted.isEmpty() || !updates.isEmpty() || deleted != null) {
        part.table(
            table.table(),
            changes -> {
              inserted.forEach(column -> changes.insert(column.column(), column.values()));
              updates.forEach(
                  update -> changes.update(update.column(), update.rowIds(), update.values()));
              if (deleted != null) {
                changes.delete(deleted);
              }
            });
      }
    }
    return part.build();
  }
}
