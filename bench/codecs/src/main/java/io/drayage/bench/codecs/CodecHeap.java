package io.drayage.bench.codecs;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.rig.HeapPlan;
import java.util.List;

/**
 * The memory of the JVM in which one codec is timed: fixed from the start and the same for all
 * codecs, so that a heap that grows is not part of any measurement. The young generation takes a
 * whole decoded cargo and as much garbage between two collections, the old one the cargo that was
 * made and its bytes, which can be more than the cargo.
 *
 * @param cargoBytes what the cargo takes in a heap
 * @param loadingBytes what it takes besides to make it
 */
public record CodecHeap(long cargoBytes, long loadingBytes) {
  private static final long MIB = 1L << 20;
  private static final int SURVIVOR_RATIO = 30;

  /** Buffers that are used in turns, and those of compressors. */
  private static final long DIRECT_SPARE_BYTES = 512 * MIB;

  public static CodecHeap of(CargoSource source) {
    return new CodecHeap(source.heapBytes(), source.loadingHeapBytes());
  }

  /** The options of the throughput rig's processes, with other sizes. */
  public List<String> jvmOptions() {
    HeapPlan.Heap heap =
        new HeapPlan.Heap(
            256 * MIB + 2 * cargoBytes + cargoBytes / 4 * 3,
            512 * MIB + 2 * cargoBytes + cargoBytes / 2 + loadingBytes,
            SURVIVOR_RATIO);
    long directBytes = DIRECT_SPARE_BYTES + cargoBytes + cargoBytes / 4;
    return HeapPlan.jvmOptions(heap, directBytes);
  }

  /** An estimate of its use: the cargo, its bytes, a cargo read back, and garbage. */
  public long expectedBytes() {
    return 512 * MIB + 4 * cargoBytes + loadingBytes;
  }
}
