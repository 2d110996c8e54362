package io.drayage.bench.page;

import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.List;

/** A table that can be sorted by each column and copied. For one thread. */
public final class Table {
  private record Column(String heading, String unit, boolean numeric) {}

  private record Row(Tone tone, List<Cell> cells) {}

  private final String caption;
  private String note = "";
  private final List<Column> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  /** A table without columns. */
  public Table(String caption) {
    this.caption = caption;
  }

  /** Stands below it. */
  public Table note(String text) {
    note = text;
    return this;
  }

  /** Adds a column of texts, which stand to the left. */
  public Table text(String heading) {
    columns.add(new Column(heading, "", false));
    return this;
  }

  /** Adds a column of numbers without a unit, which stand to the right. */
  public Table number(String heading) {
    return number(heading, "");
  }

  /** Adds a column of numbers, all in one unit. */
  public Table number(String heading, String unit) {
    columns.add(new Column(heading, unit, true));
    return this;
  }

  /** Adds a row. */
  public Table row(Cell... cells) {
    return row(Tone.PLAIN, List.of(cells));
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException unless there is one cell a column
   */
  public Table row(Tone tone, List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "a row of %d cells in the table '%s' of %d columns"
              .formatted(cells.size(), caption, columns.size()));
    }
    rows.add(new Row(tone, List.copyOf(cells)));
    return this;
  }

  /** Whether it has no rows. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  String toHtml() {
    StringBuilder html = new StringBuilder();
    html.append("<div class=\"card\"><div class=\"head\"><h3>").append(Html.escape(caption));
    html.append(
        "</h3><span class=\"tools\"><button type=\"button\" data-copy=\"csv\">Copy CSV</button>");
    html.append("<button type=\"button\" data-copy=\"tsv\">Copy TSV</button></span></div>\n");
    html.append("<div class=\"scroll\"><table><thead><tr>");
    columns.forEach(column -> html.append(heading(column)));
    html.append("</tr></thead><tbody>\n");
    rows.forEach(row -> html.append(row(row)));
    html.append("</tbody></table></div>");
    if (!note.isEmpty()) {
      html.append("<div class=\"note\">").append(Html.escape(note)).append("</div>");
    }
    return html.append("</div>\n").toString();
  }

  private static String heading(Column column) {
    String unit =
        column.unit.isEmpty()
            ? ""
            : " <span class=\"unit\">%s</span>".formatted(Html.escape(column.unit));
    String copied = column.unit.isEmpty() ? column.heading : column.heading + " " + column.unit;
    return "<th scope=\"col\"%s data-h=\"%s\"><button type=\"button\">%s%s</button></th>"
        .formatted(
            column.numeric ? " class=\"n\"" : "",
            Html.escape(copied),
            Html.escape(column.heading),
            unit);
  }

  private String row(Row row) {
    StringBuilder html = new StringBuilder();
    html.append(
        row.tone == Tone.PLAIN
            ? "<tr>"
            : "<tr class=\"%s\">".formatted(HtmlTable.cssClass(row.tone)));
    for (int i = 0; i < columns.size(); i++) {
      html.append(HtmlTable.cell(row.cells.get(i), columns.get(i).numeric));
    }
    return html.append("</tr>\n").toString();
  }
}
