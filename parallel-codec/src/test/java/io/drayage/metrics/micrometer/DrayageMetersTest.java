package io.drayage.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class DrayageMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final DrayageMetrics metrics = new DrayageMetrics();

  @Test
  void showsWhatIsCounted() {
    DrayageMeters.bind(registry, metrics, "node", "worker 1");
    metrics.encode().set(Metric.THREADS, 3);
    metrics.encode().add(Metric.SEGMENTS, 2);
    metrics.encode().add(Metric.RAW_BYTES, 1_000);
    metrics.encode().add(Metric.BUSY_NS, 2_000_000_000);
    metrics.outbound().enqueued(4_096);
    metrics.addFailed(Fault.CHECKSUM);

    assertThat(counter("drayage.codec.segments", "side", "encode")).isEqualTo(2);
    assertThat(counter("drayage.codec.raw", "side", "encode")).isEqualTo(1_000);
    assertThat(counter("drayage.codec.raw", "side", "decode")).isZero();
    assertThat(counter("drayage.codec.busy", "side", "encode")).isEqualTo(2.0);
    assertThat(registry.get("drayage.codec.threads").tag("side", "encode").gauge().value())
        .isEqualTo(3);
    assertThat(registry.get("drayage.outbound.queued").gauge().value()).isEqualTo(4_096);
    assertThat(counter("drayage.shipments.failed", "fault", Fault.CHECKSUM.name())).isEqualTo(1);
    assertThat(registry.getMeters())
        .allMatch(meter -> "worker 1".equals(meter.getId().getTag("node")));
  }

  private double counter(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).functionCounter().count();
  }

  @Test
  void everyNameIsDocumented() throws IOException {
    DrayageMeters.bind(registry, metrics);
    String documented = Files.readString(Path.of("..", "docs", "metrics.md"));
    assertThat(registry.getMeters())
        .isNotEmpty()
        .allSatisfy(meter -> assertThat(documented).contains("`" + meter.getId().getName() + "`"));
    for (Fault fault : Fault.values()) {
      assertThat(counter("drayage.shipments.failed", "fault", fault.name()))
          .as(fault.name().toLowerCase(Locale.ROOT))
          .isZero();
    }
  }
}
