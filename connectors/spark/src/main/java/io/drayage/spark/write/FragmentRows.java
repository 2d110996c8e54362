package io.drayage.spark.write;

import io.drayage.cargo.ChangeCargo;
import io.drayage.spark.database.DrayageException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Inserted rows, by column. Not thread-safe. */
final class FragmentRows {
  private final RowBatch batch;
  private final List<ColumnPages> columns = new ArrayList<>();

  FragmentRows(TaskTable table) {
    this.batch = new RowBatch(table.row());
    for (int i = 0; i < table.columns().size(); i++) {
      columns.add(ColumnPages.of(table.columns().get(i), table.ordinals().get(i)));
    }
  }

  /**
   * Adds a row; the row object may change afterwards.
   *
   * @return whether the caller has to {@link #transpose}
   */
  boolean add(InternalRow row) {
    batch.add(row);
    return batch.isFull();
  }

  /**
   * Moves added rows to their columns.
   *
   * @throws DrayageException if a value does not fit into its column, with its name
   */
  void transpose() {
    for (ColumnPages column : columns) {
      column.append(batch.rows(), batch.count());
    }
    batch.clear();
  }

  /** Returns the raw bytes of the columns. */
  long bytes() {
    return columns.stream().mapToLong(ColumnPages::bytes).sum();
  }

  /** Whether the columns are empty. */
  boolean isEmpty() {
    return columns.isEmpty() || columns.get(0).isEmpty();
  }

  /** Moves the columns into a cargo. */
  void addTo(ChangeCargo.TableChangesBuilder changes) {
    if (!isEmpty()) {
      columns.forEach(each -> changes.insert(each.name(), each.take()));
    }
  }
}
