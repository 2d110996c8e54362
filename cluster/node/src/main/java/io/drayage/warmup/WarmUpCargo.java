package io.drayage.warmup;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A small cargo with made-up values. It inserts and updates a column of every type, and deletes
 * rows. Also makes the table that the cargo changes.
 *
 * @param inserts a column of each type
 * @param rowIds of the updated rows
 * @param updates a column of each type
 */
record WarmUpCargo(List<ColumnValues> inserts, ColumnValues rowIds, List<ColumnValues> updates) {
  /** Upper bound of the raw bytes of a cargo. */
  static final long MAX_BYTES = 4 << 20;

  private static final String TABLE = "warm_up";
  private static final int ROWS = 16_384;
  private static final int UPDATED_ROWS = 4_096;

  /** Interval of updated rows. The neighbour of each is updated too. */
  private static final int STEP = 3;

  /** Knuth's multiplier, for values without runs. */
  private static final int MIX = 0x9E3779B1;

  static WarmUpCargo make() {
    List<ColumnValues> inserts = new ArrayList<>();
    List<ColumnValues> updates = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      inserts.add(values(type, ROWS));
      updates.add(values(type, UPDATED_ROWS));
    }
    long[] ids = new long[UPDATED_ROWS];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = (long) i / 2 * STEP + i % 2;
    }
    return new WarmUpCargo(
        List.copyOf(inserts), ColumnValues.of(new long[][] {ids}), List.copyOf(updates));
  }

  private static ColumnValues values(ColumnType type, int rows) {
    ColumnBuilder values = new ColumnBuilder(type);
    for (int row = 0; row < rows; row++) {
      values.add(value(type, row));
    }
    return values.build();
  }

  private static Object value(ColumnType type, int row) {
    int mixed = (row * MIX) >>> 16;
    return switch (type) {
      case BOOLEAN -> mixed % 3 == 0;
      case BYTE -> (byte) (mixed % 5);
      case SHORT -> (short) (row / 64);
      case INT -> mixed;
      case LONG -> 1_000_000L + row;
      case FLOAT -> mixed / 4f;
      case DOUBLE -> mixed / 100.0;
      case STRING -> "text " + mixed % 100;
    };
  }

  /** Makes a store with the table that the cargo changes. */
  static MemoryStore store() {
    MemoryStore store = new MemoryStore();
    List<ColumnSchema> columns = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      columns.add(ColumnSchema.of(type.name(), type));
    }
    store.createTable(new TableSchema(TABLE, columns), 2L * ROWS);
    return store;
  }

  /** Returns the cargo as a new transaction on snapshot 0. */
  ChangeCargo next() {
    RowBits deleted = new RowBits(2L * ROWS);
    deleted.set(2L * ROWS - 1);
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .table(
            TABLE,
            changes -> {
              inserts.forEach(values -> changes.insert(values.type().name(), values));
              updates.forEach(values -> changes.update(values.type().name(), rowIds, values));
              changes.delete(deleted);
            })
        .build();
  }
}
