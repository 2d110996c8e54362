package io.drayage.bench.columns;

import io.drayage.bench.ByteSize;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured of columns, for people. */
final class ColumnsTable {
  private static final int MAX_ENCODING_CHARS = 40;

  private ColumnsTable() {}

  /** One row for each column: the ratio of every codec, and what balanced chose. */
  static Table ratios(List<ColumnRow> rows) {
    Map<String, Map<String, ColumnRow>> columns =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    ColumnRow::column,
                    LinkedHashMap::new,
                    Collectors.toMap(ColumnRow::codec, row -> row)));
    TableBuilder<Map<String, ColumnRow>> table =
        Table.of("Ratios", columns.values())
            .text("column", column -> any(column).column())
            .text("type", column -> any(column).type())
            .cells("raw", "", true, column -> raw(any(column)));
    for (String codec : Candidate.NAMES) {
      table.number(codec.replace("columnar-", ""), Format.DIGITS, c -> of(c, codec).ratio());
    }
    return table
        .text("balanced chose", column -> cut(of(column, Candidate.BALANCED).encoding()))
        .build();
  }

  private static ColumnRow of(Map<String, ColumnRow> column, String codec) {
    return Objects.requireNonNull(column.get(codec));
  }

  private static ColumnRow any(Map<String, ColumnRow> column) {
    return of(column, Candidate.ZSTD_3);
  }

  private static Cell raw(ColumnRow row) {
    String size = ByteSize.format(row.columnBytes());
    return Cell.number((double) row.columnBytes(), row.isPartial() ? size + "*" : size);
  }

  private static @Nullable String cut(@Nullable String encoding) {
    return encoding == null || encoding.length() <= MAX_ENCODING_CHARS
        ? encoding
        : encoding.substring(0, MAX_ENCODING_CHARS) + "...";
  }

  /** One row for each codec and kind of columns. */
  static Table totals(List<Total> totals) {
    return Table.of("Totals", totals)
        .text("total", Total::columns)
        .number("columns", Format.COUNT, Total::count)
        .text("codec", Total::codec)
        .number("ratio", Format.DIGITS, Total::ratio)
        .number("of zstd:3", Format.DIGITS, Total::ofZstd3)
        .number("worst", Format.DIGITS, Total::worstOfZstd3)
        .text("at", Total::worst)
        .number("encode", Format.MEGABYTES_PER_SECOND, Total::encodeMBps)
        .number("decode", Format.MEGABYTES_PER_SECOND, Total::decodeMBps)
        .number("overall", Format.DIGITS, Total::overallRatio)
        .build();
  }

  /** Explains the figures. */
  static List<String> notes(List<ColumnRow> rows, long sampleBytes, int turns) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "ratio: raw bytes per byte; totals are geometric means over columns, overall all bytes"
            + " together");
    notes.add(
        "MB/s of raw bytes on one core, frames with their checksums, medians of %d turns;"
                .formatted(turns)
            + " what was decoded is what was encoded");
    if (rows.stream().anyMatch(ColumnRow::isPartial)) {
      notes.add(
          "* measured on segments spread over the column, at most about %s of it (%s of texts)"
              .formatted(
                  ByteSize.format(sampleBytes),
                  ByteSize.format(sampleBytes / ColumnSample.TEXT_SHARE)));
    }
    return notes;
  }
}
