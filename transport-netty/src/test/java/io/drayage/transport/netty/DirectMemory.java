package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What Netty's buffers hold at this moment. */
final class DirectMemory {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long POLL_NS = 5_000_000;

  private DirectMemory() {}

  /** Buffers that were allocated and not released. */
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

  /** Waits for what other threads do, for a bounded time, and says whether it came. */
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
