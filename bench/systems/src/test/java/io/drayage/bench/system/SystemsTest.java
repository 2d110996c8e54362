package io.drayage.bench.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class SystemsTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  @ParameterizedTest
  @ValueSource(
      strings = {"netty:raw+none@2", "netty-nio:columnar+zstd:1@cores", "grpc-tuned:java+none@1"})
  void whatShipsSegmentsWarmsItself(String system) throws InterruptedException {
    SystemUnderTest parsed = Systems.notation().parse(system);

    assertThat(Systems.warmUp(parsed, parsed.threadCount(), SHORT).await()).isPositive();
  }

  @Test
  void whatWasPublishedIsMeasuredAsItIsMet() throws InterruptedException {
    SystemUnderTest parsed = Systems.notation().parse("grpc:java+none");

    assertThat(Systems.warmUp(parsed, 1, SHORT).await()).isZero();
  }
}
