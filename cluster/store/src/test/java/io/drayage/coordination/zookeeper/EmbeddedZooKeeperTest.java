package io.drayage.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperTest {
  @TempDir private Path folder;

  @Test
  void aStartLeavesNothingButTheDataOfTheServer() throws Exception {
    // The file of a server that was killed.
    Files.writeString(folder.resolve("zookeeper.configuration123.properties"), "clientPort=1");
    try (EmbeddedZooKeeper started = EmbeddedZooKeeper.start(folder, 0)) {
      assertThat(started.port()).isPositive();
      assertThat(folder).isDirectoryNotContaining("glob:**.properties");
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.properties");
  }

  @Test
  void theHandlerOfUncaughtExceptionsStaysThePrograms() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    try {
      Thread.UncaughtExceptionHandler own = (thread, thrown) -> {};
      Thread.setDefaultUncaughtExceptionHandler(own);
      try (EmbeddedZooKeeper started = EmbeddedZooKeeper.start(folder, 0)) {
        assertThat(started.port()).isPositive();
        assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(own);
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
