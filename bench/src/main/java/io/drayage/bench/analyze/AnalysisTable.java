package io.drayage.bench.analyze;

import io.drayage.bench.ByteSize;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** An analysis for people. */
final class AnalysisTable {
  private static final int SHOWN_ENCODINGS = 3;

  private static final Format BYTES =
      new Format("", 1, bytes -> ByteSize.format(Math.round(bytes)));

  private AnalysisTable() {}

  /** One row for each column, in the order of {@code rows}. */
  static Table columns(List<ColumnRow> rows) {
    TableBuilder<ColumnRow> table =
        Table.of("Columns", rows)
            .text("column", ColumnRow::name)
            .text("type", row -> row.nullable() ? row.type() + "?" : row.type())
            .cells(
                "raw",
                "",
                true,
                row ->
                    Cell.number(
                        (double) row.rawBytes(),
                        ByteSize.format(row.rawBytes()) + (isPartial(row) ? "*" : "")))
            .number("bytes", BYTES, row -> row.rawBytes() / row.of(Candidate.COLUMNAR).ratio());
    addCodec(table, "ratio", Candidate.COLUMNAR);
    addCodec(table, "lz4", Candidate.LZ4);
    addCodec(table, "zstd:3", Candidate.ZSTD);
    return table
        .number("time", Format.DIGITS, ColumnRow::timeOfLz4)
        .text("loses at", row -> row.losesAt().isEmpty() ? "-" : String.join(" ", row.losesAt()))
        .text("encodings", AnalysisTable::encodings)
        .build();
  }

  private static void addCodec(TableBuilder<ColumnRow> table, String heading, String codec) {
    table
        .number(heading, Format.DIGITS, row -> row.of(codec).ratio())
        .number("enc", Format.DIGITS, row -> row.of(codec).encodeGBps())
        .number("dec", Format.DIGITS, row -> row.of(codec).decodeGBps());
  }

  private static boolean isPartial(ColumnRow row) {
    return row.measuredBytes() < row.rawBytes();
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

  /** A total, and one of its codecs. */
  private record CodecTotal(Total total, CodecFigures figures) {}

  /** One row for each codec and kind of columns. */
  static Table totals(List<Total> totals) {
    List<CodecTotal> rows =
        totals.stream()
            .flatMap(total -> total.codecs().stream().map(one -> new CodecTotal(total, one)))
            .toList();
    return Table.of("Totals", rows)
        .text("total", row -> row.total.columns())
        .number("columns", Format.COUNT, row -> row.total.count())
        .text("codec", row -> row.figures.codec())
        .number("raw", BYTES, row -> row.figures.rawBytes())
        .number("bytes", BYTES, row -> row.figures.bytes())
        .number("ratio", Format.DIGITS, row -> row.figures.ratio())
        .number(
            "of zstd:3",
            Format.DIGITS,
            row -> row.figures.ratio() / row.total.of(Candidate.ZSTD).ratio())
        .number("enc", Format.DIGITS, row -> row.figures.encodeGBps())
        .number(
            "of lz4",
            Format.DIGITS,
            row -> row.figures.encodeGBps() / row.total.of(Candidate.LZ4).encodeGBps())
        .number("dec", Format.DIGITS, row -> row.figures.decodeGBps())
        .number(
            "of lz4",
            Format.DIGITS,
            row -> row.figures.decodeGBps() / row.total.of(Candidate.LZ4).decodeGBps())
        .build();
  }

  /** Explains the figures. */
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
    List<String> losers = rows.stream().filter(ColumnRow::losesTime).map(ColumnRow::name).toList();
    String meaning =
        "time: of writing, sending at %s/s and reading, as a multiple of lz4's; "
            .formatted(ByteSize.format(linkBytesPerSecond));
    return losers.isEmpty()
        ? meaning + "no column is slower in a direction and not worth it"
        : "%s%,d of %,d columns are slower in a direction and not worth it: %s"
            .formatted(meaning, losers.size(), rows.size(), String.join(", ", losers));
  }

  /** The main figures, in one line. */
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
    return Format.DIGITS.text(value);
  }
}
