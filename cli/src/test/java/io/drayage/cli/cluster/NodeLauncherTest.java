package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ./drayage} starts nodes with, in a tree whose JDK and jar are only said to be. */
@Tag("ci")
@Timeout(60)
class NodeLauncherTest {
  private static final Path LAUNCHER = Path.of("..", "drayage");

  /** Takes the collectors in COLLECTORS, makes an archive as told, and prints its arguments. */
  private static final String JAVA =
      """
      #!/bin/bash
      if [[ $2 == -version ]]; then
        [[ " $COLLECTORS " == *" $1 "* ]]
        exit
      fi
      printf '%s\n' "$@"
      while (($# > 1)); do
        if [[ $1 == archive ]]; then
          echo "made for this tree" >"$2"
        fi
        shift
      done
      """;

  @TempDir private Path folder;

  private Path tree;

  @BeforeEach
  void plant() throws IOException {
    Path jdk = Files.createDirectories(folder.resolve("jdk").resolve("bin"));
    Files.writeString(jdk.resolveSibling("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Path java = Files.writeString(jdk.resolve("java"), JAVA);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    tree = folder.resolve("tree");
    Path lib = Files.createDirectories(tree.resolve("jars").resolve("lib"));
    Files.writeString(lib.resolve("some.jar"), "");
    Files.writeString(lib.resolveSibling("drayage.jar"), "");
    Files.copy(LAUNCHER, tree.resolve("drayage"));
  }

  @Test
  void looksIntoTheJvmRatherThanStartingIt() throws Exception {
    Path server = Files.createDirectories(folder.resolve("jdk").resolve("lib").resolve("server"));
    Path library = Files.writeString(server.resolve("libjvm.so"), "UseShenandoahGC\0UseG1GC\0");
    assertThat(run(tree.resolve("drayage"), "-XX:+UseShenandoahGC", "", "transactor"))
        .contains("-XX:+UseG1GC");
    Files.writeString(library, "\0ShenandoahGCHeuristics\0UseG1GC\0");
    assertThat(run(tree.resolve("drayage"), "", "", "transactor")).contains("-XX:+UseShenandoahGC");
  }

  private String run(Path launcher, String collectors, String options, String... arguments)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(launcher.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("DRAYAGE_JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("DRAYAGE_JAVA_OPTS", options);
    builder.environment().put("COLLECTORS", collectors);
    Process process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    return Files.readString(out);
  }

  @ParameterizedTest
  @CsvSource({
    "transactor, -XX:+UseShenandoahGC, '', Shenandoah",
    "worker follow, -XX:+UseShenandoahGC, '', Shenandoah",
    "worker commit, -XX:+UseShenandoahGC, -Xmx1g, Shenandoah",
    "transactor, '', '', G1",
    "transactor, -XX:+UseShenandoahGC, -XX:+UseZGC, Z",
    "throughput, -XX:+UseShenandoahGC, '', Parallel",
    "snapshot list, -XX:+UseShenandoahGC, '', Parallel"
  })
  void aNodeHasTheCollectorThatPausesLeast(
      String command, String collectors, String options, String expected) throws Exception {
    String out = run(tree.resolve("drayage"), collectors, options, command.split(" "));

    assertThat(out.lines().filter(line -> line.matches("-XX:\\+Use.*GC")).distinct())
        .containsExactly("-XX:+Use" + expected + "GC");
  }

  @Test
  void aComparisonMakesAndUsesNoArchive() throws Exception {
    Path launcher = tree.resolve("drayage");
    assertThat(run(launcher, "", "", "throughput")).doesNotContain("preparing an archive");
    assertThat(run(launcher, "", "", "transactor")).contains("preparing an archive");
    assertThat(run(launcher, "", "", "throughput")).doesNotContain(".options");
  }

  @Test
  void aCopiedTreeMakesAnArchiveOfItsOwnOnce() throws Exception {
    String[] transactor = {"transactor", "--data=d"};
    Path launcher = tree.resolve("drayage");
    assertThat(run(launcher, "", "", transactor)).contains("preparing an archive");
    assertThat(run(launcher, "", "", transactor)).doesNotContain("preparing an archive");
    Path copy = folder.resolve("copy");
    Process copying =
        new ProcessBuilder("cp", "-a", tree.toString(), copy.toString()).inheritIO().start();
    assertThat(copying.waitFor()).isZero();

    assertThat(run(copy.resolve("drayage"), "", "", transactor)).contains("preparing an archive");

    assertThat(run(copy.resolve("drayage"), "", "", transactor))
        .doesNotContain("preparing an archive")
        .contains("@" + copy.toRealPath().resolve("jars").resolve("archive"));
    assertThat(copy.resolve("jars").resolve("archive"))
        .as("that of the other tree is gone")
        .isDirectoryContaining(path -> path.toString().endsWith(".options"))
        .satisfies(
            archives -> {
              try (var options = Files.newDirectoryStream(archives, "*.options")) {
                assertThat(options).hasSize(1);
              }
            });
  }
}
