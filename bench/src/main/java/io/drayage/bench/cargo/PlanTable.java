package io.drayage.bench.cargo;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;

/**
 * How many rows of one planning table a cargo inserts and updates. The table has a quarter more
 * rows than are updated.
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

  BaseTable baseTable() {
    return new BaseTable(name, PlanColumns.ALL, RowIdRuns.rangeOf(updatedRows));
  }

  /** Makes the table's changes and adds them to the cargo. */
  void addTo(ChangeCargo.Builder cargo, long seed, ProductCatalogue catalogue) {
    ColumnValues[] inserted =
        new PlanInserts(seed, number, catalogue, baseTable().rowCount(), insertedRows).fill();
    PlanUpdates updates = new PlanUpdates(seed, number, catalogue, updatedRows);
    ColumnValues[] updated = updates.values();
    cargo.table(
        name,
        changes -> {
          for (int i = 0; i < inserted.length; i++) {
            changes.insert(PlanColumns.ALL.get(i).name(), inserted[i]);
          }
          for (int i = 0; i < updated.length; i++) {
            String column = PlanColumns.ALL.get(PlanColumns.UPDATED.get(i)).name();
            changes.update(column, updates.rowIds(), updated[i]);
          }
        });
  }
}
