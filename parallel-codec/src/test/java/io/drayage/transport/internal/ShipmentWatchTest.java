package io.drayage.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ShipmentWatchTest {
  private static final TransportOptions OPTIONS =
      TransportOptions.builder()
          .idleTimeout(Duration.ofMillis(100))
          .stallTimeout(Duration.ofMillis(300))
          .build();

  private long nowNs = Long.MAX_VALUE - 1_000; // Overflows soon; a clock may do so.
  private final ShipmentWatch watch = new ShipmentWatch(7, OPTIONS, () -> nowNs);

  private void pass(long ms) {
    nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private static void assertFault(
      @Nullable ShipmentException failure, Fault fault, String message) {
    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.fault()).isEqualTo(fault);
  }

  @Test
  void silenceIsALimitThatAnyFrameMoves() {
    pass(100);
    assertThat(watch.silence()).isNull();
    watch.heard();
    pass(100);
    assertThat(watch.silence()).isNull();
    pass(1);
    assertFault(watch.silence(), Fault.PEER_SILENT, "the worker was silent for 100 ms");
  }

  @Test
  void heartbeatsAreNoProgress() {
    pass(300);
    watch.heard();
    assertThat(watch.stall()).isNull();
    pass(1);
    assertFault(watch.stall(), Fault.CANCELLED, "shipment 7 made no progress for 300 ms");
    watch.progressed();
    assertThat(watch.stall()).isNull();
  }

  @Test
  void whatASealedShipmentLacksIsMissing() {
    watch.sealed();
    assertThat(watch.isSealed()).isTrue();
    pass(301);
    assertFault(watch.stall(), Fault.SEGMENT_MISSING, "not arrive within 300 ms");
    assertFault(watch.silenceWhileShipping(), Fault.SEGMENT_MISSING, "not arrive within 100 ms");
    assertFault(watch.silence(), Fault.PEER_SILENT, "silent");
  }
}
