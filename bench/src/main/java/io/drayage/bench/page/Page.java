package io.drayage.bench.page;

import io.drayage.bench.table.Tone;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A page, filled from top to bottom; {@linkplain io.drayage.bench.page the package} shows how. For
 * one thread.
 */
public final class Page {
  private static final int NAVIGABLE_SECTIONS = 4;

  /** A fact longer than that is shown in smaller letters. */
  private static final int LONG_FACT = 14;

  private record Named(String id, String heading, Section content) {}

  private final String title;
  private String subtitle = "";
  private final StringBuilder verdicts = new StringBuilder();
  private final StringBuilder facts = new StringBuilder();
  private String footer = "";
  private final List<Named> sections = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  /** An empty page. */
  public Page(String title) {
    this.title = title;
  }

  /** What the page is about, in one line below its title. */
  public Page subtitle(String text) {
    subtitle = text;
    return this;
  }

  /** Adds the answer, or one of several; they stand at the top. */
  public Page verdict(String text, Tone tone) {
    verdicts.append(
        "<p class=\"verdict %s\">%s</p>\n".formatted(HtmlTable.cssClass(tone), Html.escape(text)));
    return this;
  }

  /**
   * Adds one of the few figures that stand below the verdict.
   *
   * @param note what there is to say of it; may be empty
   */
  public Page fact(String label, String value, String note) {
    facts.append(
        "<div class=\"fact\"><dt>%s</dt><dd class=\"value%s\">%s</dd><dd class=\"note\">%s</dd></div>\n"
            .formatted(
                Html.escape(label),
                value.length() > LONG_FACT ? " long" : "",
                Html.escape(value),
                Html.escape(note)));
    return this;
  }

  /** Adds a section below the others. */
  public Section section(String heading) {
    String id = Html.slug(heading);
    for (int i = 2; !ids.add(id); i++) {
      id = Html.slug(heading) + "-" + i;
    }
    Section section = new Section();
    sections.add(new Named(id, heading, section));
    return section;
  }

  /** Whether a page can link to a file, relative to it, with forward slashes. */
  public static boolean isBeside(String file) {
    return Html.isBeside(file);
  }

  /** What stands at the very end, in small letters. */
  public Page footer(String text) {
    footer = text;
    return this;
  }

  /** The ids of all charts, in their order. */
  public List<String> chartIds() {
    return sections.stream()
        .flatMap(section -> section.content.charts().stream())
        .map(Chart::id)
        .toList();
  }

  /**
   * Writes the page in UTF-8.
   *
   * @throws IOException if it cannot be written
   */
  public void writeTo(Path file) throws IOException {
    // Whatever a text holds: what is no character becomes a question mark.
    Files.write(file, toHtml().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The whole page.
   *
   * @throws IllegalStateException if two charts have the same id
   */
  public String toHtml() {
    if (new HashSet<>(chartIds()).size() < chartIds().size()) {
      throw new IllegalStateException("two charts have the same id: " + chartIds());
    }
    StringBuilder html = new StringBuilder();
    html.append(head());
    html.append("<body><div class=\"page\">\n<header><div><h1>").append(Html.escape(title));
    html.append("</h1><p class=\"subtitle\">").append(Html.escape(subtitle));
    html.append(
        "</p></div><button type=\"button\" class=\"theme\">Light / dark</button></header>\n");
    html.append(verdicts);
    if (!facts.isEmpty()) {
      html.append("<dl class=\"facts\">\n").append(facts).append("</dl>\n");
    }
    html.append(
        "<noscript><p class=\"note\">Charts need JavaScript; the tables show the same figures.</p></noscript>\n");
    html.append(navigation()).append("<main>\n");
    for (Named section : sections) {
      html.append("<section><h2 id=\"%s\">".formatted(section.id))
          .append(Html.escape(section.heading))
          .append("</h2>\n")
          .append(section.content.toHtml())
          .append("</section>\n");
    }
    html.append("</main>\n<footer>").append(Html.escape(footer)).append("</footer>\n</div>\n");
    html.append("<script>").append(Assets.chartJs()).append("</script>\n");
    html.append("<script>").append(Assets.pageScript()).append("</script>\n");
    return html.append("</body></html>\n").toString();
  }

  private String head() {
    return """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta http-equiv="Content-Security-Policy" content="%s"/>
        <title>%s</title>
        <style>%s</style>
        <script>%s</script></head>
        """
        .formatted(Assets.POLICY, Html.escape(title), Assets.styles(), Assets.themeScript());
  }

  private String navigation() {
    if (sections.size() < NAVIGABLE_SECTIONS) {
      return "";
    }
    StringBuilder html = new StringBuilder("<nav aria-label=\"Sections\">");
    for (Named section : sections) {
      html.append("<a href=\"#%s\">%s</a>\n".formatted(section.id, Html.escape(section.heading)));
    }
    return html.append("</nav>\n").toString();
  }
}
