package io.drayage.bench.analyze;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * All columns of one kind together. Jackson writes it as it is.
 *
 * @param columns which: {@code numeric} (values and row ids of fixed width), {@code text}, or
 *     {@code all}, deleted rows included
 * @param codecs one for each codec
 */
public record Total(String columns, int count, List<CodecFigures> codecs) {
  static final String NUMERIC = "numeric";
  static final String TEXT = "text";
  static final String ALL = "all";

  /** The totals of the kinds that the cargo has. */
  static List<Total> of(List<ColumnRow> rows) {
    List<Total> totals = new ArrayList<>();
    add(NUMERIC, rows, ColumnRow::numeric, totals);
    add(TEXT, rows, ColumnRow::text, totals);
    add(ALL, rows, row -> true, totals);
    return List.copyOf(totals);
  }

  private static void add(
      String columns, List<ColumnRow> all, Predicate<ColumnRow> which, List<Total> totals) {
    List<ColumnRow> rows = all.stream().filter(which).toList();
    if (!rows.isEmpty()) {
      List<CodecFigures> codecs =
          rows.get(0).codecs().stream().map(f -> CodecFigures.total(f.codec(), rows)).toList();
      totals.add(new Total(columns, rows.size(), codecs));
    }
  }

  /** The figures of one codec. */
  CodecFigures of(String codec) {
    return codecs.stream().filter(f -> f.codec().equals(codec)).findFirst().orElseThrow();
  }
}
