package io.drayage.bench.analyze;

import io.drayage.bench.ByteSize;
import io.drayage.bench.TextTable;
import io.drayage.segment.PartKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a user sees of an analysis. */
final class AnalysisTable {
  private static final int SHOWN_ENCODINGS = 3;

  private AnalysisTable() {}

  /** One line for each column, in the order of {@code rows}. */
  static List<String> columns(List<ColumnRow> rows) {
    TextTable table =
        new TextTable(
            List.of(
                "column",
                "type",
                "raw",
                "bytes",
                "ratio",
                "enc",
                "dec",
                "lz4",
                "enc",
                "dec",
                "zstd:3",
                "enc",
                "dec",
                "time",
                "loses at",
                "encodings"));
    for (ColumnRow row : rows) {
      table.add(cells(row));
    }
    return table.lines();
  }

  private static List<String> cells(ColumnRow row) {
    List<String> cells = new ArrayList<>();
    cells.add(name(row));
    cells.add(row.nullable() ? row.type() + "?" : row.type());
    cells.add(ByteSize.format(row.rawBytes()) + (isPartial(row) ? "*" : ""));
    CodecFigures ours = row.of(Candidate.COLUMNAR);
    cells.add(ByteSize.format(Math.round(row.rawBytes() / ours.ratio())));
    for (String codec : List.of(Candidate.COLUMNAR, Candidate.LZ4, Candidate.ZSTD)) {
      CodecFigures figures = row.of(codec);
      cells.add(number(figures.ratio()));
      cells.add(number(figures.encodeGBps()));
      cells.add(number(figures.decodeGBps()));
    }
    cells.add(number(row.timeOfLz4()));
    cells.add(row.losesAt().isEmpty() ? "-" : String.join(" ", row.losesAt()));
    cells.add(encodings(row));
    return cells;
  }

  private static boolean isPartial(ColumnRow row) {
    return row.measuredBytes() < row.rawBytes();
  }

  private static String name(ColumnRow row) {
    String column = row.table() + "." + row.column();
    return switch (row.kind()) {
      case INSERTED_VALUES -> column;
      case UPDATED_VALUES -> column + " (updates)";
      case UPDATED_ROWS -> column + " (row ids)";
      case DELETED_ROWS -> row.table() + " (deletes)";
    };
  }

  private static String encodings(ColumnRow row) {
    List<Map.Entry<String, Integer>> all =
        row.encodings().entrySet().stream()
            .sorted(
                Comparator.comparingInt((Map.Entry<String, Integer> e) -> -e.getValue())
                    .thenComparing(Map.Entry::getKey))
            .toList();
    if (all.size() == 1) {
      return all.get(0).getKey();
    }
    List<String> shown = new ArrayList<>();
    for (Map.Entry<String, Integer> e : all.subList(0, Math.min(SHOWN_ENCODINGS, all.size()))) {
      shown.add("%,dx %s".formatted(e.getValue(), e.getKey()));
    }
    if (all.size() > SHOWN_ENCODINGS) {
      shown.add("%,d others".formatted(all.size() - SHOWN_ENCODINGS));
    }
    return String.join(", ", shown);
  }

  /** One line for each codec and sort of columns. */
  static List<String> totals(List<Total> totals) {
    TextTable table =
        new TextTable(
            List.of(
                "total",
                "columns",
                "codec",
                "raw",
                "bytes",
                "ratio",
                "of zstd:3",
                "enc",
                "of lz4",
                "dec",
                "of lz4"));
    for (Total total : totals) {
      CodecFigures lz4 = total.of(Candidate.LZ4);
      CodecFigures zstd = total.of(Candidate.ZSTD);
      for (CodecFigures figures : total.codecs()) {
        table.add(
            List.of(
                total.columns(),
                Integer.toString(total.count()),
                figures.codec(),
                ByteSize.format(figures.rawBytes()),
                ByteSize.format(figures.bytes()),
                number(figures.ratio()),
                number(figures.ratio() / zstd.ratio()),
                number(figures.encodeGBps()),
                number(figures.encodeGBps() / lz4.encodeGBps()),
                number(figures.decodeGBps()),
                number(figures.decodeGBps() / lz4.decodeGBps())));
      }
    }
    return table.lines();
  }

  /** What the figures mean, and what they are of. */
  static List<String> notes(List<ColumnRow> rows, long sampleBytes, int turns) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "GB/s of raw bytes on one core, frames with their checksums, medians of %d turns;"
                .formatted(turns)
            + " ratio: raw bytes per byte; what was decoded is what was encoded");
    long partial = rows.stream().filter(AnalysisTable::isPartial).count();
    if (partial > 0) {
      notes.add(
          "* measured on segments spread over the column, at most about %s of it (%s of texts),"
                  .formatted(
                      ByteSize.format(sampleBytes),
                      ByteSize.format(sampleBytes / ColumnSample.TEXT_SHARE))
              + " and counted for the whole");
    }
    return notes;
  }

  /** Which columns were better sent with lz4, in one line. */
  static String times(List<ColumnRow> rows, long linkBytesPerSecond) {
    List<String> losers = rows.stream().filter(ColumnRow::losesTime).map(row -> name(row)).toList();
    String meaning =
        "time: of writing, sending at %s/s and reading, as a multiple of lz4's; "
            .formatted(ByteSize.format(linkBytesPerSecond));
    return losers.isEmpty()
        ? meaning + "no column is slower in a direction and not worth it"
        : "%s%,d of %,d columns are slower in a direction and not worth it: %s"
            .formatted(meaning, losers.size(), rows.size(), String.join(", ", losers));
  }

  /** The figures that matter, in one line. */
  static String verdict(List<Total> totals) {
    if (totals.isEmpty()) {
      return "the cargo has no columns";
    }
    Total first = totals.get(0);
    CodecFigures ours = first.of(Candidate.COLUMNAR);
    CodecFigures zstd = first.of(Candidate.ZSTD);
    CodecFigures lz4 = first.of(Candidate.LZ4);
    StringBuilder verdict = new StringBuilder();
    verdict.append(
        "%s columns: columnar %s, %sx the ratio of zstd:3 (%s); encode %sx, decode %sx lz4's speed"
            .formatted(
                first.columns(),
                number(ours.ratio()),
                number(ours.ratio() / zstd.ratio()),
                number(zstd.ratio()),
                number(ours.encodeGBps() / lz4.encodeGBps()),
                number(ours.decodeGBps() / lz4.decodeGBps())));
    Total all = totals.get(totals.size() - 1);
    if (!all.columns().equals(first.columns()) && all.count() > first.count()) {
      double of = all.of(Candidate.COLUMNAR).ratio() / all.of(Candidate.ZSTD).ratio();
      verdict.append("; all columns: %sx the ratio".formatted(number(of)));
    }
    return verdict.toString();
  }

  private static String number(double value) {
    return String.format(
        Locale.ROOT, value >= 99.5 ? "%.0f" : value >= 9.95 ? "%.1f" : "%.2f", value);
  }

  /** What a column is called while it is measured. */
  static String name(ColumnSample sample) {
    var part = sample.part();
    return part.kind() == PartKind.DELETED_ROWS ? part.table() : part.table() + "." + part.column();
  }
}
