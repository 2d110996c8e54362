package io.drayage.bench.rig;

import io.drayage.bench.link.Link;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.Job;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rig is to do.
 *
 * @param contenders what is compared, in the order of their turns; no two of one name
 * @param cargo what is shipped
 * @param iterations measured iterations of each system
 * @param warmup iterations of each system before them, whose results are dropped
 * @param heap the memory of a pair
 * @param logs the folder for the children's logs; it exists
 * @param delivery how far a shipment goes, and from how many workers
 * @param link what lies between the workers and the transactor, with a host for each; stays the
 *     caller's
 */
public record RigPlan(
    List<Contender> contenders,
    CargoSpec cargo,
    int iterations,
    int warmup,
    HeapPlan heap,
    Path logs,
    Delivery delivery,
    Link link) {
  public RigPlan {
    contenders = List.copyOf(contenders);
  }

  /** How many steps the rig takes: one to prepare a system, and one an iteration. */
  public int steps() {
    return contenders.size() * (1 + warmup + iterations);
  }

  /**
   * What the children of a system of ours are for.
   *
   * @param toCommit how whole commits are made; null if the cargo only has to take effect
   */
  Job job(Contender contender, Delivery.@Nullable Commits toCommit) {
    return new Job(
        contender.system().toString(),
        options(contender),
        cargo.notation(),
        cargo.sizeBytes(),
        cargo.seed(),
        delivery.streaming(),
        toCommit,
        link.transactor().address(),
        0,
        false);
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
