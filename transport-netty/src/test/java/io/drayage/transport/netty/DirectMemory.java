package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The memory of Netty's buffers at this moment. */
final class DirectMemory {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long POLL_NS = 5_000_000;

  private DirectMemory() {}

  /** Returns the number of allocated buffers that are not released. */
  static long activeBuffers() {
    return PooledByteBufAllocator.DEFAULT.metric().directArenas().stream()
        .mapToLong(PoolArenaMetric::numActiveAllocations)
        .sum();
  }

  static void assertAllReleased() {
    assertThat(await(() -> activeBuffers() == 0))
        .as("all buffers are released, %,d are not", activeBuffers())
        .isTrue();
  }

  /** Waits a bounded time for work of other threads; false if the condition stays false. */
  static boolean await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(POLL_NS);
    }
    return true;
  }
}
