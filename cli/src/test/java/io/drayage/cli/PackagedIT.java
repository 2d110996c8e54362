package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.rig.ClassArchive.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the jar and its class path; it runs after they are made. */
@Tag("ci")
final class PackagedIT {
  private static final Path JAR = Path.of("target", "drayage.jar");

  @TempDir private Path folder;

  /** Runs the command line with options of the JVM, and returns its errors. */
  private String run(List<String> jvmOptions, Path jar, String... arguments) throws Exception {
    Path err = folder.resolve("err");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(err.toFile());
    builder.environment().remove("JDK_JAVA_OPTIONS"); // the launcher would print that it reads them
    Process process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    return Files.readString(err);
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  @Test
  void findsAProviderForTheLogsOfItsLibraries() throws Exception {
    String err = run(List.of(), JAR, "doctor");

    assertThat(out()).contains("ready: ");
    assertThat(err).doesNotContain("SLF4J(W)");
  }

  @Test
  void saysInALineThatAnArchiveOfClassesDoesNotFit() throws Exception {
    Path none = Files.writeString(folder.resolve("none"), "no archive");

    assertThat(run(Form.ofThisJvm().use(none), JAR, "--version"))
        .hasLineCount(1)
        .contains("does not fit");
    assertThat(out()).startsWith("drayage ").hasLineCount(1);
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
  void makesAnArchiveOfItsClasses() throws Exception {
    Path options = folder.resolve("with space").resolve("nodes.options");
    String use = "@" + options;
    run(List.of("-XX:+UseParallelGC"), JAR, "archive", options.toString());

    assertThat(run(List.of(use), JAR, "--version")).isEmpty();
    assertThat(run(List.of(use, "-Xlog:class+load"), JAR, "--version")).isEmpty();
    assertThat(out().lines())
        .anyMatch(line -> line.contains("io.drayage.cli.Drayage source: shared objects file"));

    Path other = Files.createDirectory(folder.resolve("other")).resolve("drayage.jar");
    Files.copy(JAR, other);
    Files.createSymbolicLink(
        other.resolveSibling("lib"), JAR.resolveSibling("lib").toAbsolutePath());
    assertThat(run(List.of(use), other, "--version")).hasLineCount(1);
    assertThat(out()).startsWith("drayage ").hasLineCount(1);
  }
}
