package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.rig.Child;
import io.drayage.testing.ProcessResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParseResult;

final class NativeNeedTest {
  private static ParseResult parsed(String line) {
    return Drayage.commandLine().parseArgs(line.split(" "));
  }

  @Test
  void refusesWhatWouldFailAtTheFirstLibrary() {
    for (String line :
        List.of(
            "snapshot sql --store fs:x",
            "snapshot export --store fs:x --out y",
            "cargo import --table t.csv t.cargo",
            "throughput",
            "worker commit --zookeeper a:1 --store fs:x")) {
      assertThatThrownBy(() -> NativeNeed.require(parsed(line), () -> "no code"))
          .as(line)
          .isInstanceOf(ExecutionException.class)
          .hasMessage("no code");
      assertThatCode(() -> NativeNeed.require(parsed(line), () -> null)).doesNotThrowAnyException();
    }
    for (String line :
        List.of(
            "--help",
            "throughput --help",
            "doctor",
            "cargo show x.cargo",
            "snapshot list --store fs:x")) {
      assertThatCode(() -> NativeNeed.require(parsed(line), () -> "no code"))
          .as(line)
          .doesNotThrowAnyException();
    }
  }

  @Test
  @Tag("nightly")
  void namesATemporaryFolderThatIsMountedNoexec(@TempDir Path folder) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                "-m",
                "bash",
                "-c",
                "mount -t tmpfs -o noexec tmpfs \"$0\" || exit 77; \"$@\" doctor; echo \"doctor $?\"; \"$@\" cargo write \"$0/x\"; echo \"write $?\"",
                folder.toString()));
    command.addAll(Child.command(Drayage.class, List.of("-Djava.io.tmpdir=" + folder)));
    ProcessResult ran = ProcessResult.of(new ProcessBuilder(command), 30);
    assumeTrue(ran.code() != 77 && ran.code() != 1, "only root can mount");
    String named = "the temporary folder " + folder + " is mounted noexec";
    assertThat(ran.lines())
        .anyMatch(line -> line.startsWith("not ready: native code: " + named))
        .anyMatch(line -> line.startsWith("drayage: " + named))
        .contains("doctor 1", "write 1");
  }
}
