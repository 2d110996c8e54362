package io.drayage.duckdb.changes;

import io.drayage.worker.CommittedChange;
import io.drayage.worker.RowChange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** A batch of changes that is filled row by row. Not thread-safe. */
final class ChangeBatch implements AutoCloseable {
  /** The limit of rows in a batch. */
  static final int MAX_ROWS = 8_192;

  private final VectorSchemaRoot root;
  private final Map<String, Cells> cells = new LinkedHashMap<>();
  private final Structs values;
  private final @Nullable Structs before;
  private final @Nullable Set<String>[] updated = newSets();
  private int rows;

  ChangeBatch(Schema schema, BufferAllocator memory) {
    this.root = VectorSchemaRoot.create(schema, memory);
    for (Field field : schema.getFields().subList(0, ChangeSchema.ROW_INDEX + 1)) {
      cells.put(field.getName(), new Cells(field, MAX_ROWS));
    }
    this.values = new Structs((StructVector) root.getVector(ChangeSchema.VALUES));
    this.before =
        root.getVector(ChangeSchema.BEFORE) instanceof StructVector vector
            ? new Structs(vector)
            : null;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable Set<String>[] newSets() {
    return new Set[MAX_ROWS];
  }

  /** Values of the table's columns. */
  private static final class Structs {
    private final StructVector vector;
    private final Map<String, Cells> columns = new LinkedHashMap<>();
    private final boolean[] present = new boolean[MAX_ROWS];

    Structs(StructVector vector) {
      this.vector = vector;
      for (FieldVector column : vector.getChildrenFromFields()) {
        columns.put(column.getName(), new Cells(column.getField(), MAX_ROWS));
      }
    }

    void set(int row, Map<String, @Nullable Object> values) {
      present[row] = !values.isEmpty();
      columns.forEach((name, column) -> column.set(row, values.get(name)));
    }

    void fill(int rows) {
      vector.setInitialCapacity(rows);
      vector.allocateNew();
      for (FieldVector column : vector.getChildrenFromFields()) {
        Cells set = columns.get(column.getName());
        if (set != null) {
          set.fill(column, rows);
        }
      }
      for (int row = 0; row < rows; row++) {
        if (present[row]) {
          vector.setIndexDefined(row);
        } else {
          vector.setNull(row);
        }
      }
      vector.setValueCount(rows);
    }
  }

  boolean isFull() {
    return rows == MAX_ROWS;
  }

  void addRow(CommittedChange change, RowChange row) {
    String kind = row.kind().name().toLowerCase(Locale.ROOT);
    Map<String, @Nullable Object> now = row.values();
    Map<String, @Nullable Object> then = row.before();
    boolean isUpdate = !now.isEmpty() && !then.isEmpty();
    add(kind, change.snapshot(), change, row.row(), isUpdate ? now.keySet() : null, now, then);
  }

  /** Adds the row that ends a commit. */
  void addCommit(CommittedChange change) {
    add("commit", change.snapshot(), change, null, null, Map.of(), Map.of());
  }

  /** Adds the row that begins the changes. */
  void addStart(long position) {
    add("start", position, null, null, null, Map.of(), Map.of());
  }

  private void add(
      String kind,
      long snapshot,
      @Nullable CommittedChange change,
      @Nullable Long row,
      @Nullable Set<String> columns,
      Map<String, @Nullable Object> now,
      Map<String, @Nullable Object> then) {
    set(ChangeSchema.KIND, kind);
    set(ChangeSchema.SNAPSHOT, snapshot);
    set(ChangeSchema.TRANSACTION, change == null ? null : change.transactionId().toString());
    set(ChangeSchema.COMMITTED, change == null ? null : nanos(change.committed()));
    set(ChangeSchema.ROW, row);
    updated[rows] = columns;
    values.set(rows, now);
    if (before != null) {
      before.set(rows, then);
    }
    rows++;
  }

  private void set(String column, @Nullable Object value) {
    Cells set = cells.get(column);
    if (set != null) {
      set.set(rows, value);
    }
  }

  private static long nanos(Instant time) {
    return Math.addExact(TimeUnit.SECONDS.toNanos(time.getEpochSecond()), time.getNano());
  }

  /** Returns the rows so far as vectors of this batch. The next row begins another batch. */
  VectorSchemaRoot take() {
    cells.forEach((name, column) -> column.fill(root.getVector(name), rows));
    fillUpdated((ListVector) root.getVector(ChangeSchema.UPDATED));
    values.fill(rows);
    if (before != null) {
      before.fill(rows);
    }
    root.setRowCount(rows);
    rows = 0;
    Arrays.fill(updated, null);
    return root;
  }

  private void fillUpdated(ListVector lists) {
    lists.setInitialCapacity(rows);
    lists.allocateNew();
    VarCharVector names = (VarCharVector) lists.getDataVector();
    int count = 0;
    for (int row = 0; row < rows; row++) {
      Set<String> columns = updated[row];
      if (columns == null) {
        lists.setNull(row);
      } else {
        lists.startNewValue(row);
        for (String column : columns) {
          names.setSafe(count++, column.getBytes(StandardCharsets.UTF_8));
        }
        lists.endValue(row, columns.size());
      }
    }
    lists.setValueCount(rows);
  }

  @Override
  public void close() {
    root.close();
  }
}
