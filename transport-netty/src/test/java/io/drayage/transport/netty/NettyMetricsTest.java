package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.Stage;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class NettyMetricsTest {
  private final DrayageMetrics worker = new DrayageMetrics();
  private final DrayageMetrics transactor = new DrayageMetrics();

  @Test
  void queuesAndEventLoopsAreCounted() throws Exception {
    NettyTransport transport = NettyTransport.best();
    ReceiverLimits limits = new ReceiverLimits(1 << 30, 1 << 30, 4);
    TransportOptions options =
        TransportOptions.builder().receiverBytes(5 << 20, 40 << 20).connections(1).build();
    try (CargoReceiver receiver =
            CargoReceiver.builder((MemoryCommitter) held -> 1, limits, 1)
                .metrics(transactor)
                .build();
        TransportServer server =
            transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                receiver,
                options,
                transactor);
        CodecPool pool = new CodecPool(2, "encode")) {
      SendReport report;
      try (CargoSender sender =
          new SegmentsSender(
              transport.client(server.address(), options, worker),
              pool,
              Serializers.ofName("raw"),
              Compressors.ofName("none"),
              "worker",
              SegmentsSender.MIN_SEGMENT_BYTES,
              worker)) {
        report = sender.send(RandomCargo.of(51, 20_000));

        MetricsSnapshot sent = worker.snapshot();
        Figures outbound = sent.outbound();
        assertThat(outbound.get(Metric.SENT_BYTES)).isEqualTo(report.wireBytes());
        assertThat(outbound.get(Metric.QUEUED_FRAMES)).isZero();
        assertThat(outbound.get(Metric.QUEUED_BYTES)).isZero();
        assertThat(outbound.get(Metric.PEAK_QUEUED_FRAMES)).isPositive();
        assertThat(outbound.get(Metric.PEAK_QUEUED_BYTES)).isBetween(1L, report.wireBytes());
        assertThat(outbound.get(Metric.WAKE_UPS)).isBetween(1L, outbound.get(Metric.SENT_FRAMES));
        assertThat(sent.stage(Stage.SEND).cpuNsByThread()).as("one event loop").hasSize(1);
        assertThat(sent.stage(Stage.SEND).cpuNs()).isPositive();
        assertThat(transactor.snapshot().stage(Stage.RECEIVE).cpuNs()).isPositive();
        assertThat(transactor.snapshot().shipments().get(Metric.COMMITTED)).isEqualTo(1);
      }
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
