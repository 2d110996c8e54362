package io.drayage.bench.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * The memory of one pair of children, the same for every system.
 *
 * <p>The worker's cargo is moved to the old generation before the first iteration, and a small
 * young generation serves the rest. In the transactor a whole cargo is decoded, and applied,
 * between two collections: the young generation holds it with some garbage, so that no collection
 * has to copy pages in use while the clock runs, and the old one could take it if one came all the
 * same. Sizes are fixed from the start, so that a heap that grows is not part of any measurement.
 * Its pages are touched by the warm-up, which spares idle pairs the memory they do not need.
 *
 * @param workerHeapBytes the worker's heap
 * @param workerYoungBytes its young generation
 * @param transactorHeapBytes the transactor's heap
 * @param transactorYoungBytes its young generation
 * @param directBytes the limit of either's direct memory
 */
public record HeapPlan(
    long workerHeapBytes,
    long workerYoungBytes,
    long transactorHeapBytes,
    long transactorYoungBytes,
    long directBytes) {
  private static final long MIB = 1L << 20;
  private static final long DIRECT_LIMIT_BYTES = 512 * MIB;

  /** What credits, send buffers and the allocators' reserves come to, by measurement. */
  private static final long DIRECT_EXPECTED_BYTES = 96 * MIB;

  /** Code, metaspace, stacks and the collector's own tables of one process. */
  private static final long PROCESS_BYTES = 160 * MIB;

  private static final int FIRST_JDK_WITH_UNSAFE_OPTION = 24;

  /**
   * A plan.
   *
   * @param cargoBytes what the cargo takes in a heap
   * @param loadingBytes what the worker needs besides, to make the cargo
   */
  public static HeapPlan of(long cargoBytes, long loadingBytes) {
    long workerYoung = 128 * MIB + cargoBytes / 8;
    long workerOld = 96 * MIB + cargoBytes + cargoBytes / 20 + loadingBytes;
    long transactorYoung = 256 * MIB + cargoBytes + cargoBytes / 2;
    long transactorOld = 256 * MIB + cargoBytes + cargoBytes / 10;
    return new HeapPlan(
        workerYoung + workerOld,
        workerYoung,
        transactorYoung + transactorOld,
        transactorYoung,
        DIRECT_LIMIT_BYTES);
  }

  /** What a pair takes at most, by experience: both heaps whole, but not both direct limits. */
  public long pairBytes() {
    return workerHeapBytes
        + transactorHeapBytes
        + 2 * (Math.min(directBytes, DIRECT_EXPECTED_BYTES) + PROCESS_BYTES);
  }

  /** The worker's JVM options. */
  public List<String> workerOptions() {
    return options(workerHeapBytes, workerYoungBytes);
  }

  /** The transactor's JVM options. */
  public List<String> transactorOptions() {
    return options(transactorHeapBytes, transactorYoungBytes);
  }

  private List<String> options(long heapBytes, long youngBytes) {
    List<String> options = new ArrayList<>();
    options.add("-XX:+UseParallelGC");
    options.add("-XX:-UseAdaptiveSizePolicy");
    options.add("-XX:SurvivorRatio=30");
    options.add("-Xms" + mebibytes(heapBytes));
    options.add("-Xmx" + mebibytes(heapBytes));
    options.add("-Xmn" + mebibytes(youngBytes));
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
