package io.drayage.memory;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
  private final ByteBudget budget = new ByteBudget(100);

  @Test
  void letsOutNoMoreThanItsLimit() throws InterruptedException {
    budget.acquire(100);

    assertThat(budget.tryAcquire(1)).isFalse();
    assertThat(budget.tryAcquire(0)).isTrue();
    budget.release(1);
    assertThat(budget.tryAcquire(1)).isTrue();
    assertThat(budget.usedBytes()).isEqualTo(100);
    assertThat(budget.peakBytes()).isEqualTo(100);
  }

  @Test
  void waitsUntilThereIsEnough() throws Exception {
    budget.acquire(90);
    Running<Boolean> waiter = waiterFor(20, new CopyOnWriteArrayList<>());

    budget.release(9);
    assertThat(waiter.result()).isNotDone();
    budget.release(1);

    assertThat(waiter.get()).isTrue();
    assertThat(budget.usedBytes()).isEqualTo(100);
  }

  @Test
  void servesWaitersInTheirOrder() throws Exception {
    budget.acquire(100);
    List<Long> served = new CopyOnWriteArrayList<>();
    Running<Boolean> large = waiterFor(80, served);
    Running<Boolean> small = waiterFor(10, served);

    budget.release(50);
    assertThat(budget.tryAcquire(10)).as("a newcomer overtakes").isFalse();
    Waiting.awaitParked(small.thread());
    assertThat(served).as("a small request overtakes").isEmpty();

    budget.release(30);
    assertThat(large.get()).isTrue();
    assertThat(served).containsExactly(80L);
    budget.release(80);
    assertThat(small.get()).isTrue();
  }

  @Test
  void interruptedWaiterTakesNothingAndHoldsUpNobody() throws Exception {
    budget.acquire(60);
    Running<Boolean> large = waiterFor(80, new CopyOnWriteArrayList<>());
    Running<Boolean> small = waiterFor(40, new CopyOnWriteArrayList<>());

    large.thread().interrupt();

    assertThatThrownBy(large::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(small.get()).isTrue();
    assertThat(budget.usedBytes()).isEqualTo(100);
  }

  @Test
  void refusesWhatWasNeverTaken() throws InterruptedException {
    budget.acquire(10);

    assertFails(
        () -> budget.release(11), IllegalStateException.class, "11 bytes released, 10 in use");
    assertThatThrownBy(() -> budget.release(-1)).isInstanceOf(IllegalStateException.class);
    assertThat(budget.usedBytes()).isEqualTo(10);
  }

  @Test
  void refusesRequestAboveItsLimit() {
    assertThatThrownBy(() -> budget.acquire(101))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("101 bytes exceeds the budget of 100");
    assertThatThrownBy(() -> budget.tryAcquire(101)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> budget.acquire(-1)).isInstanceOf(IllegalArgumentException.class);
    assertFails(() -> new ByteBudget(0), IllegalArgumentException.class, "not 0");
  }

  @Test
  void doesNotOverflowAtTheLargestLimit() throws InterruptedException {
    ByteBudget endless = new ByteBudget(Long.MAX_VALUE);
    endless.acquire(Long.MAX_VALUE);

    assertThat(endless.tryAcquire(1)).isFalse();
  }

  @Test
  void neverExceedsItsLimitUnderManyThreads() throws Exception {
    List<Running<Boolean>> threads = new CopyOnWriteArrayList<>();
    for (int t = 0; t < 4; t++) {
      int bytes = 13 + 20 * t;
      threads.add(
          Waiting.start(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  budget.acquire(bytes);
                  budget.release(bytes);
                }
                return true;
              }));
    }
    for (Running<Boolean> thread : threads) {
      assertThat(thread.get()).isTrue();
    }
    assertThat(budget.usedBytes()).isZero();
    assertThat(budget.peakBytes()).isBetween(13L, 100L);
  }

  @Test
  void callsThoseWhoAskedInTheirOrder() {
    ByteBudget.Share share = budget.openShare();
    Asked first = new Asked();
    Asked second = new Asked();
    Asked third = new Asked();
    share.acquire(100, first);
    share.acquire(60, second);
    share.acquire(40, third);
    assertThat(List.of(first.taken, second.taken, third.taken)).containsExactly(1, 0, 0);

    share.release(100);

    assertThat(List.of(first.taken, second.taken, third.taken)).containsExactly(1, 1, 1);
    assertThat(budget.usedBytes()).isEqualTo(100);
  }

  @Test
  void shareThatStandsStillLeavesTheOthersTheirOwn() {
    ByteBudget.Share stalled = budget.openShare();
    ByteBudget.Share other = budget.openShare();
    for (int i = 0; i < 10; i++) {
      stalled.acquire(10, new Asked());
    }
    assertThat(budget.usedBytes()).as("half of it").isEqualTo(50);

    for (int i = 0; i < 5; i++) {
      Asked asked = new Asked();
      other.acquire(10, asked);
      assertThat(asked.taken).isEqualTo(1);
    }

    assertThat(budget.usedBytes()).isEqualTo(100);
    assertThat(budget.peakBytes()).isEqualTo(100);
  }

  @Test
  void shareThatUsesNothingIsServedThoughNothingIsLeft() throws InterruptedException {
    budget.acquire(100);
    ByteBudget.Share share = budget.openShare();
    Asked first = new Asked();
    Asked second = new Asked();

    share.acquire(10, first);
    share.acquire(10, second);

    assertThat(first.taken).isEqualTo(1);
    assertThat(second.taken).isZero();
    assertThat(share.tryAcquire(10)).isFalse();
    share.release(10);
    assertThat(second.taken).isEqualTo(1);
    assertThat(budget.peakBytes()).isEqualTo(110);
  }

  @Test
  void requestBeyondItsShareLetsTheOthersPass() throws Exception {
    ByteBudget.Share greedy = budget.openShare();
    ByteBudget.Share other = budget.openShare();
    greedy.acquire(40, new Asked());
    Asked beyond = new Asked();
    greedy.acquire(20, beyond);

    assertThat(other.tryAcquire(30)).isTrue();
    assertThat(beyond.taken).isZero();
    other.close();

    assertThat(beyond.taken).as("the share is the whole budget now").isEqualTo(1);
  }

  @Test
  void closedShareWithdrawsItsRequestsAndKeepsWhatItHas() {
    ByteBudget.Share share = budget.openShare();
    Asked waiting = new Asked();
    Asked late = new Asked();
    share.acquire(100, new Asked());
    share.acquire(1, waiting);

    share.close();
    share.close();
    share.acquire(1, late);

    assertThat(waiting.closed).isEqualTo(1);
    assertThat(late.closed).isEqualTo(1);
    assertThat(budget.usedBytes()).isEqualTo(100);
    share.release(100);
    assertThat(waiting.taken + late.taken).isZero();
    assertThat(budget.tryAcquire(100)).isTrue();
  }

  @Test
  void shareIsClosedAgainIfOneOfItsRequestsCouldNotBeTold() {
    ByteBudget.Share share = budget.openShare();
    ByteBudget.Share other = budget.openShare();
    Asked beyondItsPart = new Asked();
    other.acquire(50, new Asked());
    other.acquire(50, beyondItsPart);
    share.acquire(50, new Asked());
    share.acquire(1, new Untold());
    Asked second = new Asked();
    share.acquire(1, second);

    assertThatThrownBy(share::close).isInstanceOf(OutOfMemoryError.class);
    assertThat(second.closed).isZero();
    share.close();
    assertThat(second.closed).isEqualTo(1);
    share.release(50);
    assertThat(beyondItsPart.taken).isEqualTo(1);
  }

  private static final class Untold implements ByteBudget.AcquireListener {
    @Override
    public void onAcquired() {}

    @Override
    public void onShareClosed() {
      throw new OutOfMemoryError("planted");
    }
  }

  @Test
  void refusesWhatItsShareDidNotTake() {
    ByteBudget.Share share = budget.openShare();
    ByteBudget.Share other = budget.openShare();
    assertThat(share.tryAcquire(50)).isTrue();

    assertFails(() -> other.release(1), IllegalStateException.class, "1 bytes released, 0 in use");
    assertThatThrownBy(() -> other.acquire(101, new Asked()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A listener that is called on the thread of the test. */
  private static final class Asked implements ByteBudget.AcquireListener {
    private int taken;
    private int closed;

    @Override
    public void onAcquired() {
      taken++;
    }

    @Override
    public void onShareClosed() {
      closed++;
    }
  }

  private Running<Boolean> waiterFor(long bytes, List<Long> served) {
    return Waiting.startAndAwaitParked(
        () -> {
          budget.acquire(bytes);
          served.add(bytes);
          return true;
        });
  }
}
