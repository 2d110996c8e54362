package io.drayage.bench.columns;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The measurements of columns, for people: no line has more than 100 characters. */
public final class ColumnsTable {
  private static final int MAX_NAME_CHARS = 22;
  private static final int MAX_ENCODING_CHARS = 24;
  private static final String GAP = "...";

  /** Codecs whose verdict is stated for every type. */
  private static final Set<String> JUDGED =
      Set.of(Codecs.BALANCED, Codecs.DENSE, Codecs.PARQUET_ZSTD, "pcodec:8", "vortex");

  private ColumnsTable() {}

  /** Returns all tables and their explanations, line by line. */
  public static List<String> toText(
      List<ColumnRow> rows,
      @Nullable InputFiles files,
      List<String> skipped,
      long sampleBytes,
      int turns) {
    List<Total> totals = Total.of(rows);
    List<String> lines = new ArrayList<>();
    List<Table> tables =
        List.of(
            ratios(rows),
            others(rows),
            together(totals, rows, files),
            totals(totals),
            verdict(totals));
    for (Table table : tables) {
      lines.addAll(table.toText());
      lines.add("");
    }
    lines.addAll(notes(rows, sampleBytes, turns));
    skipped.forEach(each -> lines.add("skipped: " + each));
    return lines;
  }

  private static List<Map<String, ColumnRow>> byColumn(List<ColumnRow> rows) {
    Map<String, Map<String, ColumnRow>> columns =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    ColumnRow::column,
                    LinkedHashMap::new,
                    Collectors.toMap(ColumnRow::codec, row -> row)));
    return List.copyOf(columns.values());
  }

  /** Makes a table of columns, with the ratio of every codec of the segments pipeline. */
  static Table ratios(List<ColumnRow> rows) {
    TableBuilder<Map<String, ColumnRow>> table =
        Table.of("Ratios", byColumn(rows))
            .text("column", column -> name(any(column).column()))
            .text("type", column -> any(column).type())
            .cells("raw", "", true, column -> raw(any(column)));
    for (String codec : Codecs.SEGMENTS) {
      number(table, codec);
    }
    return table.build();
  }

  /** Makes the table of the ratios of the other codecs, and of columnar's choices. */
  private static Table others(List<ColumnRow> rows) {
    Set<String> measured = rows.stream().map(ColumnRow::codec).collect(Collectors.toSet());
    TableBuilder<Map<String, ColumnRow>> table =
        Table.of("Others", byColumn(rows)).text("column", column -> name(any(column).column()));
    Codecs.OTHERS.stream().filter(measured::contains).forEach(codec -> number(table, codec));
    return table
        .text("balanced chose", column -> cut(of(column, Codecs.BALANCED).encoding()))
        .build();
  }

  private static void number(TableBuilder<Map<String, ColumnRow>> table, String codec) {
    table.number(
        codec.replace("columnar-", ""),
        Format.DIGITS,
        column -> column.containsKey(codec) ? (Double) of(column, codec).ratio() : null);
  }

  private static ColumnRow of(Map<String, ColumnRow> column, String codec) {
    return Objects.requireNonNull(column.get(codec));
  }

  private static ColumnRow any(Map<String, ColumnRow> column) {
    return of(column, Codecs.ZSTD_3);
  }

  private static TableCell raw(ColumnRow row) {
    String size = ByteSize.format(row.columnBytes());
    return TableCell.number((double) row.columnBytes(), row.isPartial() ? size + "*" : size);
  }

  /** Cuts the middle of a long name: tables begin alike, and columns end alike. */
  private static String name(String name) {
    int half = (MAX_NAME_CHARS - GAP.length()) / 2;
    return name.length() <= MAX_NAME_CHARS
        ? name
        : name.substring(0, half)
            + GAP
            + name.substring(name.length() - (MAX_NAME_CHARS - GAP.length() - half));
  }

  private static @Nullable String cut(@Nullable String encoding) {
    return encoding == null || encoding.length() <= MAX_ENCODING_CHARS
        ? encoding
        : encoding.substring(0, MAX_ENCODING_CHARS - GAP.length()) + GAP;
  }

  /** A form of all columns together. */
  private record Form(String name, long bytes, double ofRaw) {}

  /** Makes the table of the bytes of whole columns in each form, and of their files. */
  private static Table together(
      List<Total> totals, List<ColumnRow> rows, @Nullable InputFiles files) {
    List<Total> all = totals.stream().filter(t -> t.columns().equals(Total.ALL)).toList();
    int columns = all.stream().mapToInt(Total::count).max().orElse(0);
    long raw = byColumn(rows).stream().mapToLong(column -> any(column).columnBytes()).sum();
    List<Form> forms = new ArrayList<>();
    forms.add(new Form("raw", raw, 1));
    all.stream()
        .filter(total -> total.count() == columns)
        .forEach(
            total ->
                forms.add(new Form(total.codec(), total.overallBytes(rows), total.overallRatio())));
    if (files != null) {
      forms.add(form("the input itself (%s)".formatted(files.format()), files.bytes(), raw));
      forms.add(form("the input as one frame of zstd:3", files.zstd3Bytes(), raw));
    }
    return Table.of("Together", forms)
        .text("all columns together", Form::name)
        .number("bytes", Format.COUNT, Form::bytes)
        .number("ratio", Format.DIGITS, Form::ofRaw)
        .build();
  }

  private static Form form(String name, long bytes, long raw) {
    return new Form(name, bytes, (double) raw / Math.max(1, bytes));
  }

  /** Makes a table with one row for each codec: numbers, texts, all. */
  static Table totals(List<Total> totals) {
    List<Total> shown =
        Stream.of(Total.NUMBERS, ColumnRow.TEXT, Total.ALL)
            .flatMap(kind -> totals.stream().filter(total -> total.columns().equals(kind)))
            .toList();
    return Table.of("Totals", shown)
        .text("total", Total::columns)
        .number("columns", Format.COUNT, Total::count)
        .text("codec", Total::codec)
        .number("ratio", Format.DIGITS, Total::ratio)
        .number("overall", Format.DIGITS, Total::overallRatio)
        .number("encode", Format.MEGABYTES_PER_SECOND, Total::encodeMBps)
        .number("decode", Format.MEGABYTES_PER_SECOND, Total::decodeMBps)
        .ruleAbove(total -> total.codec().equals(Codecs.SEGMENTS.get(0)))
        .build();
  }

  /** Makes a table with one row for each type and judged codec: all figures over zstd:3. */
  static Table verdict(List<Total> totals) {
    List<Total> shown = totals.stream().filter(total -> JUDGED.contains(total.codec())).toList();
    return Table.of("Verdict", shown)
        .text("over zstd:3", Total::columns)
        .number("columns", Format.COUNT, Total::count)
        .text("codec", Total::codec)
        .number("ratio", Format.RATIO, Total::ofZstd3)
        .number("encode", Format.RATIO, Total::encodeOfZstd3)
        .number("decode", Format.RATIO, Total::decodeOfZstd3)
        .number("worst", Format.RATIO, Total::worstOfZstd3)
        .text("at", total -> name(total.worst()))
        .ruleAbove(total -> total.codec().equals(Codecs.BALANCED))
        .build();
  }

  /** Explains the figures. */
  private static List<String> notes(List<ColumnRow> rows, long sampleBytes, int turns) {
    List<String> notes = new ArrayList<>();
    notes.add("ratio: raw bytes (UTF-8 and a byte at the end for each text) per byte; geometric");
    notes.add("means over columns, overall and together all bytes of whole columns");
    notes.add(
        format(
            "MB/s of raw bytes on one core, medians of %d turns, frames with checksums;", turns));
    notes.add("the decoded values were equal to the encoded ones");
    if (rows.stream().anyMatch(ColumnRow::isPartial)) {
      notes.add(
          "* measured on segments spread over the column, about %s of it at most"
              .formatted(ByteSize.format(sampleBytes)));
    }
    return notes;
  }
}
