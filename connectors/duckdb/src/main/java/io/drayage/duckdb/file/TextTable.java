package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * A text file whose rows were all read, so that each column has a type that fits all of its values.
 *
 * @param columns in their order
 */
public record TextTable(
    Path file, TextFormat kind, boolean zipped, String delimiter, List<Column> columns, long rows) {
  public TextTable {
    columns = List.copyOf(columns);
  }

  /**
   * A column.
   *
   * @param type as DuckDB writes it
   * @param note for the user; empty for none
   * @param format of its dates and times
   */
  public record Column(String name, String type, String note, MomentFormat format) {}

  /**
   * Reads all rows.
   *
   * @param zipped whether it is compressed by gzip
   * @param declared the type of a column; an empty text to find it
   * @param dates formats of dates besides ISO 8601
   * @throws IOException if it cannot be read, or a row is wrong, with file and line
   */
  public static TextTable of(
      Path file,
      TextFormat format,
      boolean zipped,
      UnaryOperator<String> declared,
      List<String> dates)
      throws IOException {
    List<MomentFormat> formats = new ArrayList<>(List.of(MomentFormat.ISO));
    dates.forEach(each -> formats.add(new PatternFormat(each)));
    List<ColumnShape> shapes = new ArrayList<>();
    long rows = 0;
    String delimiter =
        format == TextFormat.CSV
            ? CsvDelimiter.of(file, zipped)
            : format == TextFormat.TSV ? "\t" : "";
    DelimiterCounts all = null;
    try (TextRows reading = rows(file, format, zipped, delimiter)) {
      CsvRows lines = delimiter.isEmpty() && reading instanceof CsvRows csv ? csv : null;
      while (true) {
        boolean hasRow = reading.next();
        for (int i = shapes.size(); i < reading.names().size(); i++) {
          String name = reading.names().get(i);
          shapes.add(new ColumnShape(file, name, declared.apply(name), format.isJson(), formats));
        }
        if (!hasRow) {
          break;
        }
        add(reading, shapes);
        if (lines != null && lines.cell(0).kind != Cell.Kind.NULL) {
          DelimiterCounts row = lines.delimitersInRow();
          if (all == null) {
            all = row;
          } else {
            all.keepEqual(row);
          }
        }
        rows++;
      }
    }
    requireColumns(file, shapes.size());
    requireOneColumn(file, all);
    List<Column> columns = new ArrayList<>();
    for (ColumnShape shape : shapes) {
      columns.add(shape.column());
    }
    if (format == TextFormat.CSV && delimiter.isEmpty()) {
      columns.set(0, onlyColumn(columns.get(0)));
    }
    return new TextTable(file, format, zipped, delimiter, columns, rows);
  }

  private static void add(TextRows row, List<ColumnShape> shapes) throws TableException {
    for (int i = 0; i < shapes.size(); i++) {
      Cell cell = row.cell(i);
      if (cell != null) {
        shapes.get(i).add(cell);
      }
    }
  }

  private static TextRows rows(Path file, TextFormat format, boolean zipped, String delimiter)
      throws IOException {
    return format.isJson()
        ? new JsonRows(file, zipped, format == TextFormat.JSON_LINES)
        : new CsvRows(file, zipped, delimiter);
  }

  private static void requireColumns(Path file, int columns) throws TableException {
    if (columns == 0) {
      throw new TableException(
          file + ": it has no row with a key, and so names no column of a table");
    }
  }

  /** Refuses a title above the names, which looks like the name of the only column. */
  private static void requireOneColumn(Path file, @Nullable DelimiterCounts all)
      throws TableException {
    if (all != null && all.kinds() > 0) {
      throw new TableException(
          format(
              "%s: the first line names one column, but all lines after it have %s between '%s': remove the lines above the names, or quote the values",
              file, Counted.of(all.count() + 1, "value"), all.most()));
    }
  }

  /** Adds a note if the name may be several, such as {@code a b c}, with another delimiter. */
  private static Column onlyColumn(Column column) {
    if (column.name().chars().allMatch(each -> Character.isLetterOrDigit(each) || each == '_')) {
      return column;
    }
    String note = "the only column: the first line has no comma, semicolon, tab or bar";
    return new Column(
        column.name(),
        column.type(),
        column.note().isEmpty() ? note : note + ", " + column.note(),
        column.format());
  }

  /** Returns the formats of dates and times of the columns. */
  public Set<String> formats() {
    return columns.stream().map(column -> column.format().toString()).collect(Collectors.toSet());
  }

  /** Reads the file again. */
  public Reading read() throws IOException {
    return new Reading();
  }

  /** The rows, as vectors of their columns. Not thread-safe. */
  public final class Reading implements Closeable {
    private final TextRows text = rows(file, kind, zipped, delimiter);
    private long read;

    private Reading() throws IOException {}

    /**
     * Fills vectors of the Arrow types that DuckDB has for the columns.
     *
     * @param count the largest number of rows
     * @return the number of rows
     * @throws TableException if a value does not fit a declared type, with its line
     */
    public int fill(List<FieldVector> vectors, int count) throws IOException {
      List<CellWriter> writers = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        writers.add(CellWriter.of(vectors.get(i), columns.get(i), kind.isJson()));
      }
      int filled = 0;
      while (filled < count && text.next()) {
        for (int i = 0; i < writers.size(); i++) {
          set(writers.get(i), filled, i);
        }
        filled++;
      }
      read += filled;
      if (filled < count && read != rows) {
        throw new TableException(
            "%s has changed while it was read: %s, and then %s"
                .formatted(file, Counted.of(rows, "row"), Counted.of(read, "row")));
      }
      return filled;
    }

    private void set(CellWriter writer, int row, int column) throws TableException {
      Cell cell = column < text.names().size() ? text.cell(column) : null;
      if (cell == null || cell.kind == Cell.Kind.NULL) {
        writer.vector().setNull(row);
        return;
      }
      try {
        writer.set(row, cell);
      } catch (ArithmeticException | IllegalArgumentException e) {
        Column of = columns.get(column);
        throw new TableException(
            format(
                "%s, line %,d, column '%s': '%s' is no %s%s",
                file, cell.line, of.name(), cell.shown(), of.type(), CellWriter.reason(e)),
            e);
      }
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
