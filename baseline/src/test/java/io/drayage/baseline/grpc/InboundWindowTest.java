package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InboundWindowTest {
  private static final long SHARE_BYTES = 16 << 20;

  @Test
  void keepsFramesOfOneSizeWithinTheShare() {
    for (int frameBytes : new int[] {100, 63_024, 1 << 20, 4 << 20}) {
      InboundWindow window = new InboundWindow(() -> SHARE_BYTES);
      long heldBytes = 0;
      int requested = window.open();
      while (requested > 0 && heldBytes <= 2 * SHARE_BYTES) {
        requested += window.onArrived(frameBytes) - 1;
        heldBytes += frameBytes;
      }

      assertThat(heldBytes).isBetween(1L, SHARE_BYTES);
    }
  }

  @Test
  void exceedsTheShareByFewFramesWhenTheyGrow() {
    InboundWindow window = new InboundWindow(() -> SHARE_BYTES);
    int requested = window.open();
    for (int i = 0; i < 100; i++) {
      requested += window.onArrived(63_024) - 1 + window.onReleased(63_024);
    }
    long heldBytes = 0;
    while (requested > 0) {
      requested += window.onArrived(4 << 20) - 1;
      heldBytes += 4 << 20;
    }

    assertThat(heldBytes).isLessThanOrEqualTo(InboundWindow.MAX_REQUESTED * (4L << 20));
  }

  @Test
  void letsOneFrameThroughHoweverSmallTheShareIs() {
    InboundWindow window = new InboundWindow(() -> 10);

    assertThat(window.open()).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      assertThat(window.onArrived(4 << 20)).isZero();
      assertThat(window.onReleased(4 << 20)).isEqualTo(1);
    }
  }

  @Test
  void neverStopsForGoodAndNeverHasMoreRequestsThanItCounts() {
    long seed = 42;
    Random random = new Random(seed);
    InboundWindow window = new InboundWindow(() -> 1 << 20);
    Deque<Integer> held = new ArrayDeque<>();
    int requested = window.open();
    for (int i = 0; i < 100_000; i++) {
      boolean canArrive = requested > 0;
      assertThat(canArrive || !held.isEmpty()).as("seed %d, step %d", seed, i).isTrue();
      if (canArrive && (held.isEmpty() || random.nextBoolean())) {
        int frameBytes = 1 + random.nextInt(300_000);
        held.add(frameBytes);
        requested += window.onArrived(frameBytes) - 1;
      } else {
        requested += window.onReleased(held.remove());
      }
      assertThat(requested).isLessThanOrEqualTo(InboundWindow.MAX_REQUESTED);
    }
  }
}
