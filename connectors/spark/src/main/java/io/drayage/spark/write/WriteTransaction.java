package io.drayage.spark.write;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TypesTable;
import io.drayage.database.LogPosition;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Begun;
import io.drayage.replica.SnapshotColumns;
import io.drayage.spark.database.DrayageOption;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.TableDescription;
import io.drayage.store.column.StoredTable;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction at the driver: the driver's own changes, which precede those of the tasks, and its
 * end. Thread-safe as {@link DistributedTransaction}.
 */
final class WriteTransaction implements AutoCloseable {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final DrayageSession session;
  private final WritePlan plan;
  private final DistributedTransaction transaction;

  /** The driver's fragments, which precede those of the tasks. */
  private final List<UUID> own = new ArrayList<>();

  private long commitNs;
  private long snapshot;

  private WriteTransaction(
      DrayageSession session, WritePlan plan, DistributedTransaction transaction) {
    this.session = session;
    this.plan = plan;
    this.transaction = transaction;
  }

  /**
   * Begins the transaction, and sends the driver's changes: dropped and new tables, deleted rows.
   *
   * @throws IOException if it cannot be begun, or the table is not as planned
   */
  static WriteTransaction begin(WritePlan plan) throws IOException {
    DrayageSession session = DrayageSession.of(plan.options());
    return uninterrupted(
        "interrupted while a transaction was begun",
        () -> {
          DistributedTransaction begun =
              DistributedTransaction.begin(
                  new DistributedTransaction.Options(
                          plan.options().get(DrayageOption.NAME),
                          plan.base().timestamp(),
                          LEASE,
                          DrayageSession.PATIENCE)
                      .on(plan.base()),
                  session.coordination(),
                  session.connect());
          WriteTransaction write = new WriteTransaction(session, plan, begun);
          try (Begun undo = new Begun(write::close)) {
            write.prepare();
            return undo.keep(write);
          }
        });
  }

  private interface Step<T> {
    T run() throws IOException, InterruptedException;
  }

  private static <T> T uninterrupted(String message, Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(message, e);
    }
  }

  /** Returns an exception whose type tells Spark that a query was stopped. */
  private static InterruptedIOException interrupted(String message, Exception cause) {
    InterruptedIOException interrupted = new InterruptedIOException(message);
    interrupted.initCause(cause);
    return interrupted;
  }

  private void prepare() throws IOException, InterruptedException {
    TableDescription table = plan.table();
    if (!plan.drops() && !plan.isNew() && !plan.deletesAll()) {
      return;
    }
    ChangeCargo.Builder cargo = ChangeCargo.builder(UUID.randomUUID(), transaction.base());
    if (plan.drops() || plan.isNew()) {
      if (plan.drops()) {
        cargo.dropTable(table.name());
      }
      if (plan.isNew()) {
        cargo.newTable(table.schema()).mustBeNew(table.name());
      }
      changeTypes(table, cargo);
    } else {
      RowBits rows = liveRows(table);
      if (rows.cardinality() == 0) {
        return;
      }
      cargo.table(table.name(), changes -> changes.delete(rows));
    }
    try (FragmentSender sender =
        new FragmentSender(
            transaction.handle(),
            session.coordination(),
            session.connect(),
            DrayageSession.PATIENCE)) {
      own.addAll(sender.send(cargo.build()));
    }
  }

  /**
   * Deletes the kept types of the dropped table, and adds those of the new one. A wrong table of
   * types was refused before.
   */
  private void changeTypes(TableDescription table, ChangeCargo.Builder cargo) throws IOException {
    RowBits old = plan.drops() ? typesOf(table) : null;
    TypesTable.Rows rows = new TypesTable.Rows();
    for (int i = 0; plan.isNew() && i < table.columns().size(); i++) {
      String kept = table.columns().get(i).kept();
      if (kept != null) {
        rows.add(table.name(), table.column(i).name(), kept);
      }
    }
    if (!rows.isEmpty()) {
      cargo.newTable(TypesTable.SCHEMA);
    }
    if (old != null || !rows.isEmpty()) {
      cargo.table(
          TypesTable.NAME,
          changes -> {
            rows.insertInto(changes);
            if (old != null) {
              changes.delete(old);
            }
          });
    }
  }

  private @Nullable RowBits typesOf(TableDescription table) throws IOException {
    try (SnapshotColumns columns = session.store().open(1, base())) {
      return columns
          .snapshot((name, each) -> name.equals(TypesTable.NAME))
          .typesOf(Set.of(table.name()));
    }
  }

  /** Reads only one column of the table in the base. */
  private RowBits liveRows(TableDescription table) throws IOException {
    String column = table.narrowest().name();
    try (SnapshotColumns columns = session.store().open(1, base())) {
      if (!columns.tables().containsKey(table.name())
          || columns.made(table.name()) > plan.madeUntil()) {
        throw new ShipmentException(
            Fault.CONFLICT,
            format(
                "table '%s' was dropped by others since snapshot %d; run the statement again",
                table.name(), plan.madeUntil()));
      }
      StoredTable stored =
          columns
              .snapshot((name, each) -> name.equals(table.name()) && each.equals(column))
              .table(table.name());
      RowBits rows = new RowBits(stored.rowCount());
      for (long word = 0; word < rows.wordCount(); word++) {
        rows.setWord(word, ~stored.deleted().word(word));
      }
      return rows;
    }
  }

  /** Returns the snapshot on which it is made. */
  private LogPosition base() throws IOException {
    TransactionHandle handle = transaction.handle();
    return handle.baseChecksum() == 0
        ? session.snapshot(handle.base())
        : new LogPosition(handle.database(), handle.base(), handle.baseChecksum());
  }

  TransactionHandle handle() {
    return transaction.handle();
  }

  /** Fails if it is known that it cannot be committed any more. */
  void requireAlive() throws IOException {
    transaction.requireAlive();
  }

  /** Commits with the planned number. */
  void commit(List<UUID> fragments) throws IOException {
    commit(fragments, plan.app());
  }

  /**
   * Commits the fragments of the driver and the tasks.
   *
   * @param app the number by which it takes effect once; null for none
   * @throws IOException if it is not committed, or if the outcome is unknown, which the error says
   */
  void commit(List<UUID> fragments, @Nullable AppVersion app) throws IOException {
    List<UUID> all = new ArrayList<>(own);
    all.addAll(fragments);
    long beganNs = System.nanoTime();
    DistributedTransaction.How how =
        new DistributedTransaction.How(
            Acknowledgement.PUBLISHED,
            OnConflict.REJECT,
            plan.serializable(),
            app,
            plan.madeUntil());
    try {
      DistributedTransaction.Committed committed =
          uninterrupted(
              "interrupted before a transaction was committed: it has no effect",
              () -> transaction.commit(all, how));
      snapshot = committed.snapshot();
    } catch (ShipmentException e) {
      String message =
          format(
              "transaction %s is %s: %s: %s%s",
              transaction.handle().transaction(),
              e.outcome() == ShipmentException.Outcome.UNKNOWN
                  ? "committed or not: no node has answered"
                  : "not committed",
              e.fault(),
              e.getMessage(),
              e.fault() == Fault.CONFLICT
                  ? "; run the statement again, on the newest snapshot"
                  : "");
      throw e.fault() == Fault.CANCELLED && Thread.currentThread().isInterrupted()
          ? interrupted(message, e)
          : new IOException(message, e);
    }
    commitNs = System.nanoTime() - beganNs;
    transaction.close();
  }

  long commitNs() {
    return commitNs;
  }

  /** Returns the snapshot in which it took effect; 0 before. */
  long snapshot() {
    return snapshot;
  }

  /** Aborts the transaction unless it is committed. */
  @Override
  public void close() {
    transaction.close();
  }

  /** Commits a plan without tasks. */
  static void run(WritePlan plan) throws IOException {
    try (WriteTransaction write = begin(plan)) {
      write.commit(List.of());
    }
  }
}
