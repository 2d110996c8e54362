package io.drayage.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.OutboundCounters;
import io.drayage.metrics.OutboundSnapshot;
import io.drayage.metrics.internal.OutboundStall.Reason;
import org.junit.jupiter.api.Test;

final class OutboundStallTest {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final OutboundCounters counters = metrics.outbound();
  private final OutboundStall stall = new OutboundStall(counters);

  @Test
  void aStallIsCountedOnceWhenItEnds() {
    stall.now(Reason.CREDIT, 1);
    stall.now(Reason.CREDIT, 1);
    assertThat(metrics.snapshot().outbound().creditStalls()).isZero();
    stall.now(Reason.NONE, 1);
    stall.now(Reason.NONE, 1);
    OutboundSnapshot snapshot = metrics.snapshot().outbound();
    assertThat(snapshot.creditStalls()).isEqualTo(1);
    assertThat(snapshot.creditStallNs()).isNotNegative();
    assertThat(snapshot.socketStalls()).isZero();
  }

  @Test
  void oneReasonMayFollowTheOther() {
    stall.now(Reason.SOCKET, 1);
    stall.now(Reason.CREDIT, 1);
    stall.now(Reason.SOCKET, 1);
    stall.now(Reason.NONE, 1);
    OutboundSnapshot snapshot = metrics.snapshot().outbound();
    assertThat(snapshot.creditStalls()).isEqualTo(1);
    assertThat(snapshot.socketStalls()).isEqualTo(2);
  }

  @Test
  void peaksStayWhenTheQueueIsEmptyAgain() {
    counters.enqueued(100);
    counters.enqueued(50);
    counters.dequeued(100);
    counters.dequeued(50);
    OutboundSnapshot snapshot = metrics.snapshot().outbound();
    assertThat(snapshot.queuedFrames()).isZero();
    assertThat(snapshot.queuedBytes()).isZero();
    assertThat(snapshot.peakQueuedFrames()).isEqualTo(2);
    assertThat(snapshot.peakQueuedBytes()).isEqualTo(150);
    assertThat(snapshot.minus(snapshot).peakQueuedBytes()).isEqualTo(150);
  }
}
