package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.coordination.Coordination;
import io.drayage.frame.AppVersion;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.isolation.ListSession;
import io.drayage.objectstore.ObjectStore;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import io.drayage.testing.Waiting;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commits half of the transactions of a session in four parts, like those of four workers. Each
 * part also inserts rows that name the transaction. At the end, a transaction has all of these rows
 * once, or none.
 */
final class TortureTogether implements ListSession.Way {
  static final Duration LEASE = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int ROWS = 25;

  /** The parts of a transaction, each with its own sender. */
  static final int PARTS = 4;

  /** A file of the ids of begun transactions. */
  private static final String BEGUN = "together-";

  private final Worker worker;
  private final ListSession.Way alone;
  private final Coordination coordination;
  private final Function<InetSocketAddress, CargoSender> connect;
  private final Path folder;
  private final int number;
  private final SplittableRandom random;
  private long version;
  private @Nullable DistributedTransaction open;

  TortureTogether(
      Worker worker,
      Coordination coordination,
      Function<InetSocketAddress, CargoSender> connect,
      Path folder,
      int number,
      long seed) {
    this.worker = worker;
    this.alone = ListSession.alone(worker);
    this.coordination = coordination;
    this.connect = connect;
    this.folder = folder;
    this.number = number;
    this.random = new SplittableRandom(seed - number);
  }

  @Override
  public UUID begin(Transaction transaction) throws IOException, InterruptedException {
    open = null;
    if (random.nextBoolean()) {
      return alone.begin(transaction);
    }
    DistributedTransaction begun =
        DistributedTransaction.begin(
            new DistributedTransaction.Options(
                "session-" + number, transaction.snapshot().timestamp(), LEASE, PATIENCE),
            coordination,
            connect);
    open = begun;
    UUID id = begun.handle().transaction();
    Files.writeString(
        folder.resolve(BEGUN + number + ".txt"),
        id + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return id;
  }

  /** Returns the transactions that were begun, with any outcome. */
  static List<UUID> begun(Path folder) throws IOException {
    List<UUID> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, BEGUN + "*")) {
      for (Path file : files) {
        Files.readAllLines(file).forEach(line -> all.add(UUID.fromString(line)));
      }
    }
    return all;
  }

  @Override
  public long commit(Transaction transaction, CommitOptions how)
      throws IOException, InterruptedException {
    DistributedTransaction begun = open;
    if (begun == null) {
      return alone.commit(transaction, how);
    }
    try (begun) {
      List<UUID> fragments = send(begun, transaction.toCargo());
      if (random.nextInt(10) == 0) {
        throw new ShipmentException(Fault.REJECTED, "given up"); // Its close() aborts it.
      }
      DistributedTransaction.Committed committed =
          begun.commit(
              fragments,
              new DistributedTransaction.How(
                  how.acknowledgement(),
                  how.onConflict(),
                  false,
                  new AppVersion("session-" + number, ++version, tables(transaction))));
      assertThat(committed.exact()).isTrue();
      while (!worker.awaitSnapshot(committed.snapshot(), PATIENCE)) {
        System.out.printf("snapshot %d is not there yet%n", committed.snapshot());
      }
      return committed.snapshot();
    }
  }

  private static List<String> tables(Transaction transaction) {
    return transaction.snapshot().tables().stream().map(table -> table.schema().name()).toList();
  }

  /** Sends the parts at the same time, and one in ten of them twice, like a repeated task. */
  private List<UUID> send(DistributedTransaction begun, ChangeCargo cargo)
      throws IOException, InterruptedException {
    TransactionHandle handle = begun.handle();
    List<Waiting.Running<List<UUID>>> sending = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      ChangeCargo own = part(handle.transaction(), cargo, part);
      int times = random.nextInt(10) == 0 ? 2 : 1;
      sending.add(Waiting.start(() -> send(handle, own, times)));
    }
    List<UUID> fragments = new ArrayList<>();
    try {
      for (Waiting.Running<List<UUID>> each : sending) {
        fragments.addAll(each.result().get());
      }
    } catch (ExecutionException e) {
      throw new ShipmentException(Fault.REJECTED, "not all was sent: " + e.getCause(), e);
    }
    return fragments;
  }

  /** Returns the fragments of the last time. */
  private List<UUID> send(TransactionHandle handle, ChangeCargo part, int times)
      throws IOException, InterruptedException {
    try (FragmentSender sender = new FragmentSender(handle, coordination, connect, PATIENCE)) {
      List<UUID> fragments = List.of();
      for (int i = 0; i < times; i++) {
        fragments = sender.send(part);
      }
      return fragments;
    }
  }

  private static ChangeCargo part(UUID transaction, ChangeCargo whole, int part) {
    ChangeCargo.Builder builder = ChangeCargo.builder(new UUID(0, 0), whole.baseSnapshot());
    for (int i = part; i < whole.tables().size(); i += PARTS) {
      TableChanges table = whole.tables().get(i);
      builder.table(
          table.table(),
          own ->
              table
                  .updates()
                  .forEach(each -> own.update(each.column(), each.rowIds(), each.values())));
    }
    String[] rows = new String[ROWS];
    for (int row = 0; row < ROWS; row++) {
      rows[row] = row(transaction, part, row);
    }
    return builder
        .table(
            ListSession.BALLAST,
            own -> own.insert(ListSession.COLUMN, ColumnValues.ofTexts(new String[][] {rows})))
        .build();
  }

  private static String row(UUID transaction, int part, int row) {
    return format("%s %d %d", transaction, part, row);
  }

  /**
   * Fails unless every transaction has all of its rows once.
   *
   * @return the transactions that have rows
   */
  static Set<UUID> requireWholeTransactions(StoreSnapshot snapshot) {
    Map<UUID, List<String>> found = new TreeMap<>();
    StoredTable table = snapshot.table(ListSession.BALLAST);
    for (long row = 0; row < table.rowCount(); row++) {
      String text = String.valueOf(table.get(ListSession.COLUMN, row));
      UUID id = UUID.fromString(text.substring(0, text.indexOf(' ')));
      found.computeIfAbsent(id, unused -> new ArrayList<>()).add(text);
    }
    found.forEach(
        (id, rows) -> {
          List<String> expected = new ArrayList<>();
          for (int part = 0; part < PARTS; part++) {
            for (int row = 0; row < ROWS; row++) {
              expected.add(row(id, part, row));
            }
          }
          assertThat(rows).as("the rows of %s", id).isEqualTo(expected);
        });
    return found.keySet();
  }

  /**
   * Fails if data remains of transactions that have not taken effect, or would remain in an hour,
   * the age at which data without a record is deleted.
   *
   * @return the amount of data without a record
   */
  static int requireNothingIsLeft(ObjectStore store) throws IOException {
    assertThat(store.list(SnapshotKeys.OPEN)).as("no lease has been renewed").isEmpty();
    assertThat(store.list(SnapshotKeys.FRAGMENTS)).as("all transactions have ended").isEmpty();
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    long[] nowNs = {0};
    Duration age = Duration.ofHours(1);
    SnapshotCleaner cleaner = new SnapshotCleaner(catalog, () -> nowNs[0]);
    TransactionCleaner transactions = new TransactionCleaner(catalog, () -> nowNs[0]);
    int deleted = cleaner.deleteUnreferenced(age, 0, transactions::references);
    nowNs[0] += age.toNanos() + 1;
    deleted += cleaner.deleteUnreferenced(age, 0, transactions::references);
    Set<String> needed = new HashSet<>();
    for (SnapshotKeys.Place place : catalog.places()) {
      for (SnapshotEntry entry : catalog.read(place)) {
        entry.manifest().references().forEach(bytes -> needed.add(bytes.key()));
      }
    }
    assertThat(store.list(SnapshotKeys.DATA)).allMatch(object -> needed.contains(object.key()));
    return deleted;
  }
}
