package io.drayage.bench.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A part of a page, filled from top to bottom. Not thread-safe. */
public final class Section {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final StringBuilder body = new StringBuilder();
  private final List<String> chartIds = new ArrayList<>();

  Section() {}

  /** Adds a paragraph. */
  public Section text(String text) {
    return add(Template.of("text").set("text", text));
  }

  /** Adds explanations of terms, by the terms. */
  public Section terms(Map<String, String> explanations) {
    StringBuilder terms = new StringBuilder();
    explanations.forEach(
        (term, text) ->
            terms.append(Template.of("term").set("term", term).set("text", text).html()));
    return add(Template.of("terms").set("terms", terms));
  }

  /** Adds a chart over the whole width. */
  public Section chart(Chart chart) {
    body.append(html(chart));
    return this;
  }

  /** Adds charts beside each other if the screen is wide enough. */
  public Section sideBySide(List<? extends Chart> charts) {
    return add(
        Template.of("side-by-side")
            .set("charts", charts.stream().map(this::html).collect(Collectors.joining("\n"))));
  }

  private String html(Chart chart) {
    chartIds.add(chart.id());
    String note =
        chart.note().isEmpty() ? "" : Template.of("chart-note").set("text", chart.note()).html();
    return Template.of("chart")
        .set("id", chart.id())
        .set("title", chart.title())
        .set("note", note)
        .set("json", Template.scriptSafe(json(chart)))
        .html();
  }

  private static String json(Chart chart) {
    try {
      return JSON.writeValueAsString(chart);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the chart %s cannot be written".formatted(chart.id()), e);
    }
  }

  public Section table(Table table) {
    body.append(HtmlTable.of(table));
    return this;
  }

  /** Adds text in a fixed font: a command, a log, the output of a tool. */
  public Section preformatted(String caption, String text) {
    return add(
        Template.of("preformatted").set("caption", caption).set("text", text.stripTrailing()));
  }

  /**
   * Adds a link to a file beside the page.
   *
   * @param file relative to the page, with forward slashes
   * @param note about its content; may be empty
   * @throws IllegalArgumentException if the file is not beside or below the page
   */
  public Section link(String file, String label, String note) {
    return add(
        Template.of("link").set("file", address(file)).set("label", label).set("note", note));
  }

  /**
   * Embeds another page, a file beside this one, which is loaded when the reader scrolls to it.
   *
   * @param file relative to the page, with forward slashes
   * @throws IllegalArgumentException if the file is not beside or below the page
   */
  public Section frame(String title, String file) {
    return add(Template.of("frame").set("title", title).set("file", address(file)));
  }

  private static String address(String file) {
    if (!Page.isBeside(file)) {
      throw new IllegalArgumentException("%s is not beside the page".formatted(file));
    }
    return file.replace("%", "%25").replace("#", "%23").replace("?", "%3F");
  }

  /** Adds content that is hidden until the reader clicks its heading. */
  public Section folded(String heading, Consumer<Section> content) {
    Section inner = new Section();
    content.accept(inner);
    chartIds.addAll(inner.chartIds);
    return add(Template.of("folded").set("heading", heading).set("body", inner.body));
  }

  private Section add(Template filled) {
    body.append(filled.html());
    return this;
  }

  String html() {
    return body.toString();
  }

  List<String> chartIds() {
    return List.copyOf(chartIds);
  }
}
