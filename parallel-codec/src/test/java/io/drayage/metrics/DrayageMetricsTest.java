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

      CodecSnapshot encode = ends.worker.snapshot().encode();
      CodecSnapshot decode = ends.transactor.snapshot().decode();
      assertThat(encode.frames()).isEqualTo(report.frames());
      assertThat(decode.frames()).isEqualTo(report.frames());
      assertThat(decode.segments()).isEqualTo(encode.segments()).isPositive();
      assertThat(decode.rawBytes()).isEqualTo(encode.rawBytes());
      assertThat(decode.serializedBytes()).isEqualTo(encode.serializedBytes()).isPositive();
      assertThat(decode.wireBytes()).isEqualTo(encode.wireBytes());
      assertThat(encode.threads()).isEqualTo(MeteredEnds.THREADS);
      assertThat(encode.waits()).isEqualTo(report.frames());
      long rawBytes = CargoSize.rawBytes(cargo);
      assertThat(encode.rawBytes()).isBetween(rawBytes - encode.segments(), rawBytes);
      OutboundSnapshot outbound = ends.worker.snapshot().outbound();
      assertThat(outbound.wireBytes()).isEqualTo(report.wireBytes());
      assertThat(outbound.frames()).as("manifest and seal as well").isEqualTo(report.frames() + 2);
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
      assertThat(ends.worker.snapshot().encode().storedSegments()).isZero();

      ends.sendSegments(RandomCargo.of(34, ROWS), "lz4");

      long stored = ends.worker.snapshot().encode().storedSegments();
      assertThat(stored).as("random numbers do not compress").isPositive();
      assertThat(ends.transactor.snapshot().decode().storedSegments()).isEqualTo(stored);
    }
  }

  @Test
  void differencesAreThoseOfTheInterval() throws Exception {
    try (MeteredEnds ends = new MeteredEnds(held -> 1)) {
      ends.sendSegments(RandomCargo.of(35, ROWS), "none");
      MetricsSnapshot before = ends.worker.snapshot();
      SendReport second = ends.sendSegments(RandomCargo.of(36, ROWS / 2), "none");

      MetricsSnapshot since = ends.worker.snapshot().minus(before);

      assertThat(since.encode().frames()).isEqualTo(second.frames());
      assertThat(since.outbound().wireBytes()).isEqualTo(second.wireBytes());
      assertThat(since.shipments().opened()).isEqualTo(1);
      assertThat(since.shipments().committed()).isEqualTo(1);
      assertThat(since.encode().threads()).as("not a sum").isEqualTo(MeteredEnds.THREADS);
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
      ShipmentsSnapshot shipments = ends.worker.snapshot().shipments();
      assertThat(shipments.opened()).isEqualTo(1);
      assertThat(shipments.held()).isEqualTo(1);
      assertThat(shipments.committed()).isZero();
      assertThat(shipments.failed(Fault.REJECTED)).isEqualTo(1);
      assertThat(shipments.failed()).isEqualTo(1);
      assertThat(shipments.failedByFault()).containsOnlyKeys(Fault.REJECTED);
    }
  }
}
