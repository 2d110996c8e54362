package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.rig.Child;
import io.drayage.cli.output.OutputException;
import io.drayage.cli.output.StandardOutput;
import io.drayage.testing.ProcessResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Runs commands whose standard output does not arrive. */
@Tag("ci")
final class OutputTest {
  @TempDir private Path folder;

  /** Returns a stream that fails after some bytes. */
  private static OutputStream failing(int bytes, String reason) {
    return new OutputStream() {
      private int left = bytes;

      @Override
      public void write(int b) throws IOException {
        if (left-- <= 0) {
          throw new IOException(reason);
        }
      }
    };
  }

  private static final String GOLDEN =
      Path.of("..", "cluster", "node", "src", "test", "resources", "golden", "store").toString();

  private record Ran(int code, List<String> err) {}

  private static Ran run(OutputStream out, String... args) {
    StringWriter err = new StringWriter();
    CommandLine command =
        Drayage.commandLine().setOut(StandardOutput.writer(out)).setErr(new PrintWriter(err));
    return new Ran(Drayage.run(command, args), err.toString().lines().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "snapshot list --help",
        "doctor",
        "completion bash",
        "config show throughput",
        "snapshot list --store fs:GOLDEN",
        "snapshot verify --store fs:GOLDEN",
        "cargo write --size 10KB @/t.cargo"
      })
  void endsWithALineWhereNothingCanBeWritten(String line) {
    String[] args = line.replace("@", folder.toString()).replace("GOLDEN", GOLDEN).split(" ", -1);

    assertThat(run(failing(0, "No space left on device"), args))
        .isEqualTo(new Ran(1, List.of("drayage: standard output: No space left on device")));
    assertThat(run(failing(10, "No space left on device"), args).code()).isEqualTo(1);
    assertThat(run(failing(0, "Broken pipe"), args)).isEqualTo(new Ran(141, List.of()));
  }

  @Test
  void writesUtf8AndFailsLoudly() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandardOutput.writer(bytes).println("größe");
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("größe" + System.lineSeparator());

    PrintWriter full = StandardOutput.writer(failing(3, "No space left on device"));
    assertThatThrownBy(() -> full.println("four"))
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(OutputException.class);
  }

  @Test
  void theProcessEndsSo() throws Exception {
    List<String> shell = new ArrayList<>(List.of("bash", "-c"));
    shell.add(
        """
        set -o pipefail
        "$@" --version >/dev/full; echo "full $?"
        "$@" snapshot list --help | true; echo "pipe $?"
        """);
    shell.add("bash");
    shell.addAll(Child.command(Drayage.class, List.of("-XX:TieredStopAtLevel=1")));
    ProcessBuilder builder = new ProcessBuilder(shell);
    builder.environment().remove("JDK_JAVA_OPTIONS"); // the launcher would print that it reads them
    assertThat(ProcessResult.of(builder, 30).lines())
        .containsExactly("drayage: standard output: No space left on device", "full 1", "pipe 141");
  }
}
