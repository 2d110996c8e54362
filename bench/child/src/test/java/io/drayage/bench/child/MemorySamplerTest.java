package io.drayage.bench.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class MemorySamplerTest {
  private static final int MIB = 1 << 20;

  private final MemoryInUse inUse = new MemoryInUse();
  private final MemorySampler sampler = new MemorySampler(inUse);

  @Test
  void countsHeapAndDirectMemory() {
    System.gc();
    sampler.start();
    long before = sampler.peakBytes();
    byte[][] heap = new byte[32][MIB];
    ByteBuffer direct = ByteBuffer.allocateDirect(16 * MIB);
    sampler.stop();
    assertThat(sampler.peakBytes() - before).isGreaterThanOrEqualTo(48L * MIB);
    assertThat(heap.length + direct.capacity()).isPositive();
  }

  @Test
  void doesNotCountWhatComesAfterTheStop() {
    sampler.start();
    sampler.stop();
    long peakBytes = sampler.peakBytes();
    ByteBuffer direct = ByteBuffer.allocateDirect(64 * MIB);
    sampler.stop();
    assertThat(sampler.peakBytes()).isEqualTo(peakBytes);
    assertThat(direct.capacity()).isPositive();
  }

  @Test
  void countsWhatACollectionTookAway() {
    sampler.start();
    for (int i = 0; i < 32; i++) {
      allocateGarbage();
    }
    long withGarbage = inUse.heapBytes();
    System.gc();
    sampler.stop();
    // G1, which the rig does not use, counts the current region in two ways.
    assertThat(sampler.peakBytes()).isGreaterThan(withGarbage - 4L * MIB);
  }

  private static void allocateGarbage() {
    assertThat(new byte[MIB]).hasSize(MIB);
  }
}
