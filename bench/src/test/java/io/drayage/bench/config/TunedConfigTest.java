package io.drayage.bench.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.bench.ByteSize;
import io.drayage.bench.system.Systems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TunedConfigTest {
  @TempDir private Path folder;

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("drayage.conf"), List.of(lines));
  }

  @Test
  void readsWhatItWrote() throws IOException {
    TunedConfig config =
        new TunedConfig(
            Systems.notation().parse("netty:columnar+zstd:1@2"), 2, 1, ByteSize.parse("256KiB"), 4);
    Path file = folder.resolve("written.conf");
    assertThat(config.write(file, List.of("why: because = so"))).isEmpty();
    assertThat(TunedConfig.read(file)).isEqualTo(config);
  }

  @Test
  void keepsTheFileThatWasThere() throws IOException {
    TunedConfig config = new TunedConfig(null, 3, null, null, 2);
    Path old = folder.resolve("drayage.conf.old");
    for (String connections : List.of("connections = 4", "connections = 5")) {
      Path file = file(connections);
      assertThat(config.write(file, List.of())).contains(old);
      assertThat(TunedConfig.read(file)).isEqualTo(config);
      assertThat(old).hasContent(connections);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void keepsTheFileBehindALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.conf"), file("connections = 4"));
    TunedConfig config = new TunedConfig(null, null, null, null, 2);
    assertThat(config.write(link, List.of())).isNotEmpty();
    assertThat(link).isSymbolicLink();
    assertThat(TunedConfig.read(folder.resolve("drayage.conf"))).isEqualTo(config);
    assertThat(folder.resolve("drayage.conf.old")).hasContent("connections = 4");
  }

  @Test
  void readsSomeKeysAndComments() throws IOException {
    TunedConfig config =
        TunedConfig.read(file("# all of it", "", "  connections=2 # two", "worker-threads = 3"));
    assertThat(config).isEqualTo(new TunedConfig(null, 3, null, null, 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "connections = 17 | connections must be 1 to 16, not '17'",
        "connections = two | connections must be 1 to 16, not 'two'",
        "worker-threads = 0 | worker-threads must be 1 to 1024",
        "segment-size = 5MiB | segment-size must be 64KiB to 4MiB, not '5MiB'",
        "system = netty:raw | 'netty:raw' is not a system",
      })
  void namesTheValueThatItDoesNotUnderstand(String line, String reason) throws IOException {
    Path file = file("# settings", "transactor-threads = 1", line);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TunedConfig.read(file))
        .withMessageContaining("drayage.conf: ")
        .withMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "connections | is not of the form key = value",
        "transactor-threads = 1 | stands here a second time"
      })
  void namesTheLineThatIsMalformed(String line, String reason) throws IOException {
    Path file = file("# settings", "transactor-threads = 1", line);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingsFile.read(file))
        .withMessageContaining("drayage.conf, line 3: ")
        .withMessageContaining(reason);
  }
}
