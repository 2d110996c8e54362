package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Transactions that show in every snapshot whether one of them is lost, doubled, half visible, on
 * other rows, or past a conflict. Each transaction of a worker inserts its number into {@code
 * events}, and writes it into the worker's rows of {@code left} and {@code right}. After the first,
 * two kinds alternate. One adds 1 to a sum that the workers share, and replaces a table that has
 * the sum. The other deletes the oldest event of any worker, and counts in a table, which it adds
 * unless another worker has added it. Half of these insert the sum that they see into the replaced
 * table.
 */
final class Ledger {
  private static final int WORKERS = 4;

  private static final String TALLY = "tally-";

  /** The table that is replaced. */
  private static final String REPLACED = "replaced";

  /** Prefix of the tables of {@link WideStage}s. */
  static final String STAGE = "stage-";

  /** Number of transactions of each worker that count in one table. */
  private static final int NUMBERS_PER_TALLY = 4;

  private static final int MAX_TALLIES = 250;

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

  /** The names of the tables that the first transactions of a worker change. */
  static List<String> names() {
    return Stream.concat(
            Stream.concat(
                Stream.of(REPLACED), tables().stream().map(table -> table.schema().name())),
            IntStream.range(0, MAX_TALLIES).mapToObj(tally -> TALLY + tally))
        .toList();
  }

  private static InitialTable numbers(String table, int rows) {
    return new InitialTable(TableSchema.of(table, ColumnSchema.of("number", ColumnType.INT)), rows);
  }

  /**
   * Makes the {@code number}th transaction of a worker, from 1 on.
   *
   * @param noteChars number of characters of its note
   */
  static Transaction next(StoreSnapshot snapshot, int worker, int number, int noteChars) {
    Transaction transaction = Transaction.on(snapshot);
    String note = "n".repeat(noteChars) + number;
    transaction.insert("events", Map.of("worker", worker, "number", number, "note", note));
    transaction.update("left", "number", worker, number);
    transaction.update("right", "number", worker, number);
    if (number % 2 == 0) {
      int next = sum(snapshot) + 1;
      transaction.update("sum", "number", 0, next);
      if (snapshot.has(REPLACED)) {
        transaction.dropTable(REPLACED);
      }
      ColumnSchema ofSum = ColumnSchema.of("sum", ColumnType.INT);
      ColumnSchema ofWorker = ColumnSchema.of("worker", ColumnType.INT);
      transaction.createNewTable(
          next / 2 % 2 == 0
              ? TableSchema.of(REPLACED, ofSum, ofWorker)
              : TableSchema.of(REPLACED, ofWorker, ofSum));
      transaction.insert(REPLACED, Map.of("sum", next, "worker", worker));
      return transaction;
    }
    if (number > 1) {
      transaction.delete("events", oldest(snapshot.table("events")));
    }
    if (number % 4 == 1 && snapshot.has(REPLACED)) {
      transaction.insert(REPLACED, Map.of("sum", sum(snapshot), "worker", worker));
    }
    String tally = tally(number);
    transaction.createTable(
        TableSchema.of(
            tally,
            ColumnSchema.of("worker", ColumnType.INT),
            ColumnSchema.of("number", ColumnType.INT)));
    transaction.insert(tally, Map.of("worker", worker, "number", number));
    return transaction;
  }

  /** Whether a conflict is about rows that only one worker changes. */
  static boolean isOfOwnRows(String conflict) {
    return conflict.contains("table 'left'") || conflict.contains("table 'right'");
  }

  private static int sum(StoreSnapshot snapshot) {
    return (Integer) Objects.requireNonNull(snapshot.table("sum").get("number", 0));
  }

  private static String tally(int number) {
    return TALLY + number / NUMBERS_PER_TALLY;
  }

  private static long oldest(StoredTable events) {
    long row = 0;
    while (events.isDeleted(row)) {
      row++;
    }
    return row;
  }

  /** Number of transactions of a worker in a snapshot. */
  static int committed(StoreSnapshot snapshot, int worker) {
    return (Integer) snapshot.table("left").get("number", worker);
  }

  /**
   * Fails unless a snapshot can be the result of whole transactions, each once, in order.
   *
   * @return a digest of all rows
   */
  static long check(StoreSnapshot snapshot) {
    long digest = 0;
    int live = 0;
    int[] newest = new int[WORKERS];
    StoredTable events = snapshot.table("events");
    for (long row = 0; row < events.rowCount(); row++) {
      if (events.isDeleted(row)) {
        digest = digest * 31 + 1;
        continue;
      }
      live++;
      int worker = (Integer) events.get("worker", row);
      int number = (Integer) events.get("number", row);
      if (newest[worker] > 0) {
        assertThat(number)
            .as("snapshot %d: event %d of worker %d", snapshot.timestamp(), row, worker)
            .isEqualTo(newest[worker] + 1);
      }
      String note = (String) Objects.requireNonNull(events.get("note", row));
      assertThat(note.substring(note.lastIndexOf('n') + 1)).isEqualTo(Integer.toString(number));
      newest[worker] = number;
      digest = (digest * 31 + worker) * 31 + number;
    }
    int all = 0;
    int sum = 0;
    int deleted = 0;
    int odd = 0;
    for (int worker = 0; worker < WORKERS; worker++) {
      int number = committed(snapshot, worker);
      all += number;
      sum += number / 2;
      odd += (number + 1) / 2;
      deleted += Math.max(0, number - 1) / 2;
      assertThat(snapshot.table("right").get("number", worker))
          .as("snapshot %d: right of worker %d", snapshot.timestamp(), worker)
          .isEqualTo(number);
      assertThat(newest[worker])
          .as("snapshot %d: the last event of worker %d", snapshot.timestamp(), worker)
          .isIn(0, number);
    }
    assertThat(List.of(live, sum(snapshot)))
        .as("snapshot %d: live events, and the sum", snapshot.timestamp())
        .isEqualTo(List.of(all - deleted, sum));
    checkReplaced(snapshot);
    assertThat(tallied(snapshot)).as("snapshot %d", snapshot.timestamp()).hasSize(odd);
    snapshot.tables().stream()
        .filter(table -> table.schema().name().startsWith(STAGE))
        .forEach(table -> checkStage(snapshot, table));
    return digest;
  }

  /** Checks that all rows of the replaced table were made for the present one. */
  private static void checkReplaced(StoreSnapshot snapshot) {
    assertThat(snapshot.has(REPLACED)).isEqualTo(sum(snapshot) > 0);
    for (long row = 0; sum(snapshot) > 0 && row < snapshot.table(REPLACED).rowCount(); row++) {
      assertThat(snapshot.table(REPLACED).get("sum", row))
          .as("snapshot %d: row %d of the replaced table", snapshot.timestamp(), row)
          .isEqualTo(sum(snapshot));
    }
  }

  /** Checks that a stage has one row of each sender. */
  private static void checkStage(StoreSnapshot snapshot, StoredTable stage) {
    Set<Object> senders = new HashSet<>();
    for (long row = 0; row < stage.rowCount(); row++) {
      senders.add(stage.get("sender", row));
    }
    assertThat(List.of(senders.size(), stage.rowCount()))
        .as("snapshot %d: %s", snapshot.timestamp(), stage.schema().name())
        .isEqualTo(List.of(stage.get("senders", 0), (long) senders.size()));
  }

  /** The counted transactions, each once and in the table of its number. */
  private static Set<List<Object>> tallied(StoreSnapshot snapshot) {
    Set<List<Object>> all = new HashSet<>();
    for (StoredTable table : snapshot.tables()) {
      String name = table.schema().name();
      for (long row = 0; name.startsWith(TALLY) && row < table.rowCount(); row++) {
        int worker = (Integer) table.get("worker", row);
        int number = (Integer) table.get("number", row);
        assertThat(tally(number)).isEqualTo(name);
        assertThat(number).isLessThanOrEqualTo(committed(snapshot, worker));
        assertThat(all.add(List.of(worker, number)))
            .as("snapshot %d: %d of worker %d", snapshot.timestamp(), number, worker)
            .isTrue();
      }
    }
    return all;
  }
}
