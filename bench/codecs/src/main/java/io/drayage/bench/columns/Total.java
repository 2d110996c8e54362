package io.drayage.bench.columns;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The result of one codec for all columns of a kind. Jackson writes it unchanged.
 *
 * @param columns the kind: a type, {@code numbers} or {@code all}
 * @param count number of columns
 * @param ratio geometric mean of the columns' ratios
 * @param ofZstd3 geometric mean of the ratio over that of zstd:3
 * @param worst the column with the least ratio over that of zstd:3
 * @param worstOfZstd3 its ratio over that of zstd:3
 * @param encodeMBps geometric mean
 * @param decodeMBps geometric mean
 * @param encodeOfZstd3 geometric mean of the speed over that of zstd:3
 * @param decodeOfZstd3 geometric mean of the speed over that of zstd:3
 * @param overallRatio of all bytes together, whole columns
 * @param overallEncodeMBps of all bytes one after the other
 * @param overallDecodeMBps of all bytes one after the other
 */
public record Total(
    String columns,
    int count,
    String codec,
    double ratio,
    double ofZstd3,
    String worst,
    double worstOfZstd3,
    double encodeMBps,
    double decodeMBps,
    double encodeOfZstd3,
    double decodeOfZstd3,
    double overallRatio,
    double overallEncodeMBps,
    double overallDecodeMBps) {
  /** All columns of a cargo or folder. */
  static final String ALL = "all";

  /** All columns of numbers. */
  static final String NUMBERS = "numbers";

  /** Returns the totals of all codecs for each existing kind of columns; the last kind is all. */
  static List<Total> of(List<ColumnRow> rows) {
    Map<String, Predicate<ColumnRow>> kinds = new LinkedHashMap<>();
    rows.stream()
        .map(ColumnRow::type)
        .sorted()
        .forEach(type -> kinds.put(type, row -> row.type().equals(type)));
    kinds.put(NUMBERS, ColumnRow::isNumber);
    kinds.put(ALL, row -> true);
    List<Total> totals = new ArrayList<>();
    kinds.forEach(
        (kind, members) ->
            rows.stream()
                .filter(members)
                .collect(
                    Collectors.groupingBy(
                        ColumnRow::codec, LinkedHashMap::new, Collectors.toList()))
                .forEach((codec, its) -> totals.add(of(kind, codec, its, rows))));
    return List.copyOf(totals);
  }

  private static Total of(
      String kind, String codec, List<ColumnRow> rows, List<ColumnRow> allRows) {
    Map<String, ColumnRow> zstd =
        allRows.stream()
            .filter(row -> row.codec().equals(Codecs.ZSTD_3))
            .collect(Collectors.toMap(ColumnRow::column, row -> row));
    ToDoubleFunction<ColumnRow> ratio = over(zstd, ColumnRow::ratio);
    ColumnRow worst = rows.stream().min(Comparator.comparingDouble(ratio)).orElseThrow();
    return new Total(
        kind,
        rows.size(),
        codec,
        geometricMean(rows, ColumnRow::ratio),
        geometricMean(rows, ratio),
        worst.column(),
        ratio.applyAsDouble(worst),
        geometricMean(rows, ColumnRow::encodeMBps),
        geometricMean(rows, ColumnRow::decodeMBps),
        geometricMean(rows, over(zstd, ColumnRow::encodeMBps)),
        geometricMean(rows, over(zstd, ColumnRow::decodeMBps)),
        overall(rows, ColumnRow::ratio),
        overall(rows, ColumnRow::encodeMBps),
        overall(rows, ColumnRow::decodeMBps));
  }

  /** Returns a figure over that of zstd:3 at the same column. */
  private static ToDoubleFunction<ColumnRow> over(
      Map<String, ColumnRow> zstd, ToDoubleFunction<ColumnRow> figure) {
    return row ->
        figure.applyAsDouble(row)
            / figure.applyAsDouble(Objects.requireNonNull(zstd.get(row.column())));
  }

  /** Bytes of whole columns; partly measured columns count in proportion. */
  long overallBytes(List<ColumnRow> rows) {
    double columnBytes =
        rows.stream()
            .filter(row -> row.codec().equals(codec))
            .mapToDouble(ColumnRow::columnBytes)
            .sum();
    return Math.round(columnBytes / overallRatio);
  }

  private static double geometricMean(List<ColumnRow> rows, ToDoubleFunction<ColumnRow> figure) {
    return Math.exp(
        rows.stream().mapToDouble(row -> Math.log(figure.applyAsDouble(row))).average().orElse(0));
  }

  /** Returns the harmonic mean, weighted by the columns' bytes. */
  private static double overall(List<ColumnRow> rows, ToDoubleFunction<ColumnRow> figure) {
    double bytes = rows.stream().mapToDouble(ColumnRow::columnBytes).sum();
    return bytes
        / rows.stream().mapToDouble(row -> row.columnBytes() / figure.applyAsDouble(row)).sum();
  }
}
