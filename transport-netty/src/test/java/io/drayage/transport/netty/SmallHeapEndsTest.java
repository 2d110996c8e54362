package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
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
  /** With G1 each page would take a whole region of so small a heap, and Netty would find none. */
  private static final List<String> HEAP =
      List.of("-XX:+UseSerialGC", "-Xmx100m", "-XX:MaxDirectMemorySize=64m");

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

  @Test
  void endsWhenItIsToldTo() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(HEAP);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(SmallHeapEndsMain.class.getName(), "raw", "none", "wait"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Executor atTheDeadline = CompletableFuture.delayedExecutor(DEADLINE_S, TimeUnit.SECONDS);
    atTheDeadline.execute(process::destroyForcibly);
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      while (line != null && !line.startsWith("small:")) {
        line = said.readLine();
      }
      assertThat(line).as("within %d s", DEADLINE_S).isNotNull();
      process.destroy(); // SIGTERM
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private String run(String serializer, String limits) throws Exception {
    return ChildJvm.run(
        folder, DEADLINE_S, HEAP, SmallHeapEndsMain.class, serializer, limits, "end");
  }
}
