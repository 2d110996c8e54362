package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The columns to load, by table and name. The name for a table's deleted rows is empty. A table
 * without selected columns is left out.
 *
 * @param wanted whether a column is selected
 * @param needed whether a segment of a selected column is needed. The values of others may be
 *     missing: then a page is null, or has default values
 */
public record SnapshotSelection(BiPredicate<String, String> wanted, Predicate<Segment> needed) {
  /** All rows of some columns. */
  public SnapshotSelection(BiPredicate<String, String> wanted) {
    this(wanted, segment -> true);
  }

  /** Whether a segment is selected. */
  boolean has(Segment segment) {
    return wanted.test(segment.part().table(), segment.part().column()) && needed.test(segment);
  }

  /** The largest memory that the selected part of a cargo needs, during decoding or afterwards. */
  long memoryBytes(Manifest manifest) {
    long bytes = 0;
    for (Segment segment : manifest.segments()) {
      if (has(segment)) {
        Part part = segment.part();
        bytes += (long) ((double) part.memoryBytes() * segment.rowCount() / part.rowCount());
      }
    }
    return bytes;
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
