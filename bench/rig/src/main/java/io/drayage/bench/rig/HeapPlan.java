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
 * <p>Sizes are fixed from the start, so that no measurement includes a growing heap. The warm-up
 * touches the pages. Idle pairs then hold only the memory that they use, and the transactor's old
 * generation stays untouched unless needed.
 *
 * <p><b>Worker:</b> after the first collection the cargo lies in the old generation. The young
 * generation holds the garbage of an iteration; its survivor spaces hold the queue of a published
 * system (1,024 chunks of 63 kB). The old generation is about twice as large as necessary, which
 * costs address space only. The collector remembers how much the loading of the cargo promoted. If
 * less were free, every collection would be a full one, while the clock runs.
 *
 * <p><b>Transactor:</b> a whole cargo is decoded, applied and read back between two collections of
 * the rig. Eden holds the cargo together with as much garbage, so that no collection copies pages
 * in use. By measurement, over gRPC a cargo of 1 GB leaves about 1.1 GB of garbage. If a collection
 * happens anyway, the old generation has room for the cargo. If all systems decode into place,
 * there is almost no garbage: a cargo of 8 GB then fits into a machine of 24 GB.
 *
 * <p><b>Whole commits:</b> a worker also loads the snapshot into its own copy. So its young
 * generation has as much space for that as the transactor's. Of its own cargo, if that is applied
 * as it is, it needs only space for the bookkeeping of rows. Several workers have a cargo each, and
 * every node's copy gets all cargoes.
 *
 * @param cargoBytes heap bytes of a cargo
 * @param workers number of workers, each with a cargo
 * @param loads whether workers load snapshots
 * @param worker the worker's heap
 * @param transactor the transactor's heap
 */
public record HeapPlan(long cargoBytes, int workers, boolean loads, Heap worker, Heap transactor) {
  /**
   * Ten times the usual calls until C1 compiles a method, with profiles for C2. Code that runs once
   * a commit, and the rig's own code, stays interpreted and out of the compiler's queue.
   */
  private static final List<String> LATE_C1 =
      List.of(
          "-XX:Tier3InvocationThreshold=2000",
          "-XX:Tier3MinInvocationThreshold=1000",
          "-XX:Tier3CompileThreshold=20000");

  /**
   * Packages of the data path, of all systems and peers alike. HotSpot compiles them after a tenth
   * of these calls: with C1 as usual, with C2 ten times as early as usual. Otherwise a warm-up
   * would have to ship ten times as much.
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

  /** Packages of the control channel and of ZooKeeper's client, which stay interpreted. */
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

  /** Credits, send buffers and reserves of the allocators, by measurement. */
  private static final long DIRECT_EXPECTED_BYTES = 64 * MIB;

  /** Code, metaspace, stacks and the collector's own tables of one process, by measurement. */
  private static final long PROCESS_BYTES = 128 * MIB;

  /** Further memory of a node, by measurement: ZooKeeper, recorded data and data that is read. */
  private static final long NODE_BYTES = 192 * MIB;

  /** Free bytes of a worker's old generation, in addition to a second cargo. */
  private static final long WORKER_OLD_SPARE_BYTES = 448 * MIB;

  /** Bytes that a transactor keeps from one iteration to the next. */
  private static final long TRANSACTOR_OLD_EXPECTED_BYTES = 96 * MIB;

  private static final int FIRST_JDK_WITH_UNSAFE_OPTION = 24;

  /**
   * One heap.
   *
   * @param youngBytes size of the young generation
   * @param oldBytes size of the old generation
   * @param survivorRatio size of eden divided by the size of one survivor space
   */
  public record Heap(long youngBytes, long oldBytes, int survivorRatio) {
    /** Returns the size of the heap. */
    public long bytes() {
      return youngBytes + oldBytes;
    }
  }

  /**
   * Returns a plan for cargoes that only have to take effect.
   *
   * @param cargoBytes heap bytes of the cargo
   * @param loadingBytes further bytes that the worker needs to make the cargo
   */
  public static HeapPlan of(long cargoBytes, long loadingBytes) {
    Heap worker =
        new Heap(352 * MIB + cargoBytes / 8 * 3, workerOldBytes(cargoBytes, loadingBytes), 4);
    return new HeapPlan(cargoBytes, 1, false, worker, transactorHeap(cargoBytes, false));
  }

  /**
   * Returns a plan for whole commits.
   *
   * @param workers number of workers
   * @param downloads whether a worker also downloads the snapshots of its own commits
   * @param systems the compared systems, all with this memory
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

  /** Checks whether arrays are made once, in their final place, with almost no garbage. */
  private static boolean decodesIntoPlace(SystemUnderTest system) {
    return system.isParallel()
        && !system.isPeer()
        && !system.transport().startsWith("grpc")
        && IN_PLACE_SERIALIZERS.contains(system.serializer());
  }

  /** Returns the bytes that decoding leaves in a heap, the garbage of a stream included. */
  private static long decodedBytes(long cargoBytes, boolean inPlace) {
    return inPlace ? cargoBytes + cargoBytes / 2 : 2 * cargoBytes + cargoBytes / 4 * 3;
  }

  /**
   * Returns the estimated memory of the pair of {@code system}, by measurement. Only gRPC touches
   * all of the transactor's young generation, by a cargo's worth of garbage. Of the old generations
   * only the bytes count that are kept between iterations.
   */
  public long pairBytes(SystemUnderTest system) {
    return pairBytes(system, workers);
  }

  /** Returns the same for another number of workers, which share the cargoes of these. */
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

  /** Counts all of the young generations, which the reading back of the cargo touches. */
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
   * Returns the memory that new processes may use before the machine swaps or kills. This is the
   * kernel's estimate, which counts the page cache as free, within the container's limit. Without
   * /proc it is the free memory.
   */
  public static long availableBytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    try {
      Matcher matcher = AVAILABLE.matcher(Files.readString(MEMINFO));
      if (matcher.find()) {
        return Math.min(Long.parseLong(matcher.group(1)) * 1024, system.getTotalMemorySize());
      }
    } catch (IOException e) {
      // Not Linux: the next best value.
    }
    return system.getFreeMemorySize();
  }

  /** Returns the worker's JVM options. */
  public List<String> workerOptions() {
    return jvmOptions(worker, DIRECT_LIMIT_BYTES);
  }

  /** Returns the transactor's JVM options. */
  public List<String> transactorOptions() {
    return jvmOptions(transactor, DIRECT_LIMIT_BYTES);
  }

  /** Returns the options of a JVM without which Netty and native libraries make it warn. */
  public static List<String> accessOptions() {
    String nativeAccess = "--enable-native-access=ALL-UNNAMED";
    return Runtime.version().feature() < FIRST_JDK_WITH_UNSAFE_OPTION
        ? List.of(nativeAccess)
        : List.of(nativeAccess, "--sun-misc-unsafe-memory-access=allow"); // Unknown before.
  }

  /**
   * Returns the options of a measured JVM.
   *
   * @param directBytes the limit of its direct memory
   */
  public static List<String> jvmOptions(Heap heap, long directBytes) {
    List<String> options = new ArrayList<>(CollectorChoice.option("Parallel"));
    // All compiler threads from the start, so that their CPU time can be measured.
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
    // Otherwise each thread reserves a fiftieth of an eden that is as large as the cargo.
    options.add("-XX:-ResizeTLAB");
    options.add("-XX:TLABSize=1m");
    options.add("-Xms" + mebibytes(heap.bytes()));
    options.add("-Xmx" + mebibytes(heap.bytes()));
    options.add("-Xmn" + mebibytes(heap.youngBytes));
    options.add("-XX:SurvivorRatio=" + heap.survivorRatio);
    options.add("-XX:MaxDirectMemorySize=" + mebibytes(directBytes));
    options.add("-XX:+ExitOnOutOfMemoryError");
    // Messages of the JVM go to the log, because standard output is the control channel.
    options.add("-XX:+DisplayVMOutputToStderr");
    options.addAll(accessOptions());
    if (Runtime.version().feature() < FIRST_JDK_WITH_UNSAFE_OPTION) {
      // A young collection before would copy garbage; newer JDKs do not do it.
      options.add("-XX:-ScavengeBeforeFullGC");
    }
    return List.copyOf(options);
  }

  private static String mebibytes(long bytes) {
    return (bytes + MIB - 1) / MIB + "m";
  }
}
