package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.SimSession;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.database.LoadMode;
import io.drayage.database.TransactionLimits;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ShipmentProgress;
import io.drayage.send.CargoSender;
import io.drayage.store.Transaction;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A place for a node. When a node crashes, another one is started on a new host. */
abstract class SimNode {
  final SimulatedCluster world;
  final String name;
  final SplittableRandom random;
  private int lives;

  /** The present host. */
  String host = "";

  /** The session; null until there is one. */
  @Nullable SimSession session;

  SimNode(SimulatedCluster world, String name, SplittableRandom random) {
    this.world = world;
    this.name = name;
    this.random = random;
  }

  /** Starts a process on a new host. */
  void start() {
    host = name + "." + ++lives;
    session = null;
    world.start(
        host,
        () -> {
          SimSession connected = world.zooKeeper.connect(random.split());
          session = connected;
          run(SimZooKeeper.coordination(connected));
        });
  }

  /** Does what the node is for, until the host crashes. */
  abstract void run(Coordination coordination) throws Exception;

  /** Compares its memory, if it has any, with the promises. */
  abstract void observe();

  static final class Transactor extends SimNode {
    static final int FULL_SNAPSHOT_EVERY = 4;
    private static final int MAX_CARGO_BYTES = 1 << 17;
    private static final int PLACES = 4;
    private @Nullable TransactorNode node;

    Transactor(SimulatedCluster world, String name, SplittableRandom random) {
      super(world, name, random);
    }

    @Override
    void run(Coordination coordination) throws InterruptedException {
      node = null;
      while (node == null) {
        try {
          node = open(world, host, coordination, world.store);
        } catch (IOException e) {
          Thread.sleep(200);
        }
      }
    }

    static TransactorNode open(
        SimulatedCluster world, String host, Coordination coordination, SimStore store)
        throws IOException {
      return TransactorNode.start(
          TransactorOptions.builder(host, InetSocketAddress.createUnresolved(host, 0))
              .tables(Ledger.tables())
              .limits(
                  new ReceiverLimits(
                          MAX_CARGO_BYTES,
                          MAX_CARGO_BYTES,
                          world.strain == Strain.WIDE_STAGE ? Trials.PLACES : PLACES)
                      .allowing(Serializers.ofName("raw")))
              .codecThreads(1)
              .transport(TransportOptions.builder().drainTimeout(Duration.ZERO).build())
              .historyBytes(1 << 20)
              .fullSnapshotEvery(FULL_SNAPSHOT_EVERY)
              .storeTimeout(Duration.ofSeconds(5))
              .drainTimeout(Duration.ofSeconds(5))
              // One of the two must load every fragment, which takes a while.
              .transactions(
                  new TransactionLimits(
                      100, 50, 1 << 30, host.startsWith("t2") ? 0 : 1 << 20, Duration.ofHours(1)))
              .build(),
          coordination,
          store,
          world.network.of(host),
          unused -> {},
          new DrayageMetrics());
    }

    /** Checks less while there are faults: a deposed primary may have its own snapshots. */
    @Override
    void observe() {
      TransactorNode observed = node;
      if (observed != null && !world.scheduler.isCrashed(host)) {
        if (world.isCalm) {
          world.promises.observe(host, observed.snapshot());
        } else {
          long unused = Ledger.check(observed.snapshot());
        }
      }
    }

    /** The shipments that it receives as primary, or that wait. */
    List<ShipmentProgress> shipments() {
      TransactorNode receiving = node;
      return receiving == null || world.scheduler.isCrashed(host)
          ? List.of()
          : receiving.shipments();
    }

    /** The snapshot that it has reached; negative if it is not running. */
    long reached() {
      TransactorNode reached = node;
      return reached == null ? -1 : reached.snapshot().timestamp();
    }
  }

  static final class Sender extends SimNode {
    private static final int COMMITS = 5;
    private static final int LARGEST_NOTE = 130_000;
    private final int number;
    private final SimCoordinator coordinator;
    private @Nullable Worker worker;

    /** Number of an earlier transaction that may have taken effect, or may still do so. */
    private int uncertain;

    /** Whether it has committed enough, also after the faults. */
    boolean isDone;

    Sender(SimulatedCluster world, int number, SplittableRandom random) {
      super(world, "w" + number, random);
      this.number = number;
      this.coordinator = new SimCoordinator(world, number, random.split());
    }

    @Override
    void run(Coordination coordination) throws Exception {
      Worker opened = open(coordination);
      worker = opened;
      // A commit that was acknowledged as stored is published some time later.
      while (Ledger.committed(opened.snapshot(), number) < world.promises.acknowledged(number)) {
        world.waitAWhile();
      }
      world.promises.found(number, Ledger.committed(opened.snapshot(), number));
      uncertain = Ledger.committed(opened.snapshot(), number) + 1; // Of an earlier process.
      List<Committed> committed = new ArrayList<>();
      while (!isDone) {
        while (world.isNight) {
          world.waitAWhile();
        }
        if (world.paceMs > 0) {
          Thread.sleep(world.paceMs / 2 + random.nextInt(world.paceMs));
        }
        // The last one needs all the primary's memory for cargoes, so it shows that none leaks.
        boolean isLast =
            world.isCalm && world.paceMs == 0 && world.promises.acknowledged(number) + 1 >= COMMITS;
        int next = Ledger.committed(opened.snapshot(), number) + 1;
        world.promises.found(number, next - 1);
        Transaction transaction =
            Ledger.next(opened.snapshot(), number, next, isLast ? LARGEST_NOTE : 1);
        CommitOptions how = new CommitOptions(level(), OnConflict.REJECT);
        int repeated = world.network.repeated(host);
        try {
          boolean isTogether = !isLast && !world.isApart && random.nextBoolean();
          if (isTogether) {
            commitTogether(opened, coordination, transaction, next);
            continue;
          }
          long begunNs = world.scheduler.nowNs();
          long timestamp = opened.commit(transaction, how).timestamp();
          world.trials.requireInTime(begunNs);
          world.promises.acknowledge(world.store, number, next, timestamp);
          committed.add(new Committed(transaction, timestamp));
          isDone = isLast;
        } catch (IOException e) {
          requireNotLost(how, e);
          requireOthersInConflict(next, e, world.network.repeated(host) > repeated);
          Thread.sleep(random.nextInt(100));
        }
        if (!committed.isEmpty() && random.nextInt(3) == 0) {
          commitAgain(opened, committed.get(random.nextInt(committed.size())));
        }
        world.promises.observe(host, opened.snapshot());
      }
    }

    /** Commits by the fragments of several workers. */
    private void commitTogether(
        Worker opened, Coordination coordination, Transaction transaction, int next)
        throws IOException, InterruptedException {
      DistributedTransaction.Committed committed =
          coordinator.commit(coordination, transaction.toCargo(), next);
      if (committed == null) {
        return;
      }
      if (committed.exact() && Ledger.committed(opened.snapshot(), number) < next) {
        world.promises.found(number, next);
        world.promises.requireStored(world.store, committed.snapshot());
      }
      while (Ledger.committed(opened.snapshot(), number) < next) {
        world.waitAWhile();
      }
    }

    private CargoSender sender(InetSocketAddress address, CodecPool pool) {
      return world.sender(host, address, pool);
    }

    private record Committed(Transaction transaction, long timestamp) {}

    /** Repeats a commit, which takes effect only once. */
    private void commitAgain(Worker opened, Committed before) throws InterruptedException {
      CommitOptions how = new CommitOptions(level(), OnConflict.OVERWRITE);
      try {
        long again = opened.commit(before.transaction, how).timestamp();
        if (again != before.timestamp) {
          throw new AssertionError(format("%s, and again as snapshot %d", before, again));
        }
      } catch (IOException e) {
        requireNotLost(how, e);
      }
    }

    /** Only a commit acknowledged as applied may be lost, and repeated until patience ends. */
    private void requireNotLost(CommitOptions how, IOException failure) {
      world.failures++;
      world.lastFailure = failure.toString();
      if (how.acknowledgement() != Acknowledgement.APPLIED
          && String.valueOf(failure.getMessage()).contains("and lost each of")) {
        throw new AssertionError(how + ": " + failure.getMessage(), failure);
      }
    }

    /**
     * Fails for a conflict on rows that only this worker changes.
     *
     * @param isRepeated whether the network sends the shipment again
     */
    private void requireOthersInConflict(int next, IOException failure, boolean isRepeated) {
      if (!(failure instanceof ShipmentException told) || told.outcome() == Outcome.UNKNOWN) {
        uncertain = next;
        return;
      }
      if (told.fault() == Fault.CONFLICT
          && next != uncertain
          && Ledger.isOfOwnRows(String.valueOf(told.getMessage()))) {
        throw new AssertionError("a conflict with nobody: " + told.getMessage(), told);
      }
      if (isRepeated) {
        uncertain = next;
      }
    }

    private Acknowledgement level() {
      Acknowledgement[] levels = Acknowledgement.values();
      return levels[random.nextInt(levels.length)];
    }

    private Worker open(Coordination coordination) throws InterruptedException {
      CodecPool pool = new CodecPool(1, "encode");
      WorkerOptions options =
          new WorkerOptions(host)
              .withPatience(Duration.ofSeconds(20))
              .allowing(Serializers.ofName("raw"));
      LoadMode[] modes = LoadMode.values();
      while (true) {
        try {
          return Worker.open(
              options.withLoad(modes[random.nextInt(modes.length)]),
              coordination,
              world.store,
              address -> sender(address, pool));
        } catch (IOException e) {
          world.waitAWhile();
        }
      }
    }

    @Override
    void observe() {
      Worker observed = worker;
      if (observed != null && !world.scheduler.isCrashed(host)) {
        world.promises.observe(host, observed.snapshot());
      }
    }
  }
}
