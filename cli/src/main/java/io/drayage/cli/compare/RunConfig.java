package io.drayage.cli.compare;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.rig.Commits;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, and what the rig chose, as it stands in the result.
 *
 * @param command what the user typed
 * @param size the size that was asked for; null if the cargo has a size of its own
 * @param sizeBytes the same in bytes
 * @param cargo what was asked to be shipped
 * @param cargoDescription what that is
 * @param seed of the cargo's values
 * @param segmentBytes about how many raw bytes a segment has, of the systems with segments
 * @param chunkBytes bytes of a chunk, of the systems with a stream
 * @param connections how many connections a worker asked for
 * @param workerThreads codec threads of a worker; null: as the systems say
 * @param transactorThreads codec threads of the transactor, likewise
 * @param linkBytesPerSecond what the user said that the link carries; null: as {@code link} says
 * @param tls whether they were secured
 * @param systems in the order of their turns
 * @param baseline the system that the others are compared with
 * @param iterations measured iterations of each
 * @param warmup iterations of each before them
 * @param link what lies between the two processes
 * @param linkFacts how that was made
 * @param stage where the transactor put a cargo that was streamed: {@code none} or {@code disk};
 *     null if it was in memory
 * @param commit {@code whole}: until the snapshot is loaded; {@code memory}: until the cargo has
 *     taken effect
 * @param acknowledgement when the transactor answers; null if that is not asked
 * @param load where the worker gets its snapshot from; null if it gets none
 * @param diskType file system of the snapshots; null if there are none
 * @param workers how many workers ship at a time
 * @param groups the systems that took turns with each other, if they did not all fit into the
 *     memory at a time
 * @param workerHeapBytes heap of every worker, from the start
 * @param transactorHeapBytes heap of every transactor, from the start
 * @param workerJvmOptions of every worker
 * @param transactorJvmOptions of every transactor
 */
record RunConfig(
    String command,
    @Nullable String size,
    @Nullable Long sizeBytes,
    String cargo,
    String cargoDescription,
    long seed,
    int segmentBytes,
    int chunkBytes,
    int connections,
    @Nullable Integer workerThreads,
    @Nullable Integer transactorThreads,
    @Nullable String congestionControl,
    @Nullable Long linkBytesPerSecond,
    boolean tls,
    List<SystemConfig> systems,
    String baseline,
    int iterations,
    int warmup,
    String link,
    LinkFacts linkFacts,
    @Nullable String stage,
    String commit,
    @Nullable String acknowledgement,
    @Nullable String load,
    @Nullable String diskType,
    int workers,
    List<List<String>> groups,
    long workerHeapBytes,
    long transactorHeapBytes,
    List<String> workerJvmOptions,
    List<String> transactorJvmOptions) {
  /**
   * One system.
   *
   * @param pipeline {@code stream}, {@code segments}, or {@code peer}: neither of ours
   * @param system what results call it
   * @param workerThreads its codec threads that a worker really has; null for a peer, which chooses
   *     them itself
   * @param transactorThreads those of the transactor, likewise
   * @param reckonedBytes what its two processes were reckoned to take
   */
  record SystemConfig(
      String system,
      String pipeline,
      @Nullable Integer workerThreads,
      @Nullable Integer transactorThreads,
      long reckonedBytes) {
    static SystemConfig of(SystemUnderTest system, SystemOptions set, HeapPlan heap) {
      return new SystemConfig(
          Contender.of(system, set).name(),
          pipeline(system),
          system.isPeer() ? null : (Integer) set.workerThreadsOf(system),
          system.isPeer() ? null : (Integer) set.transactorThreadsOf(system),
          heap.pairBytes(system));
    }

    private static String pipeline(SystemUnderTest system) {
      if (system.isPeer()) {
        return "peer";
      }
      return system.isParallel() ? "segments" : "stream";
    }
  }

  static RunConfig of(
      String command, List<RigPlan> plans, ThroughputOptions options, CargoSource source)
      throws IOException {
    RigPlan plan = plans.get(0);
    HeapPlan heap = plan.heap();
    Commits commits = plan.commits();
    SystemOptions set = options.system.toOptions();
    return new RunConfig(
        command,
        CargoSources.sizeCounts(options.from.cargo) ? options.size.text() : null,
        CargoSources.sizeCounts(options.from.cargo) ? plan.sizeBytes() : null,
        plan.cargo(),
        source.describe(),
        plan.seed(),
        set.segmentBytes(),
        set.chunkBytes(),
        set.connections(),
        set.workerThreads(),
        set.transactorThreads(),
        set.congestionControl(),
        set.linkBytesPerSecond(),
        options.system.tls,
        options.systems.stream().map(system -> SystemConfig.of(system, set, heap)).toList(),
        options.baseline(),
        plan.iterations(),
        plan.warmup(),
        plan.link().text(),
        plan.link().facts(),
        options.streaming.stageKind(),
        commits == null ? "memory" : "whole",
        commits == null ? null : commits.acknowledgement().name().toLowerCase(Locale.ROOT),
        commits == null ? null : commits.load().name().toLowerCase(Locale.ROOT),
        commits == null ? null : options.commit.diskType(),
        plan.workers(),
        plans.stream()
            .map(group -> group.contenders().stream().map(Contender::name).toList())
            .toList(),
        heap.worker().bytes(),
        heap.transactor().bytes(),
        heap.workerOptions(),
        heap.transactorOptions());
  }
}
