package io.drayage.bench.throughput;

import io.drayage.bench.cargo.CargoSource;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, and what the rig chose, as it stands in the result.
 *
 * @param size the size that was asked for; null if the cargo has a size of its own
 * @param sizeBytes the same in bytes
 * @param cargo what was asked to be shipped
 * @param cargoDescription what that is
 * @param seed of the cargo's values
 * @param segmentBytes about how many raw bytes a segment has, of the systems with segments
 * @param chunkBytes bytes of a chunk, of the systems with a stream
 * @param connections how many connections a worker asked for
 * @param linkBytesPerSecond what the link was said to carry; null if nothing was said
 * @param tls whether they were secured
 * @param systems in the order of their turns
 * @param baseline the system that the others are compared with
 * @param iterations measured iterations of each
 * @param warmup iterations of each before them
 * @param link what lies between the two processes
 * @param stage where the transactor put a cargo that was streamed: {@code none} or {@code disk};
 *     null if it was in memory
 * @param workers how many workers ship at a time
 * @param workerHeapBytes heap of every worker, from the start
 * @param transactorHeapBytes heap of every transactor, from the start
 * @param workerJvmOptions of every worker
 * @param transactorJvmOptions of every transactor
 */
record RunConfig(
    @Nullable String size,
    @Nullable Long sizeBytes,
    String cargo,
    String cargoDescription,
    long seed,
    int segmentBytes,
    int chunkBytes,
    int connections,
    @Nullable String congestionControl,
    @Nullable Long linkBytesPerSecond,
    boolean tls,
    List<SystemConfig> systems,
    String baseline,
    int iterations,
    int warmup,
    String link,
    @Nullable String stage,
    int workers,
    long workerHeapBytes,
    long transactorHeapBytes,
    List<String> workerJvmOptions,
    List<String> transactorJvmOptions) {
  private static final String LOOPBACK = "loopback";

  /**
   * One system.
   *
   * @param pipeline {@code stream} or {@code segments}
   * @param codecThreads on either side
   * @param reckonedBytes what its two processes were reckoned to take
   */
  record SystemConfig(String system, String pipeline, int codecThreads, long reckonedBytes) {
    static SystemConfig of(SystemUnderTest system, HeapPlan heap) {
      return new SystemConfig(
          system.toString(),
          system.isParallel() ? "segments" : "stream",
          system.threadCount(),
          heap.pairBytes(system));
    }
  }

  static RunConfig of(RigPlan plan, ThroughputOptions options, CargoSource source) {
    HeapPlan heap = plan.heap();
    SystemOptions set = options.system.toOptions();
    return new RunConfig(
        CargoSources.sizeCounts(options.from.cargo) ? options.size.text() : null,
        CargoSources.sizeCounts(options.from.cargo) ? plan.sizeBytes() : null,
        plan.cargo(),
        source.describe(),
        plan.seed(),
        set.segmentBytes(),
        set.chunkBytes(),
        set.connections(),
        set.congestionControl(),
        set.linkBytesPerSecond(),
        options.system.tls,
        plan.contenders().stream()
            .map(contender -> SystemConfig.of(contender.system(), heap))
            .toList(),
        options.baseline(),
        plan.iterations(),
        plan.warmup(),
        LOOPBACK,
        options.streaming.stageKind(),
        1,
        heap.worker().bytes(),
        heap.transactor().bytes(),
        heap.workerOptions(),
        heap.transactorOptions());
  }
}
