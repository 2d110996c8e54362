package io.drayage.bench.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Table} column by column. Not thread-safe. */
public final class TableBuilder<R> {
  private record Entry<R>(Table.Column column, Function<R, TableCell> cell) {}

  private final String title;
  private final List<R> rows;
  private final List<Entry<R>> entries = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Function<R, Tone> rowTone = row -> Tone.PLAIN;
  private Predicate<R> ruleAbove = row -> false;

  TableBuilder(String title, Collection<? extends R> rows) {
    this.title = title;
    this.rows = List.copyOf(rows);
  }

  /** Adds a column of texts; null for {@link TableCell#NONE}. */
  public TableBuilder<R> text(String heading, Function<R, @Nullable String> text) {
    return cells(
        heading,
        "",
        false,
        row -> {
          String shown = text.apply(row);
          return shown == null ? TableCell.NONE : TableCell.text(shown);
        });
  }

  /** Adds a column of plain numbers, shown in the format's unit. */
  public TableBuilder<R> number(
      String heading, Format format, Function<R, ? extends @Nullable Number> plain) {
    return cells(heading, format.unit(), true, row -> format.cell(plain.apply(row)));
  }

  /**
   * Adds a median with its range: {@code 0.123 (0.120-0.130)} in one column on a terminal, in three
   * on a page.
   */
  public TableBuilder<R> spread(
      String heading,
      Format format,
      Function<R, ? extends @Nullable Number> median,
      Function<R, ? extends @Nullable Number> low,
      Function<R, ? extends @Nullable Number> high) {
    return range(heading, "(min-max)", List.of("min", "max"), format, median, low, high);
  }

  /** Adds an estimate with its interval of 95 %: one column on a terminal, three on a page. */
  public TableBuilder<R> interval(
      String heading,
      Format format,
      Function<R, ? extends @Nullable Number> estimate,
      Function<R, ? extends @Nullable Number> low,
      Function<R, ? extends @Nullable Number> high) {
    return range(heading, "(95 %)", List.of("from", "to"), format, estimate, low, high);
  }

  private TableBuilder<R> range(
      String heading,
      String kind,
      List<String> ends,
      Format format,
      Function<R, ? extends @Nullable Number> middle,
      Function<R, ? extends @Nullable Number> low,
      Function<R, ? extends @Nullable Number> high) {
    cells(
        heading,
        (format.unit() + " " + kind).strip(),
        true,
        row -> {
          TableCell shown = format.cell(middle.apply(row));
          TableCell from = format.cell(low.apply(row));
          return shown.isNone() || from.isNone()
              ? shown
              : shown.withText(
                  "%s (%s-%s)"
                      .formatted(shown.text(), from.text(), format.cell(high.apply(row)).text()));
        });
    on(Medium.TERMINAL);
    return number(heading, format, middle)
        .on(Medium.PAGE)
        .number(ends.get(0), format, low)
        .on(Medium.PAGE)
        .number(ends.get(1), format, high)
        .on(Medium.PAGE);
  }

  /** Adds a column of ready cells. */
  public TableBuilder<R> cells(
      String heading, String unit, boolean isNumeric, Function<R, TableCell> cell) {
    entries.add(new Entry<>(new Table.Column(heading, unit, isNumeric, null), cell));
    return this;
  }

  /** Shows the last column on one medium only. */
  public TableBuilder<R> on(Medium medium) {
    Entry<R> last = last();
    Table.Column column = last.column;
    return replaceLast(
        new Entry<>(
            new Table.Column(column.heading(), column.unit(), column.isNumeric(), medium),
            last.cell));
  }

  /** Marks the best cells of the last column: a star on a terminal, a colour on a page. */
  public TableBuilder<R> mark(Predicate<R> isBest) {
    return map((row, cell) -> isBest.test(row) && !cell.isNone() ? cell.tone(Tone.GOOD) : cell);
  }

  /** Lets the texts of the last column fill several lines on a page. */
  public TableBuilder<R> wrapped() {
    return map((row, cell) -> cell.wrapped());
  }

  /** Shows a bar below each cell of the last column, which holds percentages. */
  public TableBuilder<R> bars() {
    return map((row, cell) -> cell.value() == null ? cell : cell.bar(cell.value() / 100));
  }

  /** Emphasizes whole rows, on a page. */
  public TableBuilder<R> tone(Function<R, Tone> tone) {
    rowTone = tone;
    return this;
  }

  /** Separates some rows from the one above, on a terminal. */
  public TableBuilder<R> ruleAbove(Predicate<R> isFirst) {
    ruleAbove = isFirst;
    return this;
  }

  /** Adds a line that explains the columns. */
  public TableBuilder<R> note(String note) {
    notes.add(note);
    return this;
  }

  public Table build() {
    return new Table(
        title,
        entries.stream().map(Entry::column).toList(),
        rows.stream()
            .map(
                row ->
                    new Table.Row(
                        rowTone.apply(row),
                        ruleAbove.test(row),
                        entries.stream().map(entry -> entry.cell.apply(row)).toList()))
            .toList(),
        notes);
  }

  private TableBuilder<R> map(BiFunction<R, TableCell, TableCell> change) {
    Entry<R> last = last();
    return replaceLast(new Entry<>(last.column, row -> change.apply(row, last.cell.apply(row))));
  }

  private Entry<R> last() {
    return entries.get(entries.size() - 1);
  }

  private TableBuilder<R> replaceLast(Entry<R> entry) {
    entries.set(entries.size() - 1, entry);
    return this;
  }
}
