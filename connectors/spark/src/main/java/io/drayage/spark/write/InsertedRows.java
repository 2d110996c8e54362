package io.drayage.spark.write;

import io.drayage.cargo.ChangeCargo;
import io.drayage.spark.database.DrayageException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows that are inserted, by column. Not thread-safe. */
final class InsertedRows {
  private final RowBatch batch;
  private final List<ColumnPages> columns = new ArrayList<>();

  InsertedRows(TaskTable table) {
    this.batch = new RowBatch(table.row());
    for (int i = 0; i < table.columns().size(); i++) {
      columns.add(ColumnPages.of(table.columns().get(i), table.ordinals().get(i)));
    }
  }

  /**
   * Adds a row, which may change afterwards.
   *
   * @return whether it is time to {@link #transpose}
   */
  boolean add(InternalRow row) {
    batch.add(row);
    return batch.isFull();
  }

  /**
   * Moves rows that were added to their columns.
   *
   * @throws DrayageException if a value has no place in its column, naming it
   */
  void transpose() {
    for (ColumnPages column : columns) {
      column.append(batch.rows(), batch.count());
    }
    batch.clear();
  }

  /** Raw bytes of what is in columns. */
  long bytes() {
    return columns.stream().mapToLong(ColumnPages::bytes).sum();
  }

  /** Whether nothing is in columns. */
  boolean isEmpty() {
    return columns.isEmpty() || columns.get(0).isEmpty();
  }

  /** Moves what is in columns into a cargo. */
  void addTo(ChangeCargo.TableChangesBuilder changes) {
    if (!isEmpty()) {
      columns.forEach(each -> changes.insert(each.name(), each.take()));
    }
  }
}
