package io.drayage.bench.page;

import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Medium;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.Tone;
import java.util.List;
import java.util.Locale;

/** A table as HTML: sorted by a click on a heading, copied as CSV or TSV by the page's script. */
final class HtmlTable {
  private static final double WHOLE_BELOW = 1e15;

  private HtmlTable() {}

  static String of(Table whole) {
    Table table = whole.on(Medium.PAGE);
    StringBuilder html = new StringBuilder();
    html.append("<div class=\"card\"><div class=\"head\"><h3>").append(Html.escape(table.title()));
    html.append(
        "</h3><span class=\"tools\"><button type=\"button\" data-copy=\"csv\">Copy CSV</button>");
    html.append("<button type=\"button\" data-copy=\"tsv\">Copy TSV</button></span></div>\n");
    html.append("<div class=\"scroll\"><table><thead><tr>");
    table.columns().forEach(column -> html.append(heading(column)));
    html.append("</tr></thead><tbody>\n");
    table.rows().forEach(row -> html.append(row(table.columns(), row)));
    html.append("</tbody></table></div>");
    if (!table.notes().isEmpty()) {
      String notes = String.join(" ", table.notes());
      html.append("<div class=\"note\">").append(Html.escape(notes)).append("</div>");
    }
    return html.append("</div>\n").toString();
  }

  private static String heading(Table.Column column) {
    String unit =
        column.unit().isEmpty()
            ? ""
            : " <span class=\"unit\">%s</span>".formatted(Html.escape(column.unit()));
    return "<th scope=\"col\"%s data-h=\"%s\"><button type=\"button\">%s%s</button></th>"
        .formatted(
            column.isNumeric() ? " class=\"n\"" : "",
            Html.escape(column.title()),
            Html.escape(column.heading()),
            unit);
  }

  private static String row(List<Table.Column> columns, Table.Row row) {
    StringBuilder html = new StringBuilder();
    html.append(
        row.tone() == Tone.PLAIN ? "<tr>" : "<tr class=\"%s\">".formatted(cssClass(row.tone())));
    for (int i = 0; i < columns.size(); i++) {
      html.append(cell(row.cells().get(i), columns.get(i).isNumeric()));
    }
    return html.append("</tr>\n").toString();
  }

  static String cell(Cell cell, boolean isNumeric) {
    StringBuilder classes = new StringBuilder();
    add(classes, isNumeric, "n");
    add(classes, cell.wraps(), "wrap");
    add(classes, cell.isNone(), "none");
    add(classes, cell.tone() != Tone.PLAIN, cssClass(cell.tone()));
    Double share = cell.share();
    return "<td%s%s>%s%s</td>"
        .formatted(
            classes.isEmpty() ? "" : " class=\"%s\"".formatted(classes),
            cell.value() == null ? "" : " data-v=\"%s\"".formatted(number(cell.value())),
            cell.isNone() ? "–" : Html.escape(cell.text()),
            share == null
                ? ""
                : "<span class=\"bar\"><i style=\"width:%d%%\"></i></span>"
                    .formatted(Math.round(100 * share)));
  }

  static String cssClass(Tone tone) {
    return tone.name().toLowerCase(Locale.ROOT);
  }

  private static void add(StringBuilder classes, boolean applies, String name) {
    if (applies) {
      classes.append(classes.isEmpty() ? "" : " ").append(name);
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < WHOLE_BELOW
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
