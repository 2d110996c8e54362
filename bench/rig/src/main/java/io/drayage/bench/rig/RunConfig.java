package io.drayage.bench.rig;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoConfig;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The user's request and the rig's choices, as the result contains them.
 *
 * @param command as the user typed it
 * @param cargo the shipped cargo
 * @param setup of all systems; null if each has its own
 * @param systems in the order of their turns; left out if each has its own setup
 * @param baseline the system with which the others are compared
 * @param iterations measured iterations of each
 * @param warmup iterations of each before them; null: until they were warm
 * @param link between the two processes
 * @param linkFacts how the link was made
 * @param commit how far a commit went; null if cargoes only had to take effect in any case
 * @param groups the systems that alternated with each other
 * @param heaps the memory of the processes
 */
public record RunConfig(
    String command,
    @JsonUnwrapped CargoConfig cargo,
    @JsonUnwrapped @Nullable Setup setup,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<SystemConfig> systems,
    String baseline,
    int iterations,
    @Nullable Integer warmup,
    String link,
    LinkFacts linkFacts,
    @JsonUnwrapped @Nullable Commit commit,
    List<List<String>> groups,
    @JsonUnwrapped Heaps heaps) {
  /**
   * The setup of all systems, beyond their notation.
   *
   * @param segmentBytes approximate raw bytes of a segment, for systems with segments
   * @param chunkBytes bytes of a chunk, for systems with a stream
   * @param connections that a worker requested
   * @param workerThreads codec threads of a worker; null: as in the systems' notations
   * @param transactorThreads codec threads of the transactor, likewise
   * @param linkBytesPerSecond the link's rate as the user set it; null: as in {@code link}
   * @param tls whether connections were secured
   */
  public record Setup(
      int segmentBytes,
      int chunkBytes,
      int connections,
      @Nullable Integer workerThreads,
      @Nullable Integer transactorThreads,
      @Nullable Long linkBytesPerSecond,
      boolean tls) {
    /** Returns the setup in the options of all systems. */
    public static Setup of(SystemOptions options) {
      return new Setup(
          options.segments().bytes(),
          options.stream().chunkBytes(),
          options.wire().connections(),
          options.segments().workerThreads(),
          options.segments().transactorThreads(),
          options.wire().bytesPerSecond(),
          options.wire().certificates() != null);
    }
  }

  /**
   * One system.
   *
   * @param system its name in results
   * @param pipeline {@code stream}, {@code segments}, or {@code peer}: neither of ours
   * @param workerThreads actual codec threads of a worker; null for a peer, which chooses them
   *     itself
   * @param transactorThreads those of the transactor, likewise
   * @param reckonedBytes estimated memory of its two processes
   */
  public record SystemConfig(
      String system,
      String pipeline,
      @Nullable Integer workerThreads,
      @Nullable Integer transactorThreads,
      long reckonedBytes) {
    /** Returns the configuration of a contender in processes with this memory. */
    public static SystemConfig of(Contender contender, RigPlan plan) {
      SystemUnderTest system = contender.system();
      SystemOptions options = contender.options();
      boolean isPeer = system.isPeer();
      return new SystemConfig(
          contender.name(),
          isPeer ? "peer" : system.isParallel() ? "segments" : "stream",
          isPeer ? null : (Integer) options.workerThreadsOf(system),
          isPeer ? null : (Integer) options.transactorThreadsOf(system),
          plan.bytesOf(contender));
    }
  }

  /**
   * The extent of a commit, and its conditions.
   *
   * @param commit {@code whole}: until the snapshot is loaded; {@code memory}: until the cargo has
   *     taken effect
   * @param acknowledgement when the transactor answers; null if not requested
   * @param load the worker's source of its snapshot; null if it gets none
   * @param diskType file system of the snapshots; null if there are none
   * @param storeBytesPerSecond each process's limit for the store, in each direction; null: none
   * @param workers number of workers that ship at a time
   */
  public record Commit(
      String commit,
      @Nullable String acknowledgement,
      @Nullable String load,
      @Nullable String diskType,
      @Nullable Long storeBytesPerSecond,
      int workers) {
    static Commit of(Delivery delivery) throws IOException {
      Delivery.Commits commits = delivery.commits();
      if (commits == null) {
        return new Commit("memory", null, null, null, null, delivery.workers());
      }
      return new Commit(
          "whole",
          commits.acknowledgement().name().toLowerCase(Locale.ROOT),
          commits.load().name().toLowerCase(Locale.ROOT),
          Files.getFileStore(Path.of(commits.folder())).type(),
          commits.storeBytesPerSecond(),
          delivery.workers());
    }
  }

  /**
   * The memory of the processes.
   *
   * @param workerHeapBytes heap of every worker, from the start
   * @param transactorHeapBytes heap of every transactor, from the start
   * @param workerJvmOptions of every worker
   * @param transactorJvmOptions of every transactor
   */
  public record Heaps(
      long workerHeapBytes,
      long transactorHeapBytes,
      List<String> workerJvmOptions,
      List<String> transactorJvmOptions) {}

  /**
   * Returns the configuration of a comparison.
   *
   * @param size as the user wrote it
   * @param options of all systems; null if each has its own
   * @throws IOException if the kind of the snapshots' disk cannot be read
   */
  public static RunConfig of(
      String command,
      GroupedPlan plan,
      ByteSize size,
      CargoSource source,
      String baseline,
      List<Contender> contenders,
      @Nullable SystemOptions options)
      throws IOException {
    RigPlan shipped = plan.plan();
    CargoSpec cargo = shipped.cargo();
    HeapPlan heap = shipped.heap();
    return new RunConfig(
        command,
        CargoConfig.of(cargo.notation(), size, cargo.seed(), source),
        options == null ? null : Setup.of(options),
        options == null
            ? null
            : contenders.stream().map(one -> SystemConfig.of(one, shipped)).toList(),
        baseline,
        plan.turns().iterations(),
        plan.turns().warmup(),
        shipped.link().text(),
        shipped.link().facts(),
        options == null ? null : Commit.of(shipped.delivery()),
        plan.groups().stream().map(GroupedPlan::names).toList(),
        new Heaps(
            heap.worker().bytes(),
            heap.transactor().bytes(),
            heap.workerOptions(),
            heap.transactorOptions()));
  }
}
