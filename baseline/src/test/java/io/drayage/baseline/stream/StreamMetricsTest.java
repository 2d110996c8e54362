package io.drayage.baseline.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.metrics.MeteredEnds;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.metrics.Stage;
import io.drayage.send.SendReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The metrics of both ends of a stream. */
@Timeout(180)
class StreamMetricsTest {
  private static final int ROWS = 60_000;

  @Test
  void chunksAreFramesWithoutSegments() throws Exception {
    try (MeteredEnds ends = new MeteredEnds(held -> 1)) {
      SendReport report = send(ends, RandomCargo.of(37, ROWS));

      MetricsSnapshot worker = ends.worker.snapshot();
      MetricsSnapshot transactor = ends.transactor.snapshot();
      assertThat(worker.encode().get(Metric.FRAMES)).isEqualTo(report.frames());
      assertThat(transactor.decode().get(Metric.FRAMES)).isEqualTo(report.frames());
      assertThat(worker.encode().get(Metric.SEGMENTS)).isZero();
      assertThat(worker.outbound().get(Metric.SENT_BYTES)).isEqualTo(report.wireBytes());
      assertThat(worker.encode().get(Metric.BUSY_NS)).isPositive();
      assertThat(transactor.decode().get(Metric.BUSY_NS)).isPositive();
    }
  }

  @Test
  void threadsOfAStreamAreSeenAlthoughTheyHaveEnded() throws Exception {
    try (MeteredEnds ends = new MeteredEnds(held -> 1)) {
      send(ends, RandomCargo.of(39, ROWS));

      MetricsSnapshot worker = ends.worker.snapshot();
      assertThat(worker.stage(Stage.ENCODE).endedCpuNs()).isPositive();
      assertThat(worker.stage(Stage.ENCODE).activeThreads()).isEqualTo(1);
      assertThat(worker.stage(Stage.SEND).endedCpuNs()).isPositive();
      assertThat(ends.transactor.snapshot().stage(Stage.DECODE).endedCpuNs()).isPositive();
    }
  }

  private static SendReport send(MeteredEnds ends, ChangeCargo cargo) throws Exception {
    try (StreamSender sender =
        new StreamSender(
            ends.client(),
            Serializers.ofName("raw"),
            Compressors.ofName("none"),
            "worker",
            StreamOptions.PUBLISHED,
            ends.worker)) {
      return sender.send(cargo);
    }
  }
}
