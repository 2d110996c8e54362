package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends in one JVM whose heap is half full: nothing hangs. */
@Tag("nightly")
@Timeout(300)
class SmallHeapEndsTest {
  private static final List<String> HEAP = List.of("-Xmx100m", "-XX:MaxDirectMemorySize=64m");
  private static final long DEADLINE_S = 250;

  @TempDir private Path folder;

  @Test
  void limitsGoByWhatIsFree() throws Exception {
    String said = run("columnar", "heap");
    assertThat(said).contains("large: LIMIT").contains("small: committed 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "columnar"})
  void aCargoThatTakesTheLastMemoryCostsItselfAlone(String serializer) throws Exception {
    String said = run(serializer, "none");
    assertThat(said)
        .containsPattern("large: (INTERNAL|PEER_GONE|DECODE)")
        .contains("small: committed 1");
  }

  private String run(String serializer, String limits) throws Exception {
    return ChildJvm.run(
        folder, DEADLINE_S, HEAP, SmallHeapEndsMain.class, serializer, limits, "end");
  }
}
