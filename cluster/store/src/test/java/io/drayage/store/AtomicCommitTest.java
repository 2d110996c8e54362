package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class AtomicCommitTest {
  private static MemoryStore storeOf(Executor executor) {
    MemoryStore store = new MemoryStore(0, executor, 4);
    for (String table : new String[] {"t", "u"}) {
      store.createTable(
          TableSchema.of(
              table, ColumnSchema.of("a", ColumnType.INT), ColumnSchema.of("b", ColumnType.INT)),
          10);
    }
    return store;
  }

  /** Inserts into and updates both tables; {@code lastRow} is the row updated last in u. */
  private static ChangeCargo cargo(long lastRow) {
    return ChangeCargo.builder(new UUID(0, 1), 0)
        .table(
            "t",
            table ->
                table
                    .insert("a", Columns.of(ColumnType.INT, 1))
                    .insert("b", Columns.of(ColumnType.INT, 2))
                    .update("a", Columns.rows(3), Columns.of(ColumnType.INT, 3))
                    .delete(Columns.bits(10, 5)))
        .table(
            "u",
            table ->
                table
                    .update("a", Columns.rows(1, 2), Columns.of(ColumnType.INT, 4, 5))
                    .update("b", Columns.rows(1, lastRow), Columns.of(ColumnType.INT, 6, 7)))
        .build();
  }

  private static void assertUntouched(MemoryStore store, StoreSnapshot base) {
    assertThat(store.snapshot()).isSameAs(base);
    assertThat(store.lastApplied()).isNull();
    for (StoredTable table : base.tables()) {
      assertThat(table.rowCount()).isEqualTo(10);
      assertThat(table.liveRowCount()).isEqualTo(10);
      assertThat(Columns.valuesOf(table, "a")).containsOnly(0);
      assertThat(Columns.valuesOf(table, "b")).containsOnly(0);
    }
  }

  @Test
  void leavesNothingOfACargoWhoseLastTableIsBad() throws ShipmentException {
    MemoryStore store = storeOf(Runnable::run);
    StoreSnapshot base = store.snapshot();

    assertThatThrownBy(() -> store.commit(cargo(10)))
        .hasMessage("column 'b' of table 'u': row 10 is outside the table's 10 rows");

    assertUntouched(store, base);
    assertThat(store.commit(cargo(9))).isEqualTo(1);
    assertThat(store.lastApplied().digest()).isEqualTo(CargoDigest.of(cargo(9)));
  }

  @Test
  void leavesNothingIfMemoryRunsOutWhileItApplies() throws ShipmentException {
    FailingExecutor executor = new FailingExecutor();
    MemoryStore store = storeOf(executor);
    StoreSnapshot base = store.snapshot();

    // Checks and work both have tasks: make each of them fail, one after the other.
    for (int healthyCalls = 0; store.snapshot() == base; healthyCalls++) {
      executor.healthyCalls = healthyCalls;
      try {
        store.commit(cargo(9));
      } catch (OutOfMemoryError expected) {
        assertUntouched(store, base);
      }
    }

    assertThat(executor.failures).isGreaterThan(1);
    assertThat(store.snapshot().timestamp()).isEqualTo(1);
    assertThat(store.lastApplied().digest()).isEqualTo(CargoDigest.of(cargo(9)));
  }

  @Test
  void commitsAlthoughTheExecutorRefusesEverything() throws ShipmentException {
    MemoryStore store =
        storeOf(
            task -> {
              throw new RejectedExecutionException("full");
            });

    assertThat(store.commit(cargo(9))).isEqualTo(1);
    assertThat(store.lastApplied().digest()).isEqualTo(CargoDigest.of(cargo(9)));
  }

  @Test
  void commitsAlthoughTheExecutorNeverRunsATask() throws ShipmentException {
    MemoryStore store = storeOf(task -> {});

    assertThat(store.commit(cargo(9))).isEqualTo(1);
  }

  /** An executor that runs a number of tasks, and then runs out of memory. */
  private static final class FailingExecutor implements Executor {
    private int healthyCalls;
    private int failures;

    @Override
    public void execute(Runnable task) {
      if (healthyCalls-- <= 0) {
        failures++;
        throw new OutOfMemoryError("as asked for");
      }
      task.run();
    }
  }
}
