package io.drayage.duckdb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class UnpackedLibraryTest {
  @TempDir private Path folder;

  /** A JVM that ends as soon as its driver has begun to write the file. */
  record Ending() {
    public static void main(String[] arguments) {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      Thread loading = new Thread(() -> UnpackedLibrary.requireLoaded(temporary), "loading");
      loading.start();
      while (loading.isAlive() && UnpackedLibrary.files(temporary).isEmpty()) {
        Thread.onSpinWait();
      }
      System.exit(0); // SIGTERM and SIGINT end a JVM in the same way.
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void isDeletedOnceItIsLoaded() throws Exception {
    try (Sql sql = new Sql(folder)) {
      assertThat(sql.revive()).isFalse();
      assertThat(Files.readString(Path.of("/proc/self/maps"))).contains("/libduckdb_java");
      assertThat(UnpackedLibrary.loaded()).isEmpty();
    }
  }

  @Test
  @Tag("ci")
  void isDeletedIfTheJvmEndsWhileItIsWritten() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Ending.class.getName())
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(UnpackedLibrary.files(folder)).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A killed JVM leaves its file. A new file may belong to a JVM that has not loaded it yet. */
  @Test
  void isDeletedByALaterJvm() throws Exception {
    Path left = Files.createFile(folder.resolve("libduckdb_java1.so"));
    Path fresh = Files.createFile(folder.resolve("libduckdb_java2.so"));
    Path other = Files.createFile(folder.resolve("libduckdb.so"));
    Path elsewhere = Files.createDirectory(folder.resolve("libduckdb_java3.so"));
    FileTime old = FileTime.from(Instant.now().minus(UnpackedLibrary.OLD.multipliedBy(2)));
    for (Path each : List.of(left, other, elsewhere)) {
      Files.setLastModifiedTime(each, old);
    }
    UnpackedLibrary.deleteLeft(folder, folder);
    assertThat(left).doesNotExist();
    assertThat(List.of(fresh, other, elsewhere)).allMatch(Files::exists);
  }
}
