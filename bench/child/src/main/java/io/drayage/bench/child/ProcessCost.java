package io.drayage.bench.child;

import java.util.Map;
import java.util.TreeMap;

/**
 * The cost of one iteration for one process.
 *
 * @param cpuS CPU time, in seconds, of the whole process, including compiler and collector. Some
 *     JDKs count it in steps of 10 ms
 * @param gcS time of its garbage collections, in seconds
 * @param gcCount number of garbage collections
 * @param usedBeforeBytes heap and direct memory in use right before the iteration, after a
 *     collection
 * @param peakBytes the most heap and direct memory in use during the shipment. Garbage that was not
 *     collected yet counts, because the process needs memory for it
 * @param stages the load of the threads of each stage, by its name, such as {@code encode}
 * @param waits the times for which the process could not continue
 * @param sqCpuS CPU time until the shipment was received
 * @param sqJitS the JIT compiler's part of {@code sqCpuS}
 * @param jitS CPU time of the JIT compiler in the whole iteration
 */
public record ProcessCost(
    double cpuS,
    double gcS,
    long gcCount,
    long usedBeforeBytes,
    long peakBytes,
    Map<String, StageLoad> stages,
    WaitTimes waits,
    double sqCpuS,
    double sqJitS,
    double jitS) {
  public ProcessCost {
    stages = new TreeMap<>(stages);
  }
}
