package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.CargoFile;
import io.drayage.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a shipment in one JVM of 64 MB of heap. */
@Timeout(240)
final class SmallHeapTest {
  private static final List<String> SMALL =
      List.of("-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError");
  private static final long DEADLINE_S = 200;

  @TempDir private Path folder;

  @Test
  void shipsEightTimesItsHeap() throws Exception {
    String said = ChildJvm.run(folder, DEADLINE_S, SMALL, SmallHeapMain.class, "512");
    assertThat(said).contains("staged 5");
  }

  @Test
  void stagesTwiceItsHeapOnDisk() throws Exception {
    Path stage = folder.resolve("stage");
    ChildJvm.run(folder, DEADLINE_S, SMALL, SmallHeapMain.class, "128", stage.toString());
    try (Stream<Path> files = Files.list(stage)) {
      Path file = files.filter(f -> f.toString().endsWith(".cargo")).findFirst().orElseThrow();
      assertThat(CargoFile.inspect(file).rawBytes()).isGreaterThan(128 << 20);
    }
  }
}
