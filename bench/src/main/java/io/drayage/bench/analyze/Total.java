package io.drayage.bench.analyze;

import java.util.ArrayList;
import java.util.List;

/**
 * All columns of one kind together. Jackson writes it as it is.
 *
 * @param columns which: {@code numeric} (values and row ids of fixed width), {@code text}, or
 *     {@code all}, deleted rows included
 * @param codecs one for each codec
 */
public record Total(String columns, int count, List<CodecFigures> codecs) {
  /** The totals of the kinds that the cargo has. */
  static List<Total> of(List<ColumnRow> rows) {
    List<Total> totals = new ArrayList<>();
    add("numeric", rows.stream().filter(ColumnRow::numeric).toList(), totals);
    add("text", rows.stream().filter(ColumnRow::text).toList(), totals);
    add("all", rows, totals);
    return List.copyOf(totals);
  }

  private static void add(String columns, List<ColumnRow> rows, List<Total> totals) {
    if (!rows.isEmpty()) {
      List<CodecFigures> codecs =
          rows.get(0).codecs().stream().map(f -> CodecFigures.total(f.codec(), rows)).toList();
      totals.add(new Total(columns, rows.size(), codecs));
    }
  }

  CodecFigures of(String codec) {
    return CodecFigures.of(codec, codecs);
  }
}
