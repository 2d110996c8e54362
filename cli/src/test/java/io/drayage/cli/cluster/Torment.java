package io.drayage.cli.cluster;

import io.drayage.bench.link.LinkedHost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A fault of a real cluster, from its start to its end. Not thread-safe. */
final class Torment {
  /** The kinds of faults. */
  enum Kind {
    /** {@code kill -9}; started again later. */
    KILL_TRANSACTOR,
    KILL_WORKER,
    KILL_ZOOKEEPER,
    KILL_S3,
    /** {@code SIGSTOP}, usually for longer than the session. */
    PAUSE_TRANSACTOR,
    PAUSE_WORKER,
    /** Pauses a worker, usually for longer than the leases of its transactions. */
    OUTLIVE_LEASE,
    PAUSE_ZOOKEEPER,
    PAUSE_S3,
    /** Messages of a transactor to ZooKeeper are lost. */
    CUT_FROM_ZOOKEEPER,
    /** Messages of a transactor to workers are lost. */
    CUT_FROM_WORKERS,
    /** All messages of a transactor are lost. */
    CUT_OFF,
    FULL_DISK,
    /** Data that was not synced is lost, and all processes with this disk are killed. */
    POWER_FAILURE,
    /** A transactor's wall clock is up to two hours off. */
    CLOCK_STEP;

    boolean isPossible(TortureCluster cluster) {
      return switch (this) {
        case KILL_S3, PAUSE_S3 -> cluster.s3 != null;
        case FULL_DISK, POWER_FAILURE -> cluster.disk != null && cluster.disk.isWhole();
        case OUTLIVE_LEASE -> cluster.isTogether();
        case CLOCK_STEP -> TortureCluster.canStepClocks();
        default -> true;
      };
    }
  }

  private static final int MAX_STEP_S = 7_200;
  private static final int MAX_LENGTH_MS = 9_000;

  private final Kind kind;
  private final TortureCluster cluster;
  private final SplittableRandom random;
  private final TortureCluster.Member transactor;
  private final TortureCluster.Member worker;

  private Torment(Kind kind, TortureCluster cluster, SplittableRandom random) throws IOException {
    this.kind = kind;
    this.cluster = cluster;
    this.random = random;
    this.transactor =
        random.nextBoolean()
            ? cluster.primary()
            : cluster.transactors.get(random.nextInt(TortureCluster.TRANSACTORS));
    this.worker = cluster.workers.get(random.nextInt(TortureCluster.WORKERS));
  }

  /** Begins a fault of one of these kinds. */
  static Torment begin(List<Kind> kinds, TortureCluster cluster, SplittableRandom random)
      throws IOException, InterruptedException {
    List<Kind> possible = new ArrayList<>(kinds);
    possible.removeIf(kind -> !kind.isPossible(cluster));
    Torment torment = new Torment(possible.get(random.nextInt(possible.size())), cluster, random);
    torment.begin();
    return torment;
  }

  Kind kind() {
    return kind;
  }

  /** Returns the duration of the fault, in ms. */
  int lengthMs() {
    return switch (kind) {
      case CLOCK_STEP -> 0;
      case OUTLIVE_LEASE -> random.nextInt(2 * (int) TortureTogether.LEASE.toMillis());
      default -> random.nextInt(MAX_LENGTH_MS);
    };
  }

  private void begin() throws IOException, InterruptedException {
    switch (kind) {
      case KILL_TRANSACTOR -> transactor.kill();
      case KILL_WORKER -> worker.kill();
      case KILL_ZOOKEEPER -> cluster.zookeeper.kill();
      case KILL_S3 -> s3().kill();
      case PAUSE_TRANSACTOR -> transactor.signal("STOP");
      case PAUSE_WORKER, OUTLIVE_LEASE -> worker.signal("STOP");
      case PAUSE_ZOOKEEPER -> cluster.zookeeper.signal("STOP");
      case PAUSE_S3 -> s3().signal("STOP");
      case CUT_FROM_ZOOKEEPER, CUT_FROM_WORKERS, CUT_OFF -> cut(true);
      case FULL_DISK -> disk().fill();
      case POWER_FAILURE -> disk().loseFilesThatAreNotSynced();
      case CLOCK_STEP ->
          cluster.stepClock(transactor.name, random.nextInt(-MAX_STEP_S, MAX_STEP_S));
    }
  }

  void heal() throws IOException, InterruptedException {
    switch (kind) {
      case KILL_TRANSACTOR -> transactor.up();
      case KILL_WORKER -> worker.up();
      case KILL_ZOOKEEPER -> cluster.zookeeper.up();
      case KILL_S3 -> s3().up();
      case PAUSE_TRANSACTOR -> transactor.signal("CONT");
      case PAUSE_WORKER, OUTLIVE_LEASE -> worker.signal("CONT");
      case PAUSE_ZOOKEEPER -> cluster.zookeeper.signal("CONT");
      case PAUSE_S3 -> s3().signal("CONT");
      case CUT_FROM_ZOOKEEPER, CUT_FROM_WORKERS, CUT_OFF -> cut(false);
      case FULL_DISK -> disk().free();
      case POWER_FAILURE -> {
        List<TortureCluster.Member> users = new ArrayList<>(cluster.transactors);
        users.addAll(cluster.workers);
        for (TortureCluster.Member user : users) {
          user.kill();
        }
        disk().powerOn();
        for (TortureCluster.Member user : users) {
          user.up();
        }
      }
      case CLOCK_STEP -> {
        // The clock stays wrong.
      }
    }
  }

  private void cut(boolean cut) throws IOException, InterruptedException {
    List<LinkedHost> cutOff =
        switch (kind) {
          case CUT_FROM_ZOOKEEPER -> List.of(cluster.zookeeper.host);
          case CUT_FROM_WORKERS -> List.of(worker.host);
          default -> cluster.others(transactor.host);
        };
    for (LinkedHost host : cutOff) {
      cluster.cut(transactor.host, host, cut);
    }
  }

  private TortureDisk disk() {
    if (cluster.disk == null) {
      throw new IllegalStateException(kind + " without a disk");
    }
    return cluster.disk;
  }

  private TortureCluster.Member s3() {
    if (cluster.s3 == null) {
      throw new IllegalStateException(kind + " without S3");
    }
    return cluster.s3;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case KILL_WORKER, PAUSE_WORKER, OUTLIVE_LEASE -> kind + " " + worker.name;
      case KILL_TRANSACTOR,
          PAUSE_TRANSACTOR,
          CUT_FROM_ZOOKEEPER,
          CUT_FROM_WORKERS,
          CUT_OFF,
          CLOCK_STEP ->
          kind + " " + transactor.name;
      default -> kind.toString();
    };
  }
}
