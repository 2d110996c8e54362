package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The locale and the zone of the machine change nothing that is stored, named or printed. */
final class LocaleTest {
  private final Locale locale = Locale.getDefault();
  private final TimeZone zone = TimeZone.getDefault();

  @TempDir private Path folder;

  @AfterEach
  void restore() {
    Locale.setDefault(locale);
    TimeZone.setDefault(zone);
  }

  private List<String> printed(String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.code()).as("%s", run).isZero();
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "fa-IR", "th-TH-u-ca-buddhist-nu-thai", "tr-TR", "de-DE"})
  void changesNothing(String tag) throws Exception {
    Path file = folder.resolve("t.cargo");
    String[] write = {"cargo", "write", "--size=10KB", file.toString()};
    String[] show = {"cargo", "show", file.toString()};
    String[] config = {"config", "show", "transactor"};
    Locale.setDefault(Locale.ROOT);
    List<String> written = printed(write);
    byte[] bytes = Files.readAllBytes(file);
    List<String> shown = printed(show);
    List<String> configured = printed(config);

    Locale.setDefault(Locale.forLanguageTag(tag));
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));

    assertThat(printed(write)).isEqualTo(written);
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    assertThat(printed(show)).isEqualTo(shown);
    assertThat(printed(config)).isEqualTo(configured);
    assertThat(CommandRun.of("throughput", "--budget=25h").err())
        .singleElement()
        .asString()
        .contains("1s to 24h, not 25h");
  }
}
