package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("nightly")
@Timeout(300)
final class ExamplesIT {
  private static final Path EXAMPLES = Path.of("../../examples/spark");
  private static final Path JAR = Path.of("target/drayage-spark-0.1.0-SNAPSHOT.jar");

  @TempDir private Path folder;
  @AutoClose private TestDatabase database;
  private String parquet;

  @BeforeEach
  @Timeout(300)
  void aDatabaseAndAFile() throws Exception {
    database = new TestDatabase(folder);
    parquet = folder.resolve("numbers.parquet").toString();
    LocalSpark.session().range(1_000).write().parquet(parquet);
  }

  @Test
  void theJavaProgramWritesAndReads() throws Exception {
    List<String> command = SparkJvm.command();
    command.add(EXAMPLES.resolve("WriteAndRead.java").toString());
    command.addAll(List.of(database.servers(), database.store(), parquet, "java"));

    assertThat(run(command)).contains("|   1000|");
    assertThat(database.rows("java")).hasSize(1_000);
  }

  @Test
  void thePythonProgramWritesAndReads() throws Exception {
    assumeTrue(
        exitCode(List.of("python3", "-c", "import pyspark")) == 0, "python3 has no pyspark 4.2.0");

    String printed =
        run(
            List.of(
                "python3",
                EXAMPLES.resolve("write_and_read.py").toString(),
                JAR.toAbsolutePath().toString(),
                database.servers(),
                database.store(),
                parquet,
                "python"));

    assertThat(printed).contains("|   1000|");
    assertThat(database.rows("python")).hasSize(1_000);
  }

  private String run(List<String> command) throws Exception {
    int exit = exitCode(command);
    String printed = Files.readString(log().toPath(), StandardCharsets.UTF_8);
    assertThat(exit).as(printed).isZero();
    return printed;
  }

  private int exitCode(List<String> command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log());
    // An installation of Python finds Spark itself.
    builder.environment().remove("SPARK_HOME");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(200, TimeUnit.SECONDS)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private File log() {
    return folder.resolve("program.log").toFile();
  }
}
