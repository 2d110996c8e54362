package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar and its class path; runs once they are there. */
final class PackagedIT {
  @Test
  void findsAProviderForTheLogsOfItsLibraries(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process doctor =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                "target/drayage.jar",
                "doctor")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(doctor.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      doctor.destroyForcibly();
    }

    assertThat(doctor.exitValue()).as(Files.readString(err)).isZero();
    assertThat(out).content().contains("ready: ");
    assertThat(err).content().doesNotContain("SLF4J(W)");
  }
}
