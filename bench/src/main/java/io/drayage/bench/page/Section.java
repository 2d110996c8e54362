package io.drayage.bench.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A part of a page, filled from top to bottom. For one thread. */
public final class Section {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final StringBuilder body = new StringBuilder();
  private final List<Chart> charts = new ArrayList<>();

  Section() {}

  /** Adds a paragraph. */
  public Section text(String text) {
    body.append("<p>").append(Html.escape(text)).append("</p>\n");
    return this;
  }

  /** Adds a chart over the whole width. */
  public Section chart(Chart chart) {
    charts.add(chart);
    String note =
        chart.note().isEmpty()
            ? ""
            : "<figcaption class=\"note\">%s</figcaption>".formatted(Html.escape(chart.note()));
    body.append(
        """
        <figure class="card" data-chart="%s"><div class="head"><h3>%s</h3>\
        <span class="tools"><button type="button" data-png="">PNG</button></span></div>
        <div class="plot"><canvas role="img" aria-label="%s"></canvas></div>%s
        <script type="application/json">%s</script></figure>
        """
            .formatted(
                Html.escape(chart.id()),
                Html.escape(chart.title()),
                Html.escape(chart.title()),
                note,
                Html.scriptSafe(json(chart))));
    return this;
  }

  /** Adds charts beside each other where the screen is wide enough. */
  public Section sideBySide(List<? extends Chart> several) {
    body.append("<div class=\"side-by-side\">");
    several.forEach(this::chart);
    body.append("</div>\n");
    return this;
  }

  /** Adds a table. */
  public Section table(Table table) {
    body.append(table.toHtml());
    return this;
  }

  /** Adds a table. */
  public Section table(io.drayage.bench.table.Table table) {
    body.append(HtmlTable.of(table));
    return this;
  }

  /** Adds text as it stands, in a fixed font: a command, a log, what a tool printed. */
  public Section preformatted(String caption, String text) {
    body.append("<div class=\"card\"><div class=\"head\"><h3>")
        .append(Html.escape(caption))
        .append("</h3></div><pre>")
        .append(Html.escape(text.stripTrailing()))
        .append("</pre></div>\n");
    return this;
  }

  /**
   * Adds a link to a file beside the page.
   *
   * @param file relative to the page, with forward slashes
   * @param note what is in it
   * @throws IllegalArgumentException if the file is not beside or below the page
   */
  public Section link(String file, String label, String note) {
    body.append(
        "<ul class=\"files\"><li><a href=\"%s\">%s</a> <span class=\"note\">%s</span></li></ul>\n"
            .formatted(Html.fileAddress(file), Html.escape(label), Html.escape(note)));
    return this;
  }

  /**
   * Shows another page, a file beside this one, in a frame, loaded when it is scrolled to.
   *
   * @param file relative to the page, with forward slashes
   * @throws IllegalArgumentException if the file is not beside or below the page
   */
  public Section frame(String title, String file) {
    String address = Html.fileAddress(file);
    String escaped = Html.escape(title);
    body.append(
        """
        <div class="card"><div class="head"><h3>%s</h3><span class="note"><a href="%s">alone</a></span></div>
        <iframe loading="lazy" title="%s" src="%s"></iframe></div>
        """
            .formatted(escaped, address, escaped, address));
    return this;
  }

  /** Adds something that is folded away until its heading is clicked. */
  public Section folded(String heading, Consumer<Section> content) {
    Section inner = new Section();
    content.accept(inner);
    charts.addAll(inner.charts);
    body.append("<details class=\"card\"><summary>")
        .append(Html.escape(heading))
        .append("</summary>\n")
        .append(inner.body)
        .append("</details>\n");
    return this;
  }

  /**
   * Adds markup as it is. It must be well-formed, and must not come from outside of the program.
   */
  public Section html(String trusted) {
    body.append(trusted).append('\n');
    return this;
  }

  String toHtml() {
    return body.toString();
  }

  List<Chart> charts() {
    return List.copyOf(charts);
  }

  private static String json(Chart chart) {
    try {
      return JSON.writeValueAsString(chart);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the chart %s cannot be written".formatted(chart.id()), e);
    }
  }
}
