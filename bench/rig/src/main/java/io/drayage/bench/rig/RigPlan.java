package io.drayage.bench.rig;

import io.drayage.bench.link.Link;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.Job;
import io.drayage.bench.rig.node.JobCargo;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a rig is to do.
 *
 * @param contenders what is compared, in the order of their turns; no two of one name
 * @param cargo what is shipped
 * @param turns how many turns they take
 * @param heap the memory of a pair
 * @param logs the folder for the children's logs; it exists
 * @param delivery how far a shipment goes, and from how many workers
 * @param link what lies between the workers and the transactor, with a host for each; stays the
 *     caller's
 */
public record RigPlan(
    List<Contender> contenders,
    CargoSpec cargo,
    TurnPlan turns,
    HeapPlan heap,
    Path logs,
    Delivery delivery,
    Link link) {
  public RigPlan {
    contenders = List.copyOf(contenders);
  }

  /** A plan for a fixed number of turns, after a fixed number of warm-ups. */
  public RigPlan(
      List<Contender> contenders,
      CargoSpec cargo,
      int iterations,
      int warmup,
      HeapPlan heap,
      Path logs,
      Delivery delivery,
      Link link) {
    this(contenders, cargo, TurnPlan.fixed(iterations, warmup), heap, logs, delivery, link);
  }

  /** Measured turns of each system, if their number is fixed. */
  public int iterations() {
    return turns.iterations();
  }

  /** Warm-ups of each system, if their number is fixed. */
  public int warmup() {
    return Objects.requireNonNullElse(turns.warmup(), 0);
  }

  /**
   * What the children of a system are for.
   *
   * @param files takes the cargoes
   * @param commits how whole commits are made; null if the cargo only has to take effect
   * @param zookeeper where their ZooKeeper is; null without commits
   */
  Assignment assignment(
      Contender contender,
      CargoFiles files,
      Delivery.@Nullable Commits commits,
      @Nullable String zookeeper,
      boolean besideOthers) {
    boolean isPeer = contender.system().isPeer();
    List<JobCargo> cargoes = new ArrayList<>();
    for (int i = 0; i < delivery.workers(); i++) {
      CargoSpec spec = cargo.withSeed(cargo.seed() + i);
      cargoes.add(
          delivery.streaming() == null || isPeer ? files.of(spec) : CargoFiles.onDemand(spec));
    }
    if (isPeer) {
      return Assignment.ofPeer(
          contender.system(),
          cargoes.stream().map(JobCargo::stored).toList(),
          link.transactor().address());
    }
    return Assignment.of(
        new Job(
            contender.system().toString(),
            options(contender),
            cargoes.get(0),
            delivery.streaming(),
            commits,
            zookeeper,
            link.transactor().address(),
            0,
            turns.warmup() == null,
            besideOthers),
        cargoes);
  }

  /**
   * Every transport is told what the link carries, unless the user has set it: one that counts its
   * waits would measure the same, one that does not could not.
   */
  private SystemOptions options(Contender contender) {
    SystemOptions options = contender.options();
    return options.linkBytesPerSecond() == null
        ? options.withLinkBytesPerSecond(link.bytesPerSecondOfWorker())
        : options;
  }
}
