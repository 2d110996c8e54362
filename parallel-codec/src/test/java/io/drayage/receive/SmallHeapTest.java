package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a shipment in one JVM of 64 MB of heap. */
@Tag("ci")
@Timeout(240)
final class SmallHeapTest {
  private static final List<String> SMALL =
      List.of("-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError");
  private static final long DEADLINE_S = 200;

  @TempDir private Path folder;

  @Test
  void shipsEightTimesItsHeap() throws Exception {
    String said = ChildJvm.run(folder, DEADLINE_S, SMALL, SmallHeapMain.class, "512");
    assertThat(said).contains("shipped");
  }
}
