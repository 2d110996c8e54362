package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Transactions that show in every snapshot whether one of them is lost, doubled, reordered or half
 * visible. Each transaction of a worker inserts a row with its number, and writes that number into
 * the worker's rows of two tables.
 */
public final class Workload {
  /** Maximum number of workers. */
  public static final int WORKERS = 24;

  private static final int LARGE_CHARS = 16_000;
  private static final String EVENTS = "events";
  private static final String LEFT = "left";
  private static final String RIGHT = "right";

  private Workload() {}

  /** The tables. The first one has no rows. */
  public static List<InitialTable> tables() {
    return List.of(
        new InitialTable(
            TableSchema.of(
                EVENTS,
                ColumnSchema.of("worker", ColumnType.INT),
                ColumnSchema.of("number", ColumnType.INT),
                ColumnSchema.nullable("note", ColumnType.STRING)),
            0),
        counters(LEFT),
        counters(RIGHT));
  }

  /** Makes a database with these tables. */
  static void makeDatabase(ObjectStore objects) throws IOException {
    try (SnapshotMaintenance first = new SnapshotMaintenance(new SnapshotCatalog(objects))) {
      MemoryStore empty = new MemoryStore();
      empty.createTables(tables());
      first.makeDatabase(empty.snapshot());
    }
  }

  private static InitialTable counters(String name) {
    return new InitialTable(
        TableSchema.of(name, ColumnSchema.of("number", ColumnType.INT)), WORKERS);
  }

  /** Makes the {@code number}th transaction of a worker, from 1 on. */
  public static Transaction next(StoreSnapshot snapshot, int worker, int number) {
    return next(snapshot, worker, number, "n" + number);
  }

  /** Makes the {@code number}th transaction with more data than an entry of the log holds. */
  static Transaction nextLarge(StoreSnapshot snapshot, int worker, int number) {
    return next(snapshot, worker, number, largeNote(number));
  }

  private static String largeNote(int number) {
    StringBuilder note = new StringBuilder("n" + number);
    new Random(number).ints(LARGE_CHARS, ' ', '~').forEach(each -> note.append((char) each));
    return note.toString();
  }

  private static Transaction next(StoreSnapshot snapshot, int worker, int number, String note) {
    Transaction transaction = Transaction.on(snapshot);
    transaction.insert(EVENTS, Map.of("worker", worker, "number", number, "note", note));
    transaction.update(LEFT, "number", worker, number);
    transaction.update(RIGHT, "number", worker, number);
    return transaction;
  }

  /** Number of transactions of a worker in a snapshot. */
  public static int committed(StoreSnapshot snapshot, int worker) {
    return (Integer) snapshot.table(LEFT).get("number", worker);
  }

  /** Fails unless a snapshot can be the result of whole transactions, each once, in order. */
  public static void check(StoreSnapshot snapshot) {
    Map<Integer, Integer> newest = new HashMap<>();
    StoredTable events = snapshot.table(EVENTS);
    for (long row = 0; row < events.rowCount(); row++) {
      int worker = (Integer) events.get("worker", row);
      int number = (Integer) events.get("number", row);
      assertThat(number)
          .as("snapshot %d, event %d of worker %d", snapshot.timestamp(), row, worker)
          .isEqualTo(newest.getOrDefault(worker, 0) + 1);
      String note = (String) events.get("note", row);
      assertThat(note).isEqualTo(note.length() < LARGE_CHARS ? "n" + number : largeNote(number));
      newest.put(worker, number);
    }
    for (int worker = 0; worker < WORKERS; worker++) {
      int expected = newest.getOrDefault(worker, 0);
      assertThat(snapshot.table(LEFT).get("number", worker))
          .as("snapshot %d, left of worker %d", snapshot.timestamp(), worker)
          .isEqualTo(expected);
      assertThat(snapshot.table(RIGHT).get("number", worker))
          .as("snapshot %d, right of worker %d", snapshot.timestamp(), worker)
          .isEqualTo(expected);
    }
  }
}
