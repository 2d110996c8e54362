package io.drayage.bench.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsFileTest {
  private static final Map<String, String> SETTINGS =
      Map.of("system", "netty:columnar+zstd:1@2", "connections", "2");

  @TempDir private Path folder;

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("drayage.conf"), List.of(lines));
  }

  @Test
  void readsWhatItWrote() throws IOException {
    Path file = folder.resolve("written.conf");
    assertThat(SettingsFile.write(file, SETTINGS, List.of("why: because = so"))).isEmpty();
    assertThat(SettingsFile.read(file)).isEqualTo(SETTINGS);
  }

  @Test
  void keepsTheFileThatWasThere() throws IOException {
    Path old = folder.resolve("drayage.conf.old");
    for (String connections : List.of("connections = 4", "connections = 5")) {
      Path file = file(connections);
      assertThat(SettingsFile.write(file, SETTINGS, List.of())).contains(old);
      assertThat(SettingsFile.read(file)).isEqualTo(SETTINGS);
      assertThat(old).hasContent(connections);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void keepsTheFileBehindALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.conf"), file("connections = 4"));
    assertThat(SettingsFile.write(link, SETTINGS, List.of())).isNotEmpty();
    assertThat(link).isSymbolicLink();
    assertThat(SettingsFile.read(folder.resolve("drayage.conf"))).isEqualTo(SETTINGS);
    assertThat(folder.resolve("drayage.conf.old")).hasContent("connections = 4");
  }

  @Test
  void skipsCommentsAndKeepsWhatIsNone() throws IOException {
    Path file =
        file("\ufeffdata = /srv/c#/data", "# all", "", "  types=a#b=VARCHAR\t# one", "#x = y");
    assertThat(SettingsFile.read(file))
        .isEqualTo(Map.of("data", "/srv/c#/data", "types", "a#b=VARCHAR"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "connections | is not of the form key = value",
        "transactor-threads = 1 | is set a second time"
      })
  void namesTheLineThatIsMalformed(String line, String reason) throws IOException {
    Path file = file("# settings", "transactor-threads = 1", line);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingsFile.read(file))
        .withMessageContaining("drayage.conf, line 3: ")
        .withMessageContaining(reason);
  }
}
