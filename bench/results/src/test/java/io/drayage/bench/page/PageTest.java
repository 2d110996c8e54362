package io.drayage.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.drayage.bench.page.Axis.Unit;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PageTest {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u0000\u001b[31m";

  @Test
  void showsHostileNamesAsText() throws Exception {
    String html = SamplePage.of(HOSTILE).toHtml();
    assertThat(WellFormed.elements(html, "img")).isEmpty();
    assertThat(WellFormed.elements(html, "script")).hasSize(3 + 5);
    assertThat(html).contains("&lt;/script&gt;&lt;img src=x").doesNotContain("\u001b", "\u0000");
  }

  @Test
  void writesWhatIsNoCharacter(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("page.html");
    SamplePage.of("half \ud800 of one").writeTo(file);
    assertThat(file).content().contains("half ? of one");
  }

  @Test
  void loadsNothing() {
    Matcher loads =
        Pattern.compile("(src|href|url\\(|@import)[ =\"'(]+(https?:)?//")
            .matcher(SamplePage.of("a system").toHtml());
    assertThat(loads.find()).as("a load from elsewhere").isFalse();
  }

  @Test
  void holdsTheDataOfEveryChart() {
    Page page = SamplePage.of("netty:raw+none@2");
    assertThat(page.chartIds()).containsExactly("bars", "stacked", "lines", "dots", "trend");
    assertThat(page.toHtml())
        .contains(
            "\"kind\":\"bars\"",
            "\"kind\":\"stacked\"",
            "\"kind\":\"lines\"",
            "\"kind\":\"dots\"",
            "\"kind\":\"trend\"")
        .contains("\"value\":0.214,\"min\":0.2,\"max\":0.3,\"points\":[0.2,0.214,0.3]");
  }

  @Test
  void sectionsOfOneNameHaveIdsOfTheirOwn() throws Exception {
    Page page = new Page("two");
    page.section("Sizes");
    page.section("Sizes");
    assertThat(page.toHtml()).contains("id=\"sizes\"", "id=\"sizes-2\"");
  }

  @Test
  void refusesTwoChartsOfOneName() {
    Page page = new Page("two");
    BarChart chart = new BarChart("same", "Same", "", Axis.of("s", Unit.SECONDS), List.of());
    page.section("one").sideBySide(List.of(chart, chart));
    assertThatIllegalStateException().isThrownBy(page::toHtml).withMessageContaining("same");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "../other", "javascript:alert(1)", "https://example.org"})
  void refusesFilesElsewhere(String file) {
    Section section = new Page("files").section("files");
    assertThatIllegalArgumentException().isThrownBy(() -> section.link(file, "a", ""));
    assertThatIllegalArgumentException().isThrownBy(() -> section.frame("a", file));
  }
}
