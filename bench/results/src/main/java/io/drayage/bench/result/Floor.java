package io.drayage.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * The floor of a commit: the least CPU time, in seconds for a GB (10^9 bytes), that this machine
 * needs for each step. The steps are measured in one pass that does each of them once. Jackson
 * writes the floor unchanged.
 *
 * @param copies values out of arrays and into new ones, for a GB of raw bytes
 * @param wire checksum, socket, socket, checksum, for a GB sent
 * @param disk a file past the page cache, for a GB sent; null if not measured
 */
public record Floor(double copies, double wire, @Nullable Double disk) {
  /**
   * Creates a floor from the CPU times of a pass with more and more steps.
   *
   * @param wire the pass without copies
   * @param memory the pass with copies
   * @param stored the pass with copies and disk; null if not measured
   */
  public static Floor ofPasses(double wire, double memory, @Nullable Double stored) {
    return new Floor(
        Math.max(0, memory - wire),
        wire,
        stored == null ? null : (Double) Math.max(0, stored - memory));
  }

  /** Returns the floor of a GB of raw bytes that is sent as it is, into memory. */
  public double memory() {
    return copies + wire;
  }

  /**
   * Returns the CPU time of a system as a multiple of its floor. A system that sends fewer bytes
   * has a lower floor, without its codec. Null if it was not measured.
   */
  public @Nullable Double times(Summary summary) {
    Double cpuS = summary.figures().cpuSPerGB();
    Double ratio = summary.figures().ratio();
    if (cpuS == null || ratio == null) {
      return null;
    }
    boolean isStored = summary.commitOverSq() != null;
    double ofSent = wire + (isStored && disk != null ? disk : 0);
    return cpuS / (copies + ofSent / ratio);
  }
}
