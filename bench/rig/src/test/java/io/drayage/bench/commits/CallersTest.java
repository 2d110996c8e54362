package io.drayage.bench.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CallersTest {
  @Test
  void aClosedLoopHasOneCommitOfEachCallerUnderWay() throws Exception {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CommitTimings timings =
        Callers.run(
            new CommitLoad(3, 1, 1, null),
            () -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              TimeUnit.MILLISECONDS.sleep(1);
              return underWay.decrementAndGet();
            });
    assertThat(most.get()).isLessThanOrEqualTo(3);
    assertThat(timings.commits()).isPositive();
    assertThat(timings.seconds()).isGreaterThanOrEqualTo(1);
  }

  /** The first commit takes half a second, during which the only caller has 50 others to make. */
  @Test
  void inAnOpenLoopAPauseCountsForEachCommitThatItDelays() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    CommitTimings timings =
        Callers.run(
            new CommitLoad(1, 1, 1, 100),
            () -> {
              if (commits.getAndIncrement() == 0) {
                TimeUnit.MILLISECONDS.sleep(500);
              }
              return commits;
            });
    assertThat(timings.commits()).isEqualTo(100);
    assertThat(timings.p99S()).isGreaterThan(0.4);
    assertThat(timings.worstS()).isGreaterThanOrEqualTo(0.5);
  }

  @Test
  void theFirstFailureEndsTheRound() {
    assertThatThrownBy(
            () ->
                Callers.run(
                    new CommitLoad(2, 1, 1, null),
                    () -> {
                      throw new IOException("the store is full");
                    }))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("the store is full");
  }

  @Test
  void quantilesAreAnswerTimesThatOccurred() {
    long[] answersNs = new long[200];
    for (int i = 0; i < answersNs.length; i++) {
      answersNs[i] = (answersNs.length - i) * 1_000_000_000L;
    }
    CommitTimings timings = CommitTimings.of(answersNs, 2);
    assertThat(timings.p50S()).isEqualTo(100);
    assertThat(timings.p99S()).isEqualTo(198);
    assertThat(timings.worstS()).isEqualTo(200);
  }
}
