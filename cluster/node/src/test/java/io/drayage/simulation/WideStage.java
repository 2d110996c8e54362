package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionRequest;
import io.drayage.store.StoreSnapshot;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction to which many senders add a row each, over some time, as the tasks of a job do. The
 * senders share a few hosts. The table is named {@link Ledger#STAGE} and the number.
 */
final class WideStage {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int HOSTS = 4;
  private static final int LOOK_MS = 200;

  /** Part of the message about an entry that is longer than a manifest may be. */
  private static final String TOO_LONG = "of a manifest";

  /** The end of a stage. */
  enum End {
    COMMITTED,
    GIVEN_UP,
    TOO_LONG,
    UNKNOWN
  }

  final String table;
  private final SimulatedCluster world;
  private final SplittableRandom random;
  private final int number;
  private final int senders;
  private final boolean isCommitted;
  private final TableSchema schema;
  private final List<UUID> fragments = new ArrayList<>();
  private @Nullable IOException failure;
  private @Nullable End end;

  /**
   * @param isCommitted whether it is committed when all rows are sent, or given up
   */
  WideStage(
      SimulatedCluster world,
      SplittableRandom random,
      int number,
      int senders,
      boolean isCommitted) {
    this.world = world;
    this.random = random;
    this.number = number;
    this.senders = senders;
    this.isCommitted = isCommitted;
    this.table = Ledger.STAGE + number;
    this.schema =
        TableSchema.of(
            table,
            ColumnSchema.of("sender", ColumnType.INT),
            ColumnSchema.of("senders", ColumnType.INT));
  }

  void start() {
    String host = host(0);
    world.start(
        host,
        () -> {
          try {
            end = run(host);
          } catch (IOException e) {
            failure = e;
            end = End.UNKNOWN;
          }
        });
  }

  private String host(int of) {
    return format("s%d.%d", number, of);
  }

  /** The end; null while it goes on. */
  @Nullable End end() {
    return end;
  }

  /** The first failure of a sender or the coordinator; null without one. */
  @Nullable IOException failure() {
    return failure;
  }

  private Coordination connect() {
    return SimZooKeeper.coordination(world.zooKeeper.connect(random.split()));
  }

  private End run(String host) throws IOException, InterruptedException {
    DistributedTransaction.Options options =
        new DistributedTransaction.Options(
            world.named("stage"), TransactionRequest.Begin.NEWEST, LEASE, PATIENCE);
    try (Coordination coordination = connect();
        CodecPool pool = new CodecPool(1, "encode");
        DistributedTransaction begun =
            DistributedTransaction.begin(
                options, coordination, address -> world.sender(host, address, pool))) {
      world.promises.begun(begun.handle().transaction());
      send(begun.handle());
      if (failure != null || !isCommitted) {
        return End.GIVEN_UP; // Closing the transaction aborts it.
      }
      return commit(begun);
    }
  }

  private End commit(DistributedTransaction begun) throws IOException, InterruptedException {
    try {
      DistributedTransaction.Committed committed = begun.commit(fragments);
      world.promises.requireStored(world.store, committed.snapshot());
      return End.COMMITTED;
    } catch (ShipmentException e) {
      if (e.fault() == Fault.REJECTED && String.valueOf(e.getMessage()).contains(TOO_LONG)) {
        return End.TOO_LONG;
      }
      throw e;
    }
  }

  /** Waits until each sender has sent its row, or was refused. */
  private void send(TransactionHandle handle) throws InterruptedException {
    // An entry names each worker once.
    int hosts = world.strain == Strain.LONGEST_NAMES ? senders : Math.min(HOSTS, senders);
    int[] underWay = {senders};
    for (int of = 1; of <= hosts; of++) {
      String host = host(of);
      int first = of - 1;
      world.start(
          host,
          () -> {
            int[] here = {(senders - first + hosts - 1) / hosts};
            try (Coordination coordination = connect();
                CodecPool pool = new CodecPool(1, "encode");
                FragmentSender sender =
                    new FragmentSender(
                        handle,
                        coordination,
                        address -> world.sender(host, address, pool, host),
                        PATIENCE)) {
              for (int i = first; i < senders; i += hosts) {
                int row = i;
                world.start(
                    host,
                    () -> {
                      send(sender, row);
                      here[0]--;
                      underWay[0]--;
                    });
              }
              while (here[0] > 0) {
                Thread.sleep(LOOK_MS);
              }
            }
          });
    }
    while (underWay[0] > 0) {
      Thread.sleep(LOOK_MS);
    }
  }

  private void send(FragmentSender sender, int row) throws InterruptedException {
    try {
      fragments.addAll(sender.send(row(row)));
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
  }

  private ChangeCargo row(int row) {
    return ChangeCargo.builder(new UUID(0, 0), 0)
        .newTable(schema)
        .table(
            table,
            part ->
                part.insert("sender", ColumnValues.of(new int[][] {{row}}))
                    .insert("senders", ColumnValues.of(new int[][] {{senders}})))
        .build();
  }

  /** Fails unless a snapshot has all of it or nothing, as the coordinator was answered. */
  void check(StoreSnapshot snapshot) {
    boolean isThere =
        snapshot.tables().stream().anyMatch(each -> each.schema().name().equals(table));
    if (end != End.UNKNOWN && isThere != (end == End.COMMITTED)) {
      throw new AssertionError(
          format("%s, which ended as %s, is %s", table, end, isThere ? "there" : "not there"));
    }
  }
}
