package io.drayage.spark.write;

import io.drayage.cargo.ChangeCargo;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.catalyst.InternalRow;

/** Puts rows of Spark together to cargoes of one table. Not thread-safe. */
final class FragmentBuilder {
  /** Raw bytes after which a fragment is shipped: memory is bounded by it at both ends. */
  private static final long FRAGMENT_BYTES = 96L << 20;

  private final TaskTable table;
  private final RowBatch batch;
  private final List<ColumnPages> columns = new ArrayList<>();
  private final long fragmentBytes;
  private long rows;
  private long takenBytes;

  FragmentBuilder(TaskTable table) {
    this(table, FRAGMENT_BYTES);
  }

  FragmentBuilder(TaskTable table, long fragmentBytes) {
    this.table = table;
    this.batch = new RowBatch(table.row());
    this.fragmentBytes = fragmentBytes;
    for (int i = 0; i < table.columns().size(); i++) {
      columns.add(ColumnPages.of(table.columns().get(i), table.ordinals().get(i)));
    }
  }

  /**
   * Adds a row, which may change afterwards.
   *
   * @return whether it is time to {@link #take} what there is
   * @throws IllegalArgumentException if a value has no place in its column, naming it
   */
  boolean add(InternalRow row) {
    batch.add(row);
    return batch.isFull() && transpose() >= fragmentBytes;
  }

  /** Returns the bytes that there are then. */
  private long transpose() {
    long bytes = 0;
    for (ColumnPages column : columns) {
      column.append(batch.rows(), batch.count());
      bytes += column.bytes();
    }
    rows += batch.count();
    batch.clear();
    return bytes;
  }

  boolean isEmpty() {
    return rows == 0 && batch.count() == 0;
  }

  /** Raw bytes of what was taken last. */
  long takenBytes() {
    return takenBytes;
  }

  /** A cargo that inserts what was added, at least a row; empty afterwards. */
  ChangeCargo take(long base) {
    if (batch.count() > 0) {
      long unused = transpose();
    }
    takenBytes = columns.stream().mapToLong(ColumnPages::bytes).sum();
    ChangeCargo.Builder cargo = ChangeCargo.builder(UUID.randomUUID(), base);
    if (table.isNew()) {
      cargo.newTable(table.schema());
    }
    cargo.table(
        table.name(), inserts -> columns.forEach(each -> inserts.insert(each.name(), each.take())));
    rows = 0;
    return cargo.build();
  }
}
