package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.RandomCargo;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Figures;
import io.drayage.metrics.MeteredEnds;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.Stage;
import io.drayage.send.SendReport;
import io.drayage.transport.TransportOptions;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class NettyMetricsTest {
  private final DrayageMetrics worker = new DrayageMetrics();

  @Test
  void queuesAndEventLoopsAreCounted() throws Exception {
    TransportOptions options =
        TransportOptions.builder().receiverBytes(5 << 20, 40 << 20).connections(1).build();
    try (MeteredEnds ends = new MeteredEnds(NettyTransport.best(), options, held -> 1)) {
      SendReport report = ends.sendSegments(RandomCargo.of(51, 20_000), "none");

      MetricsSnapshot sent = ends.worker.snapshot();
      Figures outbound = sent.outbound();
      assertThat(outbound.get(Metric.SENT_BYTES)).isEqualTo(report.wireBytes());
      assertThat(outbound.get(Metric.QUEUED_FRAMES)).isZero();
      assertThat(outbound.get(Metric.QUEUED_BYTES)).isZero();
      assertThat(outbound.get(Metric.PEAK_QUEUED_FRAMES)).isPositive();
      assertThat(outbound.get(Metric.PEAK_QUEUED_BYTES)).isBetween(1L, report.wireBytes());
      assertThat(outbound.get(Metric.WAKE_UPS)).isBetween(1L, outbound.get(Metric.SENT_FRAMES));
      assertThat(sent.stage(Stage.SEND).cpuNsByThread()).as("one event loop").hasSize(1);
      assertThat(sent.stage(Stage.SEND).cpuNs()).isPositive();
      assertThat(ends.transactor.snapshot().stage(Stage.RECEIVE).cpuNs()).isPositive();
      assertThat(ends.transactor.snapshot().shipments().get(Metric.COMMITTED)).isEqualTo(1);
    }
  }

  @Test
  void framesWithoutCreditAreAStallUntilCreditComes() {
    EmbeddedChannel channel = new EmbeddedChannel();
    OutboundQueue queue = new OutboundQueue(channel, worker, () -> null);
    ByteBuffer frame =
        ByteBuffer.allocateDirect(FrameHeader.BYTES + 1_000).order(ByteOrder.LITTLE_ENDIAN);
    FrameHeader.write(frame, FrameType.SEGMENT, 7);

    assertThat(queue.offer(Lease.ofHeap(frame))).isTrue();
    channel.runPendingTasks();
    assertThat(worker.snapshot().outbound().get(Metric.QUEUED_FRAMES)).isEqualTo(1);
    assertThat(worker.snapshot().outbound().get(Metric.CREDIT_STALLS)).as("goes on").isZero();

    queue.addCredit(1 << 20);

    Figures outbound = worker.snapshot().outbound();
    assertThat(outbound.get(Metric.CREDIT_STALLS)).isEqualTo(1);
    assertThat(outbound.get(Metric.SOCKET_STALLS)).isZero();
    assertThat(outbound.get(Metric.QUEUED_FRAMES)).isZero();
    assertThat(outbound.get(Metric.PEAK_QUEUED_BYTES)).isEqualTo(frame.capacity());
    channel.finishAndReleaseAll();
  }
}
