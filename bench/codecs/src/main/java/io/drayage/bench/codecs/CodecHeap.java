package io.drayage.bench.codecs;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.rig.HeapPlan;
import java.util.List;

/**
 * The memory of the JVM in which one codec is timed: fixed from the start and the same for all
 * codecs, so that no measurement includes the growth of a heap. The young generation has room for a
 * whole decoded cargo and as much garbage between two collections. The old generation has room for
 * the cargo and its bytes, which can be more than the cargo.
 *
 * @param cargoBytes heap bytes of the cargo
 * @param loadingBytes additional heap bytes to make it
 */
public record CodecHeap(long cargoBytes, long loadingBytes) {
  private static final long MIB = 1L << 20;
  private static final int SURVIVOR_RATIO = 30;

  /** Buffers that are reused cyclically, and those of compressors. */
  private static final long DIRECT_SPARE_BYTES = 512 * MIB;

  public static CodecHeap of(CargoSource source) {
    return new CodecHeap(source.heapBytes(), source.loadingHeapBytes());
  }

  /** Returns the options of the throughput rig's processes, with other sizes. */
  public List<String> jvmOptions() {
    HeapPlan.Heap heap =
        new HeapPlan.Heap(
            256 * MIB + 2 * cargoBytes + cargoBytes / 4 * 3,
            512 * MIB + 2 * cargoBytes + cargoBytes / 2 + loadingBytes,
            SURVIVOR_RATIO);
    long directBytes = DIRECT_SPARE_BYTES + cargoBytes + cargoBytes / 4;
    return HeapPlan.jvmOptions(heap, directBytes);
  }

  /** Estimates the use: the cargo, its bytes, a cargo read back, and garbage. */
  public long expectedBytes() {
    return 512 * MIB + 4 * cargoBytes + loadingBytes;
  }
}
