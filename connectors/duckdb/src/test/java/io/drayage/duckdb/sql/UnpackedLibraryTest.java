package io.drayage.duckdb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class UnpackedLibraryTest {
  @TempDir private Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void isDeletedOnceItIsLoaded() throws Exception {
    try (Sql sql = new Sql(folder)) {
      assertThat(sql.revive()).isFalse();
      assertThat(Files.readString(Path.of("/proc/self/maps"))).contains("/libduckdb_java");
      assertThat(UnpackedLibrary.loaded()).isEmpty();
    }
  }
}
