package io.drayage.isolation;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A session of random transactions on lists. Each cell holds a list of numbers as text. A
 * transaction reads some lists and appends its own number to some. Transactions that ignore
 * conflicts may overwrite the lists of one table. All sessions use the same few lists until these
 * are long, then the next ones. Not thread-safe.
 */
public final class ListSession {
  private static final List<Acknowledgement> LEVELS = List.of(Acknowledgement.values());

  /** Number of lists of each table. */
  private static final int LISTS = 8_192;

  private static final List<String> TABLES = List.of("left", "right");
  private static final String OVERWRITTEN = "overwritten";

  /** A table whose rows are inserted and never changed. */
  public static final String BALLAST = "ballast";

  /** The column of every table. */
  public static final String COLUMN = "list";

  /** Number of lists of each table in use, for a few sessions. */
  private static final int WINDOW = 5;

  /** Sessions that use as many lists. */
  private static final int SESSIONS_OF_WINDOW = 4;

  /** Number of elements from which on a list is no longer in use. */
  private static final int LONG_LIST = 30;

  /** A way to commit. */
  public interface Way {
    /**
     * Begins to commit.
     *
     * @return the id that the transaction has in the log
     */
    UUID begin(Transaction transaction) throws IOException, InterruptedException;

    /**
     * Commits the transaction that was begun last.
     *
     * @return its timestamp, once the session sees it
     */
    long commit(Transaction transaction, CommitOptions how)
        throws IOException, InterruptedException;
  }

  private final Worker worker;
  private final Way way;
  private final TransactionHistory history;
  private final int number;
  private final String name;
  private final SplittableRandom random;
  private final int ballast;
  private long elements;
  private int window;
  private int windowSize = WINDOW;

  /**
   * @param number unique among the sessions of a history
   * @param ballast bytes that each transaction inserts in addition
   */
  public ListSession(
      Worker worker, TransactionHistory history, int number, long seed, int ballast) {
    this(worker, alone(worker), history, number, seed, ballast);
  }

  /** Creates a session with another way to commit. */
  public ListSession(
      Worker worker, Way way, TransactionHistory history, int number, long seed, int ballast) {
    this.ballast = ballast;
    this.worker = worker;
    this.way = way;
    this.history = history;
    this.number = number;
    this.name = "session-" + number;
    this.random = new SplittableRandom(seed + number);
  }

  /** Uses so many lists that this number of sessions do not mostly conflict. */
  public ListSession among(int sessions) {
    windowSize = WINDOW * Math.max(1, sessions / SESSIONS_OF_WINDOW);
    return this;
  }

  /** Commits as one cargo of a worker. */
  public static Way alone(Worker worker) {
    return new Way() {
      @Override
      public UUID begin(Transaction transaction) {
        return transaction.id();
      }

      @Override
      public long commit(Transaction transaction, CommitOptions how)
          throws IOException, InterruptedException {
        return worker.commit(transaction, how).timestamp();
      }
    };
  }

  /** The tables, with empty lists. */
  public static List<InitialTable> tables() {
    List<InitialTable> tables = new ArrayList<>();
    for (String table : List.of("left", "right", OVERWRITTEN)) {
      TableSchema schema = TableSchema.of(table, ColumnSchema.of(COLUMN, ColumnType.STRING));
      tables.add(new InitialTable(schema, LISTS));
    }
    TableSchema ballast = TableSchema.of(BALLAST, ColumnSchema.of(COLUMN, ColumnType.STRING));
    tables.add(new InitialTable(ballast, 0));
    return tables;
  }

  /** Digest of all tables. */
  public static String digest(StoreSnapshot snapshot) {
    CRC32C digest = new CRC32C();
    for (InitialTable table : tables()) {
      StoredTable stored = snapshot.table(table.schema().name());
      for (long row = 0; row < stored.rowCount(); row++) {
        digest.update((stored.get(COLUMN, row) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    return format("%08x", digest.getValue());
  }

  /** A transaction that reads all lists with elements. */
  public static BegunTransaction readAll(StoreSnapshot snapshot, String session) {
    Map<String, List<Long>> reads = new LinkedHashMap<>();
    for (InitialTable table : tables()) {
      String name = table.schema().name();
      for (int row = 0; row < table.rows(); row++) {
        List<Long> read = parse((String) snapshot.table(name).get(COLUMN, row));
        if (!read.isEmpty()) {
          reads.put(name + "/" + row, read);
        }
      }
    }
    return new BegunTransaction(
        UUID.randomUUID(),
        session,
        System.nanoTime(),
        snapshot.timestamp(),
        OnConflict.REJECT,
        reads,
        Map.of());
  }

  /**
   * Makes the next transaction on the worker's snapshot, and commits it; some only read.
   *
   * @return its outcome; null if it only reads, or could not begin
   */
  public @Nullable TransactionOutcome next() throws IOException, InterruptedException {
    StoreSnapshot snapshot = worker.snapshot();
    moveWindow(snapshot);
    boolean overwrite = random.nextInt(4) == 0;
    Transaction transaction = Transaction.on(snapshot);
    Map<String, List<Long>> reads = new LinkedHashMap<>();
    Map<String, List<Long>> appends = new LinkedHashMap<>();
    int reading = 1 + random.nextInt(3);
    for (int i = 0; i < reading; i++) {
      read(transaction, anyTable(), reads);
    }
    int appending = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < appending; i++) {
      append(transaction, overwrite ? OVERWRITTEN : anyTable(), reads, appends);
    }
    OnConflict onConflict = overwrite ? OnConflict.OVERWRITE : OnConflict.REJECT;
    Acknowledgement level = LEVELS.get(random.nextInt(LEVELS.size()));
    UUID id;
    try {
      id = appends.isEmpty() ? transaction.id() : way.begin(transaction);
    } catch (IOException e) {
      return null;
    }
    history.begun(
        new BegunTransaction(
            id, name, System.nanoTime(), snapshot.timestamp(), onConflict, reads, appends));
    if (appends.isEmpty()) {
      return null;
    }
    if (ballast > 0) {
      transaction.insert(BALLAST, Map.of(COLUMN, Long.toString(elements % 10).repeat(ballast)));
    }
    Ended ended = commit(id, transaction, new CommitOptions(level, onConflict));
    history.ended(ended);
    return ended.outcome();
  }

  private Ended commit(UUID id, Transaction transaction, CommitOptions how)
      throws InterruptedException {
    try {
      long timestamp = way.commit(transaction, how);
      return new Ended(id, System.nanoTime(), TransactionOutcome.COMMITTED, timestamp, "");
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      return new Ended(id, System.nanoTime(), TransactionOutcome.of(e), 0, message);
    }
  }

  private void moveWindow(StoreSnapshot snapshot) {
    while (window < LISTS - windowSize
        && parse((String) snapshot.table(TABLES.get(0)).get(COLUMN, window)).size() >= LONG_LIST) {
      window++;
    }
  }

  private String anyTable() {
    int table = random.nextInt(TABLES.size() + 1);
    return table < TABLES.size() ? TABLES.get(table) : OVERWRITTEN;
  }

  private int read(Transaction transaction, String table, Map<String, List<Long>> reads) {
    int row = window + random.nextInt(windowSize);
    String text = (String) transaction.get(table, COLUMN, row);
    reads.putIfAbsent(table + "/" + row, parse(text));
    return row;
  }

  /** Appends mostly one element, sometimes two in a row. */
  private void append(
      Transaction transaction,
      String table,
      Map<String, List<Long>> reads,
      Map<String, List<Long>> appends) {
    int row = read(transaction, table, reads);
    String list = table + "/" + row;
    int count = random.nextInt(6) == 0 ? 2 : 1;
    for (int i = 0; i < count; i++) {
      long element = number * 1_000_000L + ++elements;
      appends.computeIfAbsent(list, key -> new ArrayList<>()).add(element);
      String text = (String) transaction.get(table, COLUMN, row);
      String longer = String.valueOf(text).isEmpty() ? "" + element : text + "," + element;
      transaction.update(table, COLUMN, row, longer);
    }
  }

  private static List<Long> parse(@Nullable String text) {
    return text == null || text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
  }
}
