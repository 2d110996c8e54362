package io.drayage.bench.rig;

import com.sun.management.OperatingSystemMXBean;
import io.drayage.bench.system.SystemUnderTest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of one pair of children, the same for every system.
 *
 * <p>Sizes are fixed from the start, so that a heap that grows is not part of any measurement.
 * Pages are touched by the warm-up, not before: idle pairs then hold only what they use, and the
 * old generation of the transactor is not even touched unless it is needed.
 *
 * <p><b>Worker:</b> its cargo lies in the old generation after the first collection. The young one
 * takes the garbage of an iteration; its survivor spaces hold what a published system keeps queued
 * (1,024 chunks of 63 kB). The old generation is about twice as large as it must be, which costs
 * address space only: the collector remembers how much the loading of the cargo promoted, and as
 * long as less than that is free it makes every collection a full one, while the clock runs.
 *
 * <p><b>Transactor:</b> a whole cargo is decoded, applied and read back between two collections of
 * the rig. Eden holds it together with as much garbage, so that no collection copies pages in use.
 * That was measured: over gRPC a cargo of 1 GB leaves about 1.1 GB of garbage. If a collection
 * comes all the same, the old generation can take the cargo. If all systems decode into place,
 * there is next to no garbage: that is how a cargo of 8 GB fits into a machine of 24.
 *
 * <p><b>Whole commits:</b> a worker also loads the snapshot into its own copy, so its young
 * generation has as much space for that as the transactor's; of its own cargo, if that is applied
 * as it is, only what the rows' bookkeeping takes. Several workers have a cargo each, and every
 * node's copy gets them all.
 *
 * @param cargoBytes what the cargo takes in a heap
 * @param workers how many workers there are, each with a cargo
 * @param loads whether they load snapshots
 * @param worker the worker's heap
 * @param transactor the transactor's heap
 */
public record HeapPlan(long cargoBytes, int workers, boolean loads, Heap worker, Heap transactor) {
  /**
   * Ten times the usual calls until C1 compiles a method, with profiles for C2: what is called once
   * a commit, and what is the rig's own, stays interpreted and out of the compiler's queue.
   */
  private static final List<String> LATE_C1 =
      List.of(
          "-XX:Tier3InvocationThreshold=2000",
          "-XX:Tier3MinInvocationThreshold=1000",
          "-XX:Tier3CompileThreshold=20000");

  /**
   * Packages of the data path, of all systems and peers alike: HotSpot compiles them after a tenth
   * of these calls, with C1 as usual and with C2 ten times as early, or a warm-up would have to
   * ship ten times as much.
   */
  private static final List<String> DATA_PATH =
      List.of(
          "io.drayage.baseline.",
          "io.drayage.cargo.",
          "io.drayage.codec.",
          "io.drayage.columnar.",
          "io.drayage.frame.",
          "io.drayage.internal.",
          "io.drayage.memory.",
          "io.drayage.objectstore.",
          "io.drayage.receive.",
          "io.drayage.segment.",
          "io.drayage.send.",
          "io.drayage.snapshot.",
          "io.drayage.store.",
          "io.drayage.transport.",
          "com.esotericsoftware.",
          "io.grpc.",
          "io.netty.",
          "java.io.",
          "java.nio.",
          "java.util.concurrent.",
          "java.util.zip.",
          "org.apache.arrow.",
          "org.jctools.",
          "org.msgpack.",
          "sun.nio.ch.");

  /** Packages of the control channel and of ZooKeeper's client: interpreted. */
  private static final List<String> NOT_MEASURED =
      List.of(
          "com.fasterxml.",
          "java.util.regex.",
          "org.apache.curator.",
          "org.apache.jute.",
          "org.apache.zookeeper.");

  private static final Set<String> IN_PLACE_SERIALIZERS = Set.of("raw", "columnar");

  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d{1,15}) kB");
  private static final long MIB = 1L << 20;
  private static final long DIRECT_LIMIT_BYTES = 512 * MIB;

  /** What credits, send buffers and the allocators' reserves come to, by measurement. */
  private static final long DIRECT_EXPECTED_BYTES = 64 * MIB;

  /** Code, metaspace, stacks and the collector's own tables of one process, by measurement. */
  private static final long PROCESS_BYTES = 128 * MIB;

  /** What a node has besides: ZooKeeper, what is recorded and what is read, by measurement. */
  private static final long NODE_BYTES = 192 * MIB;

  /** What is free of a worker's old generation, beside a second cargo. */
  private static final long WORKER_OLD_SPARE_BYTES = 448 * MIB;

  /** What a transactor keeps from one iteration to the next. */
  private static final long TRANSACTOR_OLD_EXPECTED_BYTES = 96 * MIB;

  private static final int FIRST_JDK_WITH_UNSAFE_OPTION = 24;

  /**
   * One heap.
   *
   * @param youngBytes size of the young generation
   * @param oldBytes size of the old generation
   * @param survivorRatio how many times as large as one survivor space eden is
   */
  public record Heap(long youngBytes, long oldBytes, int survivorRatio) {
    /** The size of the heap. */
    public long bytes() {
      return youngBytes + oldBytes;
    }
  }

  /**
   * A plan for cargoes that only have to take effect.
   *
   * @param cargoBytes what the cargo takes in a heap
   * @param loadingBytes what the worker needs besides, to make the cargo
   */
  public static HeapPlan of(long cargoBytes, long loadingBytes) {
    Heap worker =
        new Heap(352 * MIB + cargoBytes / 8 * 3, workerOldBytes(cargoBytes, loadingBytes), 4);
    return new HeapPlan(cargoBytes, 1, false, worker, transactorHeap(cargoBytes, false));
  }

  /**
   * A plan for whole commits.
   *
   * @param workers how many there are
   * @param downloads whether a worker downloads the snapshots of its own commits as well
   * @param systems what is compared, all with this memory
   */
  public static HeapPlan ofCommits(
      long cargoBytes,
      long loadingBytes,
      int workers,
      boolean downloads,
      Collection<SystemUnderTest> systems) {
    boolean inPlace = systems.stream().allMatch(HeapPlan::decodesIntoPlace);
    long downloadedBytes = (downloads ? workers : workers - 1) * cargoBytes;
    long loadedBytes = cargoBytes / 16 + decodedBytes(downloadedBytes, inPlace);
    long queuedBytes = 352 * MIB + (inPlace ? 0 : cargoBytes / 8 * 3);
    Heap worker =
        new Heap(
            queuedBytes + loadedBytes,
            workerOldBytes(cargoBytes, loadingBytes),
            Math.max(4, (int) (4 + 6 * loadedBytes / queuedBytes)));
    Heap transactor = transactorHeap(workers * cargoBytes, inPlace);
    return new HeapPlan(cargoBytes, workers, true, worker, transactor);
  }

  private static long workerOldBytes(long cargoBytes, long loadingBytes) {
    return 64 * MIB + WORKER_OLD_SPARE_BYTES + 2 * cargoBytes + loadingBytes;
  }

  private static Heap transactorHeap(long copyBytes, boolean inPlace) {
    return new Heap(
        256 * MIB + decodedBytes(copyBytes, inPlace), 256 * MIB + copyBytes + copyBytes / 16, 30);
  }

  /** Whether arrays are made once, in their final place, and next to no garbage with them. */
  private static boolean decodesIntoPlace(SystemUnderTest system) {
    return system.isParallel()
        && !system.isPeer()
        && !system.transport().startsWith("grpc")
        && IN_PLACE_SERIALIZERS.contains(system.serializer());
  }

  /** What decoding leaves in a heap; from a stream, that is garbage as well. */
  private static long decodedBytes(long cargoBytes, boolean inPlace) {
    return inPlace ? cargoBytes + cargoBytes / 2 : 2 * cargoBytes + cargoBytes / 4 * 3;
  }

  /**
   * What the pair of {@code system} is reckoned to take, by measurement: of the transactor's young
   * generation, all is touched only over gRPC, which leaves a cargo's worth of garbage; of the old
   * ones, what is kept from one iteration to the next.
   */
  public long pairBytes(SystemUnderTest system) {
    return pairBytes(system, workers);
  }

  /** The same with another number of workers, which share what these have. */
  long pairBytes(SystemUnderTest system, int sharing) {
    return loads ? commitBytes(system, sharing) : shipmentBytes(system);
  }

  private long shipmentBytes(SystemUnderTest system) {
    boolean leavesGarbage = system.transport().startsWith("grpc") || system.isPeer();
    long cargoAppliedBytes = 256 * MIB + cargoBytes + cargoBytes / 2;
    long transactorYoung =
        leavesGarbage ? transactor.youngBytes : Math.min(transactor.youngBytes, cargoAppliedBytes);
    return workerBytes()
        + transactorYoung
        + TRANSACTOR_OLD_EXPECTED_BYTES
        + 2 * (DIRECT_EXPECTED_BYTES + PROCESS_BYTES);
  }

  /** Reading the cargo back, at the latest, touches all of the young generations. */
  private long commitBytes(SystemUnderTest system, int sharing) {
    long promotedBytes = system.isParallel() ? 0 : workers * cargoBytes;
    long processBytes = DIRECT_EXPECTED_BYTES + PROCESS_BYTES + NODE_BYTES;
    return sharing * (workerBytes() + promotedBytes + processBytes)
        + transactor.youngBytes
        + TRANSACTOR_OLD_EXPECTED_BYTES
        + promotedBytes
        + processBytes;
  }

  private long workerBytes() {
    return worker.youngBytes + (worker.oldBytes - cargoBytes - WORKER_OLD_SPARE_BYTES);
  }

  /**
   * How much memory new processes may take before the machine swaps or kills: the kernel's
   * estimate, which counts the page cache as free, within the container's limit. Without /proc, the
   * free memory.
   */
  public static long availableBytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    try {
      Matcher matcher = AVAILABLE.matcher(Files.readString(MEMINFO));
      if (matcher.find()) {
        return Math.min(Long.parseLong(matcher.group(1)) * 1024, system.getTotalMemorySize());
      }
    } catch (IOException e) {
      // No Linux: the next best.
    }
    return system.getFreeMemorySize();
  }

  /** The worker's JVM options. */
  public List<String> workerOptions() {
    return jvmOptions(worker, DIRECT_LIMIT_BYTES);
  }

  /** The transactor's JVM options. */
  public List<String> transactorOptions() {
    return jvmOptions(transactor, DIRECT_LIMIT_BYTES);
  }

  /**
   * The options of a JVM that is measured.
   *
   * @param directBytes the limit of its direct memory
   */
  public static List<String> jvmOptions(Heap heap, long directBytes) {
    List<String> options = new ArrayList<>(CollectorChoice.option("Parallel"));
    // All compiler threads from the start, so that their processor time can be told.
    options.add("-XX:-UseDynamicNumberOfCompilerThreads");
    options.addAll(LATE_C1);
    options.add("-XX:CompileCommand=quiet");
    for (String packages : DATA_PATH) {
      options.add("-XX:CompileCommand=CompileThresholdScaling,%s*::*,0.1".formatted(packages));
    }
    for (String packages : NOT_MEASURED) {
      options.add("-XX:CompileCommand=exclude,%s*::*".formatted(packages));
    }
    options.add("-XX:-UseAdaptiveSizePolicy");
    // Or each thread reserves a fiftieth of an eden that is as large as the cargo.
    options.add("-XX:-ResizeTLAB");
    options.add("-XX:TLABSize=1m");
    options.add("-Xms" + mebibytes(heap.bytes()));
    options.add("-Xmx" + mebibytes(heap.bytes()));
    options.add("-Xmn" + mebibytes(heap.youngBytes));
    options.add("-XX:SurvivorRatio=" + heap.survivorRatio);
    options.add("-XX:MaxDirectMemorySize=" + mebibytes(directBytes));
    options.add("-XX:+ExitOnOutOfMemoryError");
    // Messages of the JVM go to the log: standard output is the control channel.
    options.add("-XX:+DisplayVMOutputToStderr");
    options.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= FIRST_JDK_WITH_UNSAFE_OPTION) {
      // Netty warns without it; older JDKs reject it.
      options.add("--sun-misc-unsafe-memory-access=allow");
    } else {
      // A young collection first would copy what is garbage already; newer JDKs do not do it.
      options.add("-XX:-ScavengeBeforeFullGC");
    }
    return List.copyOf(options);
  }

  private static String mebibytes(long bytes) {
    return (bytes + MIB - 1) / MIB + "m";
  }
}
