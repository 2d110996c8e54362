package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotVerifier;
import io.drayage.store.MemoryLimit;
import io.drayage.store.StoreSnapshot;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transactor.Workload;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Two transactors and two workers, for one seed; to be loaded with simulated threads. */
public final class SimulatedCluster implements LongFunction<String> {
  private static final int WORKERS = 2;
  private static final int COMMITS = 5;
  private static final int FAULTS = 4;
  private static final long SECOND_NS = 1_000_000_000L;

  /** When every worker must have committed, and the checks must be done. */
  private static final long END_NS = 300 * SECOND_NS;

  private final InMemoryCluster cluster = new InMemoryCluster();
  private final LoopbackTransport transport = new LoopbackTransport();
  private final List<TransactorNode> transactors = new ArrayList<>();
  private final int[] acknowledged = new int[WORKERS];
  private int failures;
  private int workersDone;
  private boolean checked;
  private @Nullable Throwable failure;

  private interface Step {
    void run() throws Exception;
  }

  /** Runs a seed; returns its digest and figures; fails if a promise is broken. */
  @Override
  public String apply(long seed) {
    SimScheduler scheduler = new SimScheduler(seed);
    SimStore store = new SimStore(scheduler.random().split());
    SplittableRandom faults = scheduler.random().split();
    start(scheduler, "", () -> drive(scheduler, store, faults));
    scheduler.run(() -> checked || failure != null, END_NS);
    if (failure != null) {
      throw new AssertionError("seed " + seed + ": " + failure, failure);
    }
    assertThat(checked)
        .as("seed %d: %d of %d workers are done in time", seed, workersDone, WORKERS)
        .isTrue();
    return "digest %x, %d steps, %d ms, %d failed commits"
        .formatted(scheduler.digest(), scheduler.steps(), scheduler.nowNs() / 1_000_000, failures);
  }

  private void start(SimScheduler scheduler, String host, Step step) {
    scheduler
        .newThread(
            host,
            "main-" + host,
            () -> {
              try {
                step.run();
              } catch (Throwable e) {
                failure = failure == null ? e : failure;
              }
            })
        .start();
  }

  private void drive(SimScheduler scheduler, SimStore store, SplittableRandom faults)
      throws Exception {
    for (int i = 1; i <= 2; i++) {
      String name = "t" + i;
      int before = transactors.size();
      start(scheduler, name, () -> transactors.add(transactor(name, store)));
      while (transactors.size() == before) {
        Thread.sleep(1);
      }
    }
    for (int i = 0; i < WORKERS; i++) {
      int number = i;
      start(scheduler, "w" + i, () -> work(number, store));
    }
    for (int i = 0; i < FAULTS; i++) {
      Thread.sleep(faults.nextInt(400));
      fault(scheduler, store, faults);
    }
    while (workersDone < WORKERS) {
      Thread.sleep(10);
    }
    check(store);
    checked = true;
  }

  private void fault(SimScheduler scheduler, SimStore store, SplittableRandom faults)
      throws InterruptedException {
    int kind = faults.nextInt(3);
    scheduler.trace(kind);
    if (kind == 0) {
      store.trouble(5 + faults.nextInt(50), false);
    } else if (kind == 1) {
      store.trouble(0, true);
    } else {
      InMemoryCoordination seen = new InMemoryCoordination(cluster);
      String primary = seen.primary().orElseThrow().node().name();
      seen.close();
      scheduler.pause(primary);
      Thread.sleep(faults.nextInt(50));
      Runnable wakeUp = cluster.deposePaused();
      Thread.sleep(faults.nextInt(3_000));
      scheduler.resume(primary);
      Thread.sleep(faults.nextInt(50));
      wakeUp.run();
    }
    Thread.sleep(faults.nextInt(1_000));
    store.trouble(0, false);
  }

  private TransactorNode transactor(String name, SimStore store) throws IOException {
    return TransactorNode.start(
        new TransactorOptions(
            name,
            InetSocketAddress.createUnresolved("127.0.0.1", 0),
            "127.0.0.1",
            Workload.tables(),
            new ReceiverLimits(1 << 22, 1 << 23, 16).allowing(Serializers.ofName("raw")),
            1,
            TransportOptions.builder().drainTimeout(Duration.ZERO).build(),
            MemoryLimit.NONE,
            1 << 20,
            4,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5)),
        new InMemoryCoordination(cluster),
        store,
        transport,
        unused -> {},
        new DrayageMetrics());
  }

  private void work(int number, SimStore store) throws Exception {
    Worker worker = open(number, store);
    while (acknowledged[number] < COMMITS) {
      int next = Workload.committed(worker.snapshot(), number) + 1;
      try {
        worker.commit(Workload.next(worker.snapshot(), number, next));
        assertThat(next).as("what worker %d committed", number).isGreaterThan(acknowledged[number]);
        acknowledged[number] = next;
      } catch (IOException e) {
        failures++;
        Thread.sleep(50);
      }
      Workload.check(worker.snapshot());
    }
    workersDone++;
  }

  private Worker open(int number, SimStore store) throws InterruptedException {
    CodecPool pool = new CodecPool(1, "encode");
    while (true) {
      try {
        return Worker.open(
            new WorkerOptions("w" + number).withPatience(Duration.ofSeconds(20)),
            new InMemoryCoordination(cluster),
            store,
            address ->
                new SegmentsSender(
                    transport.client(address, TransportOptions.DEFAULT),
                    pool,
                    Serializers.ofName("raw"),
                    Compressors.ofName("none"),
                    "test"));
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
  }

  /** The log is whole, has what was acknowledged, and memory is what it says. */
  private void check(SimStore store) throws Exception {
    List<String> findings = new ArrayList<>();
    int unused =
        new SnapshotVerifier(new SnapshotCatalog(store))
            .verify(
                manifest -> {
                  if (!manifest.isOk()) {
                    findings.add(manifest.toString());
                  }
                });
    assertThat(findings).isEmpty();
    TransactorNode replay = transactor("replay", store);
    InMemoryCoordination seen = new InMemoryCoordination(cluster);
    long published = seen.published().orElseThrow().timestamp();
    seen.close();
    while (replay.snapshot().timestamp() < published) {
      Thread.sleep(10);
    }
    StoreSnapshot replayed = replay.snapshot();
    Workload.check(replayed);
    for (int number = 0; number < WORKERS; number++) {
      assertThat(Workload.committed(replayed, number))
          .as("worker %d was told that this is committed", number)
          .isGreaterThanOrEqualTo(acknowledged[number]);
    }
    for (TransactorNode transactor : transactors) {
      while (transactor.snapshot().timestamp() < replayed.timestamp()) {
        Thread.sleep(10);
      }
      Workload.check(transactor.snapshot());
      for (int number = 0; number < WORKERS; number++) {
        assertThat(Workload.committed(transactor.snapshot(), number))
            .isEqualTo(Workload.committed(replayed, number));
      }
    }
  }
}
