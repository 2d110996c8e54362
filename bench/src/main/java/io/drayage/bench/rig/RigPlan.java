package io.drayage.bench.rig;

import io.drayage.bench.link.Link;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rig is to do.
 *
 * @param contenders what is compared, in the order of their turns; no two of one name
 * @param cargo what the cargo is, as users write it
 * @param sizeBytes how large it shall be, if its source has a choice
 * @param cargoBytes about how much heap it will take; deadlines depend on it
 * @param seed what its values follow from
 * @param iterations measured iterations of each system
 * @param warmup iterations of each system before them, whose results are dropped
 * @param heap the memory of a pair
 * @param logs the folder for the children's logs; it exists
 * @param streaming how the cargo is streamed; null if it is in memory
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param workers how many workers ship at a time, each a cargo of its own
 * @param link what lies between them and the transactor, with a host for each; stays the caller's
 */
public record RigPlan(
    List<Contender> contenders,
    String cargo,
    long sizeBytes,
    long cargoBytes,
    long seed,
    int iterations,
    int warmup,
    HeapPlan heap,
    Path logs,
    @Nullable Streaming streaming,
    @Nullable Commits commits,
    int workers,
    Link link) {
  public RigPlan {
    contenders = List.copyOf(contenders);
  }

  /** A plan whose cargo is in memory, and only has to take effect; from one worker. */
  public RigPlan(
      List<Contender> contenders,
      String cargo,
      long sizeBytes,
      long cargoBytes,
      long seed,
      int iterations,
      int warmup,
      HeapPlan heap,
      Path logs,
      Link link) {
    this(
        contenders,
        cargo,
        sizeBytes,
        cargoBytes,
        seed,
        iterations,
        warmup,
        heap,
        logs,
        null,
        null,
        1,
        link);
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
  Job job(Contender contender, @Nullable Commits toCommit) {
    return new Job(
        contender.system().toString(),
        options(contender),
        cargo,
        sizeBytes,
        seed,
        streaming,
        toCommit,
        link.transactor().address(),
        0,
        false);
  }

  /**
   * Every transport is told what the link carries, unless the user has said it: one that counts its
   * waits would measure the same, one that does not could not.
   */
  private SystemOptions options(Contender contender) {
    SystemOptions options = contender.options();
    return options.linkBytesPerSecond() == null
        ? options.withLinkBytesPerSecond(link.bytesPerSecondOfWorker())
        : options;
  }
}
