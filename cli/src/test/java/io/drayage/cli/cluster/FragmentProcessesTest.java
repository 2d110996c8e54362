package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.drayage.cli.cluster.FragmentProcesses.Share;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
@Timeout(120)
final class FragmentProcessesTest {
  private static final String HAS_PROCESS = "has process ";

  @TempDir private Path folder;
  private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

  @Test
  void collectsSharesInTheOrderOfTheWorkers() throws Exception {
    try (FragmentProcesses processes =
        FragmentProcesses.start(
            2, FragmentChild.HANDLE, number -> FragmentChild.command("sends", number), log::add)) {
      assertThat(processes.await())
          .containsExactly(
              new Share(1, List.of(new UUID(7, 1)), 10), new Share(2, List.of(new UUID(7, 2)), 20));
    }
  }

  @Test
  void namesTheOneThatFailsAndEndsTheOthers() throws Exception {
    ProcessHandle other;
    try (FragmentProcesses processes =
        FragmentProcesses.start(
            2,
            FragmentChild.HANDLE,
            number -> FragmentChild.command(number == 1 ? "hangs" : "fails", number),
            log::add)) {
      other = process("worker 1 of 2: ");
      assertThatIOException()
          .isThrownBy(processes::await)
          .withMessageMatching("worker 2 of 2, process \\d+, ended with exit code 7: no disk");
    }
    assertThat(other.isAlive()).isFalse();
  }

  @Test
  void aProcessThatEndsEarlyHasNotSentItsShare() throws Exception {
    try (FragmentProcesses processes =
        FragmentProcesses.start(
            1, FragmentChild.HANDLE, number -> FragmentChild.command("stops", number), log::add)) {
      assertThatIOException()
          .isThrownBy(processes::await)
          .withMessageMatching(
              "worker 1 of 1, process \\d+, ended with exit code 0, before it had reported the end of its share");
    }
  }

  @Test
  void processesShareTheHeapOfThisOne() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    assertThat(FragmentProcesses.command(FragmentChild.class, 2, List.of()))
        .filteredOn(option -> option.startsWith("-Xmx"))
        .containsExactly("-Xmx" + (Math.max(256 << 20, heapBytes / 2) >> 10) + "k");
  }

  private ProcessHandle process(String prefix) throws InterruptedException {
    while (true) {
      String line = log.take();
      if (line.startsWith(prefix + HAS_PROCESS)) {
        return handle(line.substring(prefix.length()));
      }
    }
  }

  private static ProcessHandle handle(String line) {
    return ProcessHandle.of(Long.parseLong(line.substring(HAS_PROCESS.length()).strip()))
        .orElseThrow();
  }

  @Test
  void endsWithTheProcessThatStartedItThoughThatIsKilled() throws Exception {
    try (ChildNode starter =
        ChildNode.start(
            "starter", folder.resolve("starter.log"), FragmentChild.command("starts", 0))) {
      starter.awaitLine(HAS_PROCESS);
      String output = starter.output();
      ProcessHandle started =
          handle(output.substring(output.indexOf(HAS_PROCESS)).lines().findFirst().orElseThrow());
      starter.kill();
      started.onExit().get(60, TimeUnit.SECONDS);
    }
  }
}
