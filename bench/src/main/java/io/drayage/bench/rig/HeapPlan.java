package io.drayage.bench.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * The memory of one pair of children, the same for every system.
 *
 * <p>Sizes are fixed from the start, so that a heap that grows is not part of any measurement.
 * Pages are touched by the warm-up, not before: idle pairs then hold only what they use, and the
 * old generation of the transactor is not even touched unless it is needed.
 *
 * <p><b>Worker:</b> its cargo lies in the old generation after the first collection. The young one
 * takes the garbage of an iteration; its survivor spaces hold what a published system keeps queued
 * (1,024 chunks of 63 kB), which would else be moved to the old generation.
 *
 * <p><b>Transactor:</b> a whole cargo is decoded and applied between two collections of the rig.
 * Eden holds it together with as much garbage, so that no collection copies pages in use while the
 * clock runs. That was measured: over gRPC a cargo of 1 GB leaves about 0.8 GB of garbage. If a
 * collection comes all the same, the old generation can take the cargo.
 *
 * @param worker the worker's heap
 * @param transactor the transactor's heap
 * @param directBytes the limit of either's direct memory
 */
public record HeapPlan(Heap worker, Heap transactor, long directBytes) {
  private static final long MIB = 1L << 20;
  private static final long DIRECT_LIMIT_BYTES = 512 * MIB;

  /** What credits, send buffers and the allocators' reserves come to, by measurement. */
  private static final long DIRECT_EXPECTED_BYTES = 96 * MIB;

  /** Code, metaspace, stacks and the collector's own tables of one process, by measurement. */
  private static final long PROCESS_BYTES = 192 * MIB;

  private static final int FIRST_JDK_WITH_UNSAFE_OPTION = 24;

  /**
   * One heap.
   *
   * @param youngBytes size of the young generation
   * @param oldBytes size of the old generation
   * @param survivorRatio how many times as large as one survivor space eden is
   * @param expectedOldBytes how much of the old generation will be in use
   */
  public record Heap(long youngBytes, long oldBytes, int survivorRatio, long expectedOldBytes) {
    /** The size of the heap. */
    public long bytes() {
      return youngBytes + oldBytes;
    }
  }

  /**
   * A plan.
   *
   * @param cargoBytes what the cargo takes in a heap
   * @param loadingBytes what the worker needs besides, to make the cargo
   */
  public static HeapPlan of(long cargoBytes, long loadingBytes) {
    long workerOld = 96 * MIB + cargoBytes + cargoBytes / 32 + loadingBytes;
    Heap worker = new Heap(256 * MIB + cargoBytes / 8, workerOld, 3, workerOld);
    Heap transactor =
        new Heap(
            256 * MIB + 2 * cargoBytes + cargoBytes / 4,
            256 * MIB + cargoBytes + cargoBytes / 16,
            30,
            96 * MIB);
    return new HeapPlan(worker, transactor, DIRECT_LIMIT_BYTES);
  }

  /** What a pair is reckoned to take at most, by experience. */
  public long pairBytes() {
    return processBytes(worker) + processBytes(transactor);
  }

  private static long processBytes(Heap heap) {
    return heap.youngBytes + heap.expectedOldBytes + DIRECT_EXPECTED_BYTES + PROCESS_BYTES;
  }

  /** The worker's JVM options. */
  public List<String> workerOptions() {
    return options(worker);
  }

  /** The transactor's JVM options. */
  public List<String> transactorOptions() {
    return options(transactor);
  }

  private List<String> options(Heap heap) {
    List<String> options = new ArrayList<>();
    options.add("-XX:+UseParallelGC");
    options.add("-XX:-UseAdaptiveSizePolicy");
    options.add("-Xms" + mebibytes(heap.bytes()));
    options.add("-Xmx" + mebibytes(heap.bytes()));
    options.add("-Xmn" + mebibytes(heap.youngBytes));
    options.add("-XX:SurvivorRatio=" + heap.survivorRatio);
    options.add("-XX:MaxDirectMemorySize=" + mebibytes(directBytes));
    options.add("-XX:+ExitOnOutOfMemoryError");
    options.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= FIRST_JDK_WITH_UNSAFE_OPTION) {
      // Netty warns without it; older JDKs reject it.
      options.add("--sun-misc-unsafe-memory-access=allow");
    }
    return List.copyOf(options);
  }

  private static String mebibytes(long bytes) {
    return (bytes + MIB - 1) / MIB + "m";
  }
}
