package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;

/** Collects the updates of two columns that always change together: they share their row ids. */
final class TpchUpdates {
  private final String firstColumn;
  private final String secondColumn;
  private final ColumnBuilder rowIds = new ColumnBuilder(ColumnType.LONG);
  private final ColumnBuilder firstValues;
  private final ColumnBuilder secondValues;

  TpchUpdates(
      String firstColumn, ColumnType firstType, String secondColumn, ColumnType secondType) {
    this.firstColumn = firstColumn;
    this.secondColumn = secondColumn;
    this.firstValues = new ColumnBuilder(firstType);
    this.secondValues = new ColumnBuilder(secondType);
  }

  /** Starts the update of a row, whose number is above all before; both values must follow. */
  void addRow(long row) {
    rowIds.addLong(row);
  }

  ColumnBuilder first() {
    return firstValues;
  }

  ColumnBuilder second() {
    return secondValues;
  }

  /** Adds both columns to the cargo; nothing may be collected afterwards. */
  void addTo(ChangeCargo.TableBuilder changes) {
    ColumnValues ids = rowIds.build();
    changes.update(firstColumn, ids, firstValues.build());
    changes.update(secondColumn, ids, secondValues.build());
  }
}
