package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The locale and the zone of the machine change nothing that is stored, named or printed. */
@Tag("ci")
final class LocaleTest {
  private static final Locale LOCALE = Locale.getDefault();
  private static final TimeZone ZONE = TimeZone.getDefault();
  private static final String[] CONFIG = {"config", "show", "transactor"};

  @TempDir private static Path folder;
  private static String[] write = {};
  private static String[] show = {};
  private static List<String> written = List.of();
  private static List<String> shown = List.of();
  private static List<String> configured = List.of();
  private static byte[] bytes = {};

  @BeforeAll
  static void printInNoLanguage() throws IOException {
    Path file = folder.resolve("t.cargo");
    write = new String[] {"cargo", "write", "--size=10KB", file.toString()};
    show = new String[] {"cargo", "show", file.toString()};
    Locale.setDefault(Locale.ROOT);
    written = printed(write);
    bytes = Files.readAllBytes(file);
    shown = printed(show);
    configured = printed(CONFIG);
  }

  @AfterEach
  void restore() {
    Locale.setDefault(LOCALE);
    TimeZone.setDefault(ZONE);
  }

  private static List<String> printed(String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.code()).as("%s", run).isZero();
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "fa-IR", "th-TH-u-ca-buddhist-nu-thai", "tr-TR", "de-DE"})
  void changesNothing(String tag) throws Exception {
    Locale.setDefault(Locale.forLanguageTag(tag));
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));

    assertThat(printed(write)).isEqualTo(written);
    assertThat(Files.readAllBytes(folder.resolve("t.cargo"))).isEqualTo(bytes);
    assertThat(printed(show)).isEqualTo(shown);
    assertThat(printed(CONFIG)).isEqualTo(configured);
    assertThat(CommandRun.of("throughput", "--budget=25h").err())
        .singleElement()
        .asString()
        .contains("1s to 24h, not 25h");
  }
}
