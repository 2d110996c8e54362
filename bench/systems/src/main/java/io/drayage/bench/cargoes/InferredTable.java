package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Infers a table from changes to it. */
final class InferredTable {
  /** The column of a table for which a cargo names no column, because a table has at least one. */
  private static final ColumnSchema UNNAMED = new ColumnSchema("unnamed", ColumnType.BYTE, false);

  private InferredTable() {}

  /**
   * Returns the smallest table to which {@code changes} can be committed.
   *
   * @throws IllegalArgumentException if the changes contradict each other, naming table and column
   */
  static InitialTable of(TableChanges changes) {
    Map<String, ColumnSchema> columns = new LinkedHashMap<>();
    for (InsertedColumn inserted : changes.insertedColumns()) {
      columns.put(inserted.column(), column(inserted.column(), inserted.values()));
    }
    boolean inserts = !columns.isEmpty();
    for (ColumnUpdates update : changes.updates()) {
      ColumnSchema updated = column(update.column(), update.values());
      ColumnSchema before = columns.put(update.column(), updated);
      if (before != null) {
        columns.put(update.column(), merged(changes.table(), before, updated));
      } else if (inserts) {
        throw new IllegalArgumentException(
            "table '%s' inserts rows without column '%s', which it updates"
                .formatted(changes.table(), update.column()));
      }
    }
    List<ColumnSchema> found = columns.isEmpty() ? List.of(UNNAMED) : List.copyOf(columns.values());
    return new InitialTable(new TableSchema(changes.table(), found), rowCount(changes));
  }

  private static ColumnSchema column(String name, ColumnValues values) {
    return new ColumnSchema(name, values.type(), hasNull(values));
  }

  private static ColumnSchema merged(String table, ColumnSchema inserted, ColumnSchema updated) {
    if (inserted.type() != updated.type()) {
      throw new IllegalArgumentException(
          "column '%s' of table '%s' is inserted as %s and updated as %s"
              .formatted(inserted.name(), table, inserted.type(), updated.type()));
    }
    return new ColumnSchema(
        inserted.name(), inserted.type(), inserted.nullable() || updated.nullable());
  }

  private static boolean hasNull(ColumnValues values) {
    return values.validity() != null
        && LongStream.range(0, values.rowCount()).parallel().anyMatch(values::isNull);
  }

  private static long rowCount(TableChanges changes) {
    RowBits deleted = changes.deletedRows();
    long updated =
        changes.updates().stream()
            .mapToLong(update -> largest(update.rowIds()) + 1)
            .max()
            .orElse(0);
    return Math.max(updated, deleted == null ? 0 : deleted.size());
  }

  /** Returns the largest row id; -1 if there is none. */
  private static long largest(ColumnValues rowIds) {
    return LongStream.range(0, rowIds.rowCount())
        .parallel()
        .map(row -> ((long[]) rowIds.page(rowIds.pageOf(row)))[rowIds.offsetOf(row)])
        .max()
        .orElse(-1);
  }
}
