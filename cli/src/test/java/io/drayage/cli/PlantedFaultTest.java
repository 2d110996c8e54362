package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Builds modules with faults by the project's own pom, in the order of a stranger. */
@Tag("ci")
final class PlantedFaultTest {
  private static final Path ROOT = Path.of("..");

  @TempDir private Path folder;

  private record Built(int code, String log) {}

  private Built mvn(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("mvn", "-o", "-B", "-Dstyle.color=never"));
    String repository = System.getProperty("localRepository"); // Surefire sets it.
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(Arrays.asList(arguments));
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      return new Built(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Makes a module with one class. */
  private void plant(String module, String name, String method) throws IOException {
    Path sources = Files.createDirectories(folder.resolve(module).resolve("src/main/java/planted"));
    Files.writeString(
        sources.resolve(name + ".java"),
        "package planted;\n\nfinal class %s {\n  %s\n}\n".formatted(name, method));
    Files.writeString(
        folder.resolve(module).resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <parent>
            <groupId>io.drayage</groupId>
            <artifactId>drayage</artifactId>
            <version>0.1.0-SNAPSHOT</version>
          </parent>
          <artifactId>%s</artifactId>
        </project>
        """
            .formatted(module));
  }

  @Test
  @Timeout(500)
  void isFoundByTheStricterBuildAfterALaxerOne() throws Exception {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "mvn"))),
        "no mvn on the path");
    String pom =
        Files.readString(ROOT.resolve("pom.xml"))
            .replaceAll("(?s)<modules>.*?</modules>", "")
            .replaceFirst(
                "<properties>",
                "<modules><module>raw</module><module>same</module></modules><properties>");
    Files.writeString(folder.resolve("pom.xml"), pom);
    Path settings = Files.createDirectory(folder.resolve(".mvn"));
    Files.copy(ROOT.resolve(".mvn/jvm.config"), settings.resolve("jvm.config"));
    plant("raw", "Raw", "java.util.List raw() { return java.util.List.of(); }");
    plant("same", "Same", "boolean same(int[] a, int[] b) { return a.equals(b); }");

    Built launchers = mvn("-Ddrayage.launcher", "compile");
    assertThat(launchers.code()).as(launchers.log()).isZero();
    assertThat(folder.resolve("raw/target/launcher/classes/planted/Raw.class")).exists();

    assertThat(mvn("-fae", "compile").log())
        .contains("Raw.java", "found raw type", "BUILD FAILURE")
        .doesNotContain("Same.java");
    assertThat(folder.resolve("same/target/classes/planted/Same.class")).exists();

    assertThat(mvn("-Pci", "-fae", "compile").log())
        .contains("Same.java", "[ArrayEquals]", "BUILD FAILURE");
  }
}
