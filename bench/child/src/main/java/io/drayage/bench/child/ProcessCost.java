package io.drayage.bench.child;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one iteration cost one process.
 *
 * @param cpuS processor time, in seconds: everything that the process did, compiler and collector
 *     included. Some JDKs count it in steps of 10 ms
 * @param gcS time of its garbage collections
 * @param gcCount how many there were
 * @param usedBeforeBytes heap and direct memory in use right before the iteration, after a
 *     collection
 * @param peakBytes the most heap and direct memory in use during the shipment. Garbage that was not
 *     collected yet counts: that is memory which the process must be given
 * @param stages what the threads of each stage did, by its name, such as {@code encode}
 * @param waits for how long the process could not go on
 * @param sqCpuS processor time until the shipment was received
 * @param sqJitS how much of it the JIT compiler took
 * @param jitS processor time of the JIT compiler in all of the iteration
 */
public record ProcessCost(
    double cpuS,
    double gcS,
    long gcCount,
    long usedBeforeBytes,
    long peakBytes,
    Map<String, StageLoad> stages,
    Waits waits,
    double sqCpuS,
    double sqJitS,
    double jitS) {
  public ProcessCost {
    stages = new TreeMap<>(stages);
  }
}
