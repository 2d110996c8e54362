package io.drayage.bench.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Columns over rows of cells. Immutable; {@linkplain io.drayage.bench.table the package} has an
 * example.
 *
 * @param title shown on a page
 * @param notes explain the columns, below the table
 */
public record Table(String title, List<Column> columns, List<Row> rows, List<String> notes) {
  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
  }

  /**
   * A column.
   *
   * @param unit of its numbers; may be empty
   * @param isNumeric aligned to the right, otherwise to the left
   * @param medium the only medium that shows it; null for all
   */
  public record Column(String heading, String unit, boolean isNumeric, @Nullable Medium medium) {
    /** The heading with the unit. */
    public String title() {
      return unit.isEmpty() || heading.isEmpty() ? heading + unit : heading + " " + unit;
    }
  }

  /**
   * A row: one cell per column.
   *
   * @param hasRuleAbove whether a line separates it from the rows above, on a terminal
   */
  public record Row(Tone tone, boolean hasRuleAbove, List<TableCell> cells) {
    public Row {
      cells = List.copyOf(cells);
    }
  }

  /** Starts a table over these rows. */
  public static <R> TableBuilder<R> of(String title, Collection<? extends R> rows) {
    return new TableBuilder<>(title, rows);
  }

  /** Whether it has no rows. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The columns that this medium shows. */
  public Table on(Medium medium) {
    List<Integer> shown =
        IntStream.range(0, columns.size())
            .filter(i -> columns.get(i).medium == null || columns.get(i).medium == medium)
            .boxed()
            .toList();
    return new Table(
        title,
        shown.stream().map(columns::get).toList(),
        rows.stream()
            .map(
                row ->
                    new Row(
                        row.tone, row.hasRuleAbove, shown.stream().map(row.cells::get).toList()))
            .toList(),
        notes);
  }

  /** Aligned lines for a terminal: headings, rows, notes. */
  public List<String> toText() {
    Table shown = on(Medium.TERMINAL);
    List<List<String>> lines = new ArrayList<>();
    lines.add(shown.columns.stream().map(Column::title).toList());
    shown.rows.forEach(row -> lines.add(row.cells.stream().map(Table::marked).toList()));
    int[] widths =
        IntStream.range(0, shown.columns.size())
            .map(i -> lines.stream().mapToInt(line -> line.get(i).length()).max().orElse(0))
            .toArray();
    List<String> text = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (i > 0 && shown.rows.get(i - 1).hasRuleAbove) {
        text.add("-".repeat(IntStream.of(widths).sum() + 2 * (widths.length - 1)));
      }
      text.add(shown.aligned(lines.get(i), widths));
    }
    text.addAll(notes);
    return text;
  }

  /** Marks the best of a column with a star, because a terminal shows no colours. */
  private static String marked(TableCell cell) {
    return (cell.tone() == Tone.GOOD ? "*" : "") + cell.text();
  }

  private String aligned(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(columns.get(i).isNumeric ? padding + cells.get(i) : cells.get(i) + padding);
    }
    return line.toString().stripTrailing();
  }
}
