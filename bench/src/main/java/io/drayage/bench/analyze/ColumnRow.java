package io.drayage.bench.analyze;

import io.drayage.cargo.ColumnType;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was measured of one column. Jackson writes it as it is.
 *
 * @param kind what the values are for: inserted or updated values, updated rows, deleted rows
 * @param column empty for deleted rows
 * @param type {@code bits} for deleted rows
 * @param rows of the whole column
 * @param rawBytes of the whole column
 * @param measuredBytes raw bytes that were measured
 * @param segments that were measured
 * @param encodings what columnar chose, and for how many segments
 * @param codecs one for each codec
 * @param timeOfLz4 what writing, sending over the link of the mode and reading take, as a multiple
 *     of what they take with lz4
 * @param losesAt where columnar does worse: {@code time}, if it is slower than lz4 in a direction
 *     and the bytes that it saves do not make up for it; {@code ratio} than zstd:3; {@code encode},
 *     {@code decode} slower than lz4
 */
public record ColumnRow(
    String table,
    String column,
    PartKind kind,
    String type,
    boolean nullable,
    long rows,
    long rawBytes,
    long measuredBytes,
    int segments,
    Map<String, Integer> encodings,
    List<CodecFigures> codecs,
    double timeOfLz4,
    List<String> losesAt) {
  private static final String TIME = "time";
  private static final String ENCODE = "encode";
  private static final String DECODE = "decode";
  private static final String BITS = "bits";
  private static final String TEXT = ColumnType.STRING.name().toLowerCase(Locale.ROOT);

  /** Those that lose time, then the worst loss first, then those that lose nothing. */
  static final Comparator<ColumnRow> LOSERS_FIRST =
      Comparator.comparing(ColumnRow::losesTime).thenComparingDouble(ColumnRow::worst).reversed();

  /**
   * The row of a sample.
   *
   * @param linkBytesPerSecond the link that columnar chose for, a thread's share
   */
  static ColumnRow of(
      ColumnSample sample,
      Map<String, Integer> encodings,
      List<CodecFigures> codecs,
      long linkBytesPerSecond) {
    double timeOfLz4 =
        CodecFigures.of(Candidate.COLUMNAR, codecs).nsPerByte(linkBytesPerSecond)
            / CodecFigures.of(Candidate.LZ4, codecs).nsPerByte(linkBytesPerSecond);
    Part part = sample.part();
    ColumnType type = part.type();
    return new ColumnRow(
        part.table(),
        part.column(),
        part.kind(),
        type == null ? BITS : type.name().toLowerCase(Locale.ROOT),
        part.nullable(),
        part.rowCount(),
        part.rawBytes(),
        sample.rawBytes(),
        sample.segments().size(),
        encodings,
        List.copyOf(codecs),
        timeOfLz4,
        losses(codecs, timeOfLz4));
  }

  CodecFigures of(String codec) {
    return CodecFigures.of(codec, codecs);
  }

  /** For people. */
  String name() {
    String of = table + "." + column;
    return switch (kind) {
      case INSERTED_VALUES -> of;
      case UPDATED_VALUES -> of + " (updates)";
      case UPDATED_ROWS -> of + " (row ids)";
      case DELETED_ROWS -> table + " (deletes)";
    };
  }

  boolean text() {
    return type.equals(TEXT);
  }

  boolean numeric() {
    return !text() && !type.equals(BITS);
  }

  /** Whether lz4 would have taken less time, the wire included, and is faster in a direction. */
  boolean losesTime() {
    return losesAt.contains(TIME);
  }

  private static List<String> losses(List<CodecFigures> codecs, double timeOfLz4) {
    List<String> losses = new ArrayList<>();
    worse(codecs).forEach((what, times) -> losses.addAll(times > 1 ? List.of(what) : List.of()));
    if (timeOfLz4 > 1 && (losses.contains(ENCODE) || losses.contains(DECODE))) {
      losses.add(0, TIME);
    }
    return List.copyOf(losses);
  }

  /** How many times as good the others are at what they are compared by. */
  private static Map<String, Double> worse(List<CodecFigures> codecs) {
    CodecFigures ours = CodecFigures.of(Candidate.COLUMNAR, codecs);
    CodecFigures lz4 = CodecFigures.of(Candidate.LZ4, codecs);
    Map<String, Double> worse = new LinkedHashMap<>();
    worse.put("ratio", CodecFigures.of(Candidate.ZSTD, codecs).ratio() / ours.ratio());
    worse.put(ENCODE, lz4.encodeGBps() / ours.encodeGBps());
    worse.put(DECODE, lz4.decodeGBps() / ours.decodeGBps());
    return worse;
  }

  private double worst() {
    return Collections.max(worse(codecs).values());
  }
}
