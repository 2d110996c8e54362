package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.TableSchema;
import io.drayage.transactor.TransactorOptions.InitialTable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Transactions that show in every snapshot whether one of them is lost, doubled, half visible, on
 * other rows, or past a conflict. Each worker's next one inserts its number into {@code events},
 * deletes the one before the last, and writes the number into the worker's rows of {@code left} and
 * {@code right}; every second one adds 1 to a sum that the workers share.
 */
final class Ledger {
  private static final int WORKERS = 4;
  private static final int KEPT = 2;

  private Ledger() {}

  static List<InitialTable> tables() {
    return List.of(
        new InitialTable(
            TableSchema.of(
                "events",
                ColumnSchema.of("worker", ColumnType.INT),
                ColumnSchema.of("number", ColumnType.INT),
                ColumnSchema.nullable("note", ColumnType.STRING)),
            0),
        numbers("left", WORKERS),
        numbers("right", WORKERS),
        numbers("sum", 1));
  }

  private static InitialTable numbers(String table, int rows) {
    return new InitialTable(TableSchema.of(table, ColumnSchema.of("number", ColumnType.INT)), rows);
  }

  /** The {@code number}th transaction of a worker, from 1 on. */
  static Transaction next(StoreSnapshot snapshot, int worker, int number) {
    Transaction transaction = Transaction.on(snapshot);
    StoredTable events = snapshot.table("events");
    for (long row = 0; row < events.rowCount(); row++) {
      if (!events.isDeleted(row)
          && Objects.equals(events.get("worker", row), worker)
          && Objects.equals(events.get("number", row), number - KEPT)) {
        transaction.delete("events", row);
      }
    }
    transaction.insert("events", Map.of("worker", worker, "number", number, "note", "n" + number));
    transaction.update("left", "number", worker, number);
    transaction.update("right", "number", worker, number);
    if (number % 2 == 0) {
      transaction.update("sum", "number", 0, (Integer) snapshot.table("sum").get("number", 0) + 1);
    }
    return transaction;
  }

  /** How many transactions of a worker a snapshot holds. */
  static int committed(StoreSnapshot snapshot, int worker) {
    return (Integer) snapshot.table("left").get("number", worker);
  }

  /**
   * Fails if a snapshot could not have come about by whole transactions, each once, in order.
   *
   * @return a digest of all rows
   */
  static long check(StoreSnapshot snapshot) {
    long digest = 0;
    int[] live = new int[WORKERS];
    int[] newest = new int[WORKERS];
    StoredTable events = snapshot.table("events");
    for (long row = 0; row < events.rowCount(); row++) {
      if (events.isDeleted(row)) {
        digest = digest * 31 + 1;
        continue;
      }
      int worker = (Integer) events.get("worker", row);
      int number = (Integer) events.get("number", row);
      if (live[worker]++ > 0) {
        assertThat(number)
            .as("snapshot %d: event %d of worker %d", snapshot.timestamp(), row, worker)
            .isEqualTo(newest[worker] + 1);
      }
      assertThat(events.get("note", row)).isEqualTo("n" + number);
      newest[worker] = number;
      digest = (digest * 31 + worker) * 31 + number;
    }
    int sum = 0;
    for (int worker = 0; worker < WORKERS; worker++) {
      assertThat(List.of(snapshot.table("right").get("number", worker), newest[worker]))
          .as("snapshot %d: right and the last event of worker %d", snapshot.timestamp(), worker)
          .containsOnly(committed(snapshot, worker));
      assertThat(live[worker])
          .as("snapshot %d: events of worker %d", snapshot.timestamp(), worker)
          .isEqualTo(Math.min(KEPT, newest[worker]));
      sum += newest[worker] / 2;
    }
    assertThat(snapshot.table("sum").get("number", 0))
        .as("snapshot %d: the sum for %s", snapshot.timestamp(), Arrays.toString(newest))
        .isEqualTo(sum);
    return digest;
  }
}
