package io.drayage.bench.page;

import io.drayage.bench.table.Tone;
import io.drayage.codec.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A page, filled from top to bottom; {@linkplain io.drayage.bench.page the package} has an example.
 * Not thread-safe.
 */
public final class Page {
  private static final int NAVIGABLE_SECTIONS = 4;

  private record Named(String id, String heading, Section content) {}

  private final String title;
  private String subtitle = "";
  private final StringBuilder verdicts = new StringBuilder();
  private String footer = "";
  private final List<Named> sections = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  public Page(String title) {
    this.title = title;
  }

  /** Sets the topic of the page, in one line below its title. */
  public Page subtitle(String text) {
    subtitle = text;
    return this;
  }

  /** Adds the answer, or one of several, at the top. */
  public Page verdict(String text, Tone tone) {
    verdicts.append(
        Template.of("verdict")
            .set("tone", tone.name().toLowerCase(Locale.ROOT))
            .set("text", text)
            .html());
    return this;
  }

  /** Adds a remark, in smaller letters below the verdict. */
  public Page remark(String text) {
    verdicts.append(Template.of("remark").set("text", text).html());
    return this;
  }

  /** Adds a section below the others. */
  public Section section(String heading) {
    String slug =
        heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String plain = slug.isEmpty() ? "section" : slug;
    String id = plain;
    for (int i = 2; !ids.add(id); i++) {
      id = plain + "-" + i;
    }
    Section section = new Section();
    sections.add(new Named(id, heading, section));
    return section;
  }

  /** Sets the very last line, in small letters. */
  public Page footer(String text) {
    footer = text;
    return this;
  }

  /** Whether a page can link to a file, relative to it, with forward slashes. */
  public static boolean isBeside(String file) {
    return !file.startsWith("/")
        && !file.contains(":")
        && !file.contains("\\")
        && !file.contains("..");
  }

  /** The ids of all charts, in their order. */
  public List<String> chartIds() {
    return sections.stream().flatMap(section -> section.content.chartIds().stream()).toList();
  }

  /**
   * Writes the page in UTF-8; an unpaired surrogate becomes a question mark.
   *
   * @throws IOException if it cannot be written
   */
  public void writeTo(Path file) throws IOException {
    byte[] html = toHtml().getBytes(StandardCharsets.UTF_8);
    WholeFile.stream(file, out -> out.write(html));
  }

  /**
   * Returns the whole page.
   *
   * @throws IllegalStateException if two charts have the same id
   */
  public String toHtml() {
    if (new HashSet<>(chartIds()).size() < chartIds().size()) {
      throw new IllegalStateException("two charts have the same id: " + chartIds());
    }
    String links =
        join(
            named ->
                Template.of("navigation-link")
                    .set("id", named.id)
                    .set("heading", named.heading)
                    .html());
    return Template.of("page")
        .set("title", title)
        .set("subtitle", subtitle)
        .set("verdicts", verdicts)
        .set(
            "navigation",
            sections.size() < NAVIGABLE_SECTIONS
                ? ""
                : Template.of("navigation").set("links", links).html())
        .set(
            "sections",
            join(
                named ->
                    Template.of("section")
                        .set("id", named.id)
                        .set("heading", named.heading)
                        .set("body", named.content.html())
                        .html()))
        .set("footer", footer)
        .set("styles", Template.resource("page.css"))
        .set("theme", Template.resource("theme.js"))
        .set("chartJs", Template.chartJs())
        .set("script", Template.resource("page.js"))
        .html();
  }

  private String join(Function<Named, String> html) {
    return sections.stream().map(html).collect(Collectors.joining());
  }
}
