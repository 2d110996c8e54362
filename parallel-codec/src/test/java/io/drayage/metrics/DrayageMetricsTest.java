package io.drayage.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.send.SendReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class DrayageMetricsTest {
  private static final int ROWS = 60_000;

  @Test
  void bothEndsCountWhatIsShipped() throws Exception {
    ChangeCargo cargo = RandomCargo.of(31, ROWS);
    try (MeteredEnds ends = new MeteredEnds(held -> 1)) {
      SendReport report = ends.sendSegments(cargo, "none");

      Figures encode = ends.worker.snapshot().encode();
      Figures decode = ends.transactor.snapshot().decode();
      assertThat(encode.get(Metric.FRAMES)).isEqualTo(report.frames());
      assertThat(decode.get(Metric.FRAMES)).isEqualTo(report.frames());
      assertThat(decode.get(Metric.SEGMENTS)).isEqualTo(encode.get(Metric.SEGMENTS)).isPositive();
      assertThat(decode.get(Metric.RAW_BYTES)).isEqualTo(encode.get(Metric.RAW_BYTES));
      assertThat(decode.get(Metric.SERIALIZED_BYTES))
          .isEqualTo(encode.get(Metric.SERIALIZED_BYTES))
          .isPositive();
      assertThat(decode.get(Metric.WIRE_BYTES)).isEqualTo(encode.get(Metric.WIRE_BYTES));
      assertThat(encode.get(Metric.THREADS)).isEqualTo(MeteredEnds.THREADS);
      assertThat(encode.get(Metric.WAITS)).isEqualTo(report.frames());
      long rawBytes = CargoSize.rawBytes(cargo);
      assertThat(encode.get(Metric.RAW_BYTES))
          .isBetween(rawBytes - encode.get(Metric.SEGMENTS), rawBytes);
      Figures outbound = ends.worker.snapshot().outbound();
      assertThat(outbound.get(Metric.SENT_BYTES)).isEqualTo(report.wireBytes());
      assertThat(outbound.get(Metric.SENT_FRAMES))
          .as("manifest and seal as well")
          .isEqualTo(report.frames() + 2);
      assertThat(ends.worker.snapshot().stage(Stage.ENCODE).cpuNs()).isPositive();
      MetricsSnapshot transactor = ends.transactor.snapshot();
      assertThat(transactor.stage(Stage.DECODE).cpuNs()).isPositive();
      assertThat(transactor.stage(Stage.DECODE).activeThreads()).isBetween(1, MeteredEnds.THREADS);
      assertThat(transactor.stage(Stage.COMMIT).cpuNsByThread()).hasSize(1);
    }
  }

  @Test
  void countsSegmentsThatDidNotBecomeSmaller() throws Exception {
    try (MeteredEnds ends = new MeteredEnds(held -> 1)) {
      ends.sendSegments(RandomCargo.of(34, ROWS), "none");
      assertThat(ends.worker.snapshot().encode().get(Metric.STORED_SEGMENTS)).isZero();

      ends.sendSegments(RandomCargo.of(34, ROWS), "lz4");

      long stored = ends.worker.snapshot().encode().get(Metric.STORED_SEGMENTS);
      assertThat(stored).as("random numbers do not compress").isPositive();
      assertThat(ends.transactor.snapshot().decode().get(Metric.STORED_SEGMENTS)).isEqualTo(stored);
    }
  }

  @Test
  void differencesAreThoseOfTheInterval() throws Exception {
    try (MeteredEnds ends = new MeteredEnds(held -> 1)) {
      ends.sendSegments(RandomCargo.of(35, ROWS), "none");
      MetricsSnapshot before = ends.worker.snapshot();
      SendReport second = ends.sendSegments(RandomCargo.of(36, ROWS / 2), "none");

      MetricsSnapshot since = ends.worker.snapshot().minus(before);

      assertThat(since.encode().get(Metric.FRAMES)).isEqualTo(second.frames());
      assertThat(since.outbound().get(Metric.SENT_BYTES)).isEqualTo(second.wireBytes());
      assertThat(since.shipments().get(Metric.OPENED)).isEqualTo(1);
      assertThat(since.shipments().get(Metric.COMMITTED)).isEqualTo(1);
      assertThat(since.encode().get(Metric.THREADS)).as("not a sum").isEqualTo(MeteredEnds.THREADS);
      assertThat(since.atNs()).isPositive();
    }
  }

  @Test
  void failuresAreCountedByFaultOnBothEnds() throws Exception {
    try (MeteredEnds ends =
        new MeteredEnds(
            held -> {
              throw new ShipmentException(Fault.REJECTED, "no such table");
            })) {
      assertThatThrownBy(() -> ends.sendSegments(RandomCargo.of(40, 100), "none"))
          .isInstanceOf(ShipmentException.class);

      assertThat(ends.worker.snapshot().shipments())
          .isEqualTo(ends.transactor.snapshot().shipments());
      assertThat(ends.worker.snapshot().failures())
          .isEqualTo(ends.transactor.snapshot().failures());
      Figures shipments = ends.worker.snapshot().shipments();
      assertThat(shipments.get(Metric.OPENED)).isEqualTo(1);
      assertThat(shipments.get(Metric.HELD)).isEqualTo(1);
      assertThat(shipments.get(Metric.COMMITTED)).isZero();
      assertThat(ends.worker.snapshot().failed(Fault.REJECTED)).isEqualTo(1);
      assertThat(ends.worker.snapshot().failed()).isEqualTo(1);
      assertThat(ends.worker.snapshot().failures()).containsOnlyKeys(Fault.REJECTED);
    }
  }
}
