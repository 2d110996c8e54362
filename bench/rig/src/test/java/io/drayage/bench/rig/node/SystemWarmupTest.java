package io.drayage.bench.rig.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("ci")
@Timeout(180)
final class SystemWarmupTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  @ParameterizedTest
  @ValueSource(
      strings = {"netty:raw+none@2", "netty-nio:columnar+zstd:1@cores", "grpc-tuned:java+none@1"})
  void whatShipsSegmentsWarmsItself(String system) throws InterruptedException {
    SystemUnderTest parsed = Systems.notation().parse(system);

    assertThat(SystemWarmup.begin(parsed, parsed.threadCount(), SHORT).await()).isPositive();
  }

  @Test
  void whatWasPublishedIsMeasuredAsItIsMet() throws InterruptedException {
    SystemUnderTest parsed = Systems.notation().parse("grpc:java+none");

    assertThat(SystemWarmup.begin(parsed, 1, SHORT).await()).isZero();
  }
}
