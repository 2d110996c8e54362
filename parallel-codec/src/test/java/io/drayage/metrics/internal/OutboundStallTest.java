package io.drayage.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.metrics.Counters;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import io.drayage.metrics.internal.OutboundStall.Reason;
import org.junit.jupiter.api.Test;

final class OutboundStallTest {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final Counters counters = metrics.outbound();
  private final OutboundStall stall = new OutboundStall(counters);

  @Test
  void aStallIsCountedOnceWhenItEnds() {
    stall.now(Reason.CREDIT, 1);
    stall.now(Reason.CREDIT, 1);
    assertThat(metrics.snapshot().outbound().get(Metric.CREDIT_STALLS)).isZero();
    stall.now(Reason.NONE, 1);
    stall.now(Reason.NONE, 1);
    Figures snapshot = metrics.snapshot().outbound();
    assertThat(snapshot.get(Metric.CREDIT_STALLS)).isEqualTo(1);
    assertThat(snapshot.get(Metric.CREDIT_STALL_NS)).isNotNegative();
    assertThat(snapshot.get(Metric.SOCKET_STALLS)).isZero();
  }

  @Test
  void oneReasonMayFollowTheOther() {
    stall.now(Reason.SOCKET, 1);
    stall.now(Reason.CREDIT, 1);
    stall.now(Reason.SOCKET, 1);
    stall.now(Reason.NONE, 1);
    Figures snapshot = metrics.snapshot().outbound();
    assertThat(snapshot.get(Metric.CREDIT_STALLS)).isEqualTo(1);
    assertThat(snapshot.get(Metric.SOCKET_STALLS)).isEqualTo(2);
  }

  @Test
  void peaksStayWhenTheQueueIsEmptyAgain() {
    counters.enqueued(100);
    counters.enqueued(50);
    counters.dequeued(100);
    counters.dequeued(50);
    Figures snapshot = metrics.snapshot().outbound();
    assertThat(snapshot.get(Metric.QUEUED_FRAMES)).isZero();
    assertThat(snapshot.get(Metric.QUEUED_BYTES)).isZero();
    assertThat(snapshot.get(Metric.PEAK_QUEUED_FRAMES)).isEqualTo(2);
    assertThat(snapshot.get(Metric.PEAK_QUEUED_BYTES)).isEqualTo(150);
    assertThat(snapshot.minus(snapshot).get(Metric.PEAK_QUEUED_BYTES)).isEqualTo(150);
  }
}
