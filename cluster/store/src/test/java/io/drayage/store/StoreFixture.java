package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A store with tables of ten rows, and a replica that replays its commits. */
abstract class StoreFixture {
  static final TableSchema SALES =
      TableSchema.of(
          "sales",
          ColumnSchema.of("price", ColumnType.INT),
          ColumnSchema.nullable("note", ColumnType.STRING));

  static final TableSchema STOCK =
      TableSchema.of("stock", ColumnSchema.of("count", ColumnType.LONG));

  /** The transaction of {@link #begin()}. */
  static final UUID ID = new UUID(7, 7);

  final MemoryStore store = new MemoryStore();
  final MemoryStore copy = new MemoryStore();

  /** The snapshot on which {@link #cargo(Consumer)} is made. */
  StoreSnapshot base;

  StoreFixture(TableSchema... tables) {
    for (MemoryStore each : List.of(store, copy)) {
      for (TableSchema table : tables) {
        each.createTable(table, 10);
      }
    }
    base = store.snapshot();
  }

  final TransactionBuild begin() throws ShipmentException {
    return begin(false);
  }

  final TransactionBuild begin(boolean serializable) throws ShipmentException {
    return store.begin(named(ID, 0), OnConflict.REJECT, serializable, MemoryLimit.NONE, 0);
  }

  static LoggedTransaction named(UUID id, long base) {
    return new LoggedTransaction(id, base, "w", null);
  }

  final ChangeCargo cargo(Consumer<Transaction> edits) {
    return cargo(base, edits);
  }

  static ChangeCargo cargo(StoreSnapshot on, Consumer<Transaction> edits) {
    Transaction edit = Transaction.on(on);
    edits.accept(edit);
    return edit.toCargo();
  }

  /** Fails unless both have the same snapshot, with the same tables and rows. */
  static void assertSame(MemoryStore one, MemoryStore other) {
    assertThat(one.snapshot().timestamp()).isEqualTo(other.snapshot().timestamp());
    assertThat(CargoDigest.of(FullContents.toCargo(one.snapshot())))
        .isEqualTo(CargoDigest.of(FullContents.toCargo(other.snapshot())));
  }
}
