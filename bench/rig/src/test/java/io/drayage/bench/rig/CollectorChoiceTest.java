package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectorChoiceTest {
  @Test
  void theUsersWins() {
    assertThat(CollectorChoice.option("Parallel", Map.of())).containsExactly("-XX:+UseParallelGC");
    assertThat(
            CollectorChoice.option(
                "Serial", Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g -XX:-UseGCOverheadLimit")))
        .containsExactly("-XX:+UseSerialGC");
    assertThat(
            CollectorChoice.option("Parallel", Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g\t-XX:+UseG1GC")))
        .isEmpty();
    assertThat(CollectorChoice.option("Serial", Map.of("JDK_JAVA_OPTIONS", "-XX:+UseZGC")))
        .isEmpty();
  }
}
