package io.drayage.bench.child;

import com.sun.management.OperatingSystemMXBean;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToLongFunction;

/** Measures the cost of a period for this process. Not thread-safe, except the shipment marks. */
public final class ProcessMeter {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private final MemoryInUse inUse = new MemoryInUse();
  private final MemorySampler sampler = new MemorySampler(inUse);
  private final StageMeter stages;
  private final CompilerThreads compiler = new CompilerThreads();
  private long usedBeforeBytes;
  private ProcessorTime before = ProcessorTime.NONE;
  private volatile ProcessorTime received = ProcessorTime.NONE;
  private long gcBeforeMs;
  private long gcCountBefore;

  /** CPU time of the process and of its compiler. */
  private record ProcessorTime(double cpuS, double jitS) {
    static final ProcessorTime NONE = new ProcessorTime(0, 0);

    ProcessorTime since(ProcessorTime other) {
      return new ProcessorTime(cpuS - other.cpuS, jitS - other.jitS);
    }
  }

  /**
   * Measures this process.
   *
   * @param metrics know the threads of its stages
   * @param transport the stage of a transport's own threads
   */
  public ProcessMeter(DrayageMetrics metrics, Stage transport) {
    this.stages = new StageMeter(metrics, transport);
  }

  /** Starts to measure, right after a collection. */
  public void begin() {
    usedBeforeBytes = inUse.heapBytes() + inUse.directBytes();
    gcBeforeMs = sum(GarbageCollectorMXBean::getCollectionTime);
    gcCountBefore = sum(GarbageCollectorMXBean::getCollectionCount);
    sampler.start();
    stages.begin();
    before = work();
    received = before;
  }

  /** The shipment begins here: the peak counts from now on. Thread-safe. */
  public void markShipmentBegin() {
    sampler.start();
  }

  /** The shipment is received: the peak counts until now. Thread-safe. */
  public void markShipmentReceived() {
    sampler.stop();
    received = work();
  }

  private ProcessorTime work() {
    return new ProcessorTime(system.getProcessCpuTime() / 1e9, compiler.cpuS());
  }

  /** Stops measuring. */
  public ProcessCost end() {
    ProcessorTime all = work().since(before);
    ProcessorTime sq = received.since(before);
    sampler.stop();
    stages.end();
    return new ProcessCost(
        all.cpuS,
        (sum(GarbageCollectorMXBean::getCollectionTime) - gcBeforeMs) / 1e3,
        sum(GarbageCollectorMXBean::getCollectionCount) - gcCountBefore,
        usedBeforeBytes,
        sampler.peakBytes(),
        stages.stages(),
        stages.waits(),
        sq.cpuS,
        sq.jitS,
        all.jitS);
  }

  private long sum(ToLongFunction<GarbageCollectorMXBean> figure) {
    return collectors.stream().mapToLong(figure).sum();
  }
}
