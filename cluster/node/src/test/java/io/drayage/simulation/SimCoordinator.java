package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.crash.CrashPoint;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
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
 * Commits transactions by the fragments of workers, each on its own host. Some workers die. Some
 * stop until another has done their work and the transaction has ended. Some are doubled.
 */
final class SimCoordinator {
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long MS = 1_000_000;
  private static final int MAX_ATTEMPTS = 5;

  /** Time after which another worker does the same. */
  private static final int LONGEST_TASK_MS = 4_000;

  private final SimulatedCluster world;
  private final int number;
  private final SplittableRandom random;
  private int tasks;

  /** One attempt to send a part. */
  private static final class Task {
    String host = "";
    @Nullable List<UUID> sent;
    @Nullable IOException failure;
  }

  SimCoordinator(SimulatedCluster world, int number, SplittableRandom random) {
    this.world = world;
    this.number = number;
    this.random = random;
  }

  /**
   * Commits a cargo table by table. Sometimes gives it up.
   *
   * @param version of the application, so that it takes effect once
   * @return null if it was given up
   */
  DistributedTransaction.@Nullable Committed commit(
      Coordination coordination, ChangeCargo cargo, int version)
      throws IOException, InterruptedException {
    String host = world.scheduler.host();
    DistributedTransaction.Options options =
        new DistributedTransaction.Options(
            world.named("together-" + number), cargo.baseSnapshot(), LEASE, PATIENCE);
    DistributedTransaction.How how =
        new DistributedTransaction.How(
            random.nextBoolean() ? Acknowledgement.STORED : Acknowledgement.PUBLISHED,
            OnConflict.REJECT,
            false,
            new AppVersion("app-" + number, version, Ledger.names()));
    try (CodecPool pool = new CodecPool(1, "encode");
        DistributedTransaction together =
            DistributedTransaction.begin(
                options, coordination, address -> world.sender(host, address, pool))) {
      world.promises.begun(together.handle().transaction());
      List<UUID> fragments = new ArrayList<>();
      for (TableChanges table : cargo.tables()) {
        fragments.addAll(send(together.handle(), partOf(cargo, table, fragments.isEmpty())));
      }
      if (random.nextInt(6) == 0) {
        return null; // Closing it aborts it.
      }
      if (world.isNight) {
        world.scheduler.count("open through the night");
        while (world.isNight) {
          world.waitAWhile();
        }
      }
      DistributedTransaction.Committed committed = together.commit(fragments, how);
      world.scheduler.count(committed.exact() ? "together" : "together, at or before");
      return committed;
    }
  }

  /** Sends a part by one or more workers; returns the fragments of the first that reports. */
  private List<UUID> send(TransactionHandle handle, ChangeCargo part)
      throws IOException, InterruptedException {
    List<Task> attempts = new ArrayList<>();
    while (attempts.size() < MAX_ATTEMPTS) {
      attempts.add(start(handle, part));
      int soonMs = random.nextInt(4) == 0 ? 200 : LONGEST_TASK_MS;
      long endNs = System.nanoTime() + random.nextInt(soonMs) * MS;
      while (System.nanoTime() < endNs && attempts.stream().anyMatch(this::isUnderWay)) {
        Thread.sleep(5);
      }
      for (Task each : attempts) {
        if (each.failure != null) {
          throw each.failure;
        }
        if (each.sent != null) {
          return each.sent;
        }
      }
    }
    throw new IOException(format("none of %d workers has reported", attempts.size()));
  }

  private boolean isUnderWay(Task task) {
    return task.sent == null && task.failure == null && !world.scheduler.isCrashed(task.host);
  }

  private Task start(TransactionHandle handle, ChangeCargo part) {
    Task task = new Task();
    String host = format("f%d.%d", number, ++tasks);
    task.host = host;
    SplittableRandom itsRandom = random.split();
    int pieceBytes = random.nextBoolean() ? 1 : 1 << 20; // So few that each change is a fragment.
    world.start(
        host,
        () -> {
          try (Coordination coordination =
                  SimZooKeeper.coordination(world.zooKeeper.connect(itsRandom));
              CodecPool pool = new CodecPool(1, "encode");
              FragmentSender sender =
                  new FragmentSender(
                      handle,
                      coordination,
                      address -> world.sender(host, address, pool),
                      PATIENCE)) {
            task.sent = sender.send(CargoCutter.cut(part, pieceBytes));
          } catch (IOException e) {
            world.scheduler.count("fragment refused");
            task.failure = e;
          }
        });
    trouble(host);
    return task;
  }

  /** Makes a worker die, or stop for longer than others wait for it. */
  private void trouble(String host) {
    long soonNs = world.scheduler.nowNs() + random.nextLong(400 * MS);
    int kind = world.isCalm ? -1 : random.nextInt(16);
    switch (kind) {
      case 0 -> world.scheduler.crashAt(host, CrashPoint.PIECE.name());
      case 1 -> world.scheduler.crashAt(host, CrashPoint.UNREPORTED.name());
      case 2 ->
          world.scheduler.at(
              soonNs,
              () -> {
                world.scheduler.count("worker died");
                world.scheduler.crash(host);
                world.network.breakAllOf(host, Fault.PEER_GONE);
              });
      case 3, 4 -> {
        world.scheduler.at(
            soonNs,
            () -> {
              world.scheduler.count("worker stopped");
              world.scheduler.pause(host);
            });
        world.scheduler.at(
            soonNs + random.nextLong(15_000 * MS), () -> world.scheduler.resume(host));
      }
      default -> {}
    }
  }

  /** Returns the changes of one table. The first part drops tables. */
  private static ChangeCargo partOf(ChangeCargo whole, TableChanges table, boolean isFirst) {
    ChangeCargo.Builder builder = ChangeCargo.builder(new UUID(0, 0), whole.baseSnapshot());
    if (isFirst) {
      whole.droppedTables().forEach(builder::dropTable);
      whole.mustBeNew().forEach(builder::mustBeNew);
    }
    whole.newTables().forEach(builder::newTable);
    return builder
        .table(
            table.table(),
            part -> {
              table.insertedColumns().forEach(each -> part.insert(each.column(), each.values()));
              table
                  .updates()
                  .forEach(each -> part.update(each.column(), each.rowIds(), each.values()));
              if (table.deletedRows() != null) {
                part.delete(table.deletedRows());
              }
            })
        .build();
  }
}
