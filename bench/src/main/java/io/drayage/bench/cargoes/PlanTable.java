package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * How many rows of one planning table a cargo inserts and updates. In an updated row one column
 * changes: in every other row the first of {@link PlanColumns#UPDATED}, in the rest the second.
 *
 * @param number sets the table's random values apart from those of other tables
 */
record PlanTable(int number, String name, long insertedRows, long updatedRows) {

  /** A table with that many changes, half of them inserts, and of the rest one more. */
  static PlanTable ofChanges(int number, String name, long changes) {
    return new PlanTable(number, name, changes / 2, changes - changes / 2);
  }

  long changes() {
    return insertedRows + updatedRows;
  }

  long rawBytes() {
    return insertedRows * PlanColumns.INSERTED_ROW_BYTES + updatedRows * 2 * Long.BYTES;
  }

  long heapBytes() {
    long inserted =
        PlanColumns.ALL.stream()
            .mapToLong(column -> WholePages.heapBytes(column.type(), insertedRows))
            .sum();
    long updated = 0;
    for (int i = 0; i < PlanColumns.UPDATED.size(); i++) {
      updated += 2 * WholePages.heapBytes(ColumnType.LONG, updatedRows(i));
    }
    return inserted + updated;
  }

  /**
   * Rows in which column {@code i} of {@link PlanColumns#UPDATED} changes; the first may be 1 more.
   */
  private long updatedRows(int i) {
    int columns = PlanColumns.UPDATED.size();
    return (updatedRows + columns - 1 - i) / columns;
  }

  BaseTable baseTable() {
    return new BaseTable(
        name, PlanColumns.ALL, RowIdRuns.FIRST_ID + RowIdRuns.rangeOf(updatedRows(0)));
  }

  /** Makes the table's changes and adds them to the cargo. */
  void addTo(ChangeCargo.Builder cargo, long seed, ProductCatalogue catalogue) {
    List<ColumnValues> inserted = new PlanInserts(seed, number, catalogue, insertedRows).fill();
    cargo.table(
        name,
        changes -> {
          for (int i = 0; i < inserted.size(); i++) {
            changes.insert(PlanColumns.ALL.get(i).name(), inserted.get(i));
          }
          for (int i = 0; i < PlanColumns.UPDATED.size(); i++) {
            addUpdates(changes, i, seed, catalogue);
          }
        });
  }

  /** Adds the same changes, whose pages are made on demand. */
  void addOnDemand(
      ChangeCargo.Builder cargo, long seed, ProductCatalogue catalogue, LongConsumer madeBytes) {
    PlanInserts inserts = new PlanInserts(seed, number, catalogue, insertedRows);
    cargo.table(
        name,
        changes -> {
          for (int column = 0; column < PlanColumns.ALL.size(); column++) {
            changes.insert(PlanColumns.ALL.get(column).name(), inserts.onDemand(column, madeBytes));
          }
          for (int i = 0; i < PlanColumns.UPDATED.size(); i++) {
            int column = PlanColumns.UPDATED.get(i);
            PlanUpdates.Filled updates =
                new PlanUpdates(seed, number, column, catalogue, updatedRows(i))
                    .onDemand(madeBytes);
            changes.update(PlanColumns.ALL.get(column).name(), updates.rowIds(), updates.values());
          }
        });
  }

  private void addUpdates(
      ChangeCargo.TableBuilder changes, int i, long seed, ProductCatalogue catalogue) {
    int column = PlanColumns.UPDATED.get(i);
    PlanUpdates.Filled updates =
        new PlanUpdates(seed, number, column, catalogue, updatedRows(i)).fill();
    changes.update(PlanColumns.ALL.get(column).name(), updates.rowIds(), updates.values());
  }
}
