package io.drayage.bench.page;

import io.drayage.bench.table.Medium;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableCell;
import io.drayage.bench.table.Tone;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table as HTML. The page's script sorts it by a click on a heading, and copies it. */
final class HtmlTable {
  private static final double WHOLE_BELOW = 1e15;

  private HtmlTable() {}

  static String of(Table whole) {
    Table table = whole.on(Medium.PAGE);
    String note = String.join(" ", table.notes());
    return Template.of("table")
        .set("title", table.title())
        .set(
            "headings",
            table.columns().stream().map(HtmlTable::heading).collect(Collectors.joining()))
        .set(
            "rows",
            table.rows().stream()
                .map(row -> row(table.columns(), row))
                .collect(Collectors.joining()))
        .set("note", note.isEmpty() ? "" : Template.of("table-note").set("text", note).html())
        .html();
  }

  private static String heading(Table.Column column) {
    return Template.of("heading")
        .set("class", classes(column.isNumeric() ? "n" : ""))
        .set("copied", column.title())
        .set("heading", column.heading())
        .set(
            "unit",
            column.unit().isEmpty() ? "" : Template.of("unit").set("unit", column.unit()).html())
        .html();
  }

  private static String row(List<Table.Column> columns, Table.Row row) {
    String cells =
        IntStream.range(0, columns.size())
            .mapToObj(i -> cell(row.cells().get(i), columns.get(i).isNumeric()))
            .collect(Collectors.joining());
    return Template.of("row")
        .set("class", classes(cssClass(row.tone())))
        .set("cells", cells)
        .html();
  }

  private static String cell(TableCell cell, boolean isNumeric) {
    Double share = cell.share();
    return Template.of("cell")
        .set(
            "class",
            classes(
                isNumeric ? "n" : "",
                cell.wraps() ? "wrap" : "",
                cell.isNone() ? "none" : "",
                cssClass(cell.tone())))
        .set(
            "value",
            cell.value() == null
                ? ""
                : Template.of("value").set("value", number(cell.value())).html())
        .set("text", cell.isNone() ? "–" : cell.text())
        .set(
            "bar",
            share == null ? "" : Template.of("bar").set("percent", Math.round(100 * share)).html())
        .html();
  }

  private static String classes(String... names) {
    String all = Stream.of(names).filter(name -> !name.isEmpty()).collect(Collectors.joining(" "));
    return all.isEmpty() ? "" : Template.of("class").set("names", all).html();
  }

  /** Returns the CSS class of a tone; empty if the tone is not emphasized. */
  static String cssClass(Tone tone) {
    return tone == Tone.PLAIN ? "" : tone.name().toLowerCase(Locale.ROOT);
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < WHOLE_BELOW
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
