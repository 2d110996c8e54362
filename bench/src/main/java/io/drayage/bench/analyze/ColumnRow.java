package io.drayage.bench.analyze;

import io.drayage.cargo.ColumnType;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import java.util.ArrayList;
import java.util.Comparator;
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
        of(Candidate.COLUMNAR, codecs).nsPerByte(linkBytesPerSecond)
            / of(Candidate.LZ4, codecs).nsPerByte(linkBytesPerSecond);
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

  /** The figures of one codec. */
  CodecFigures of(String codec) {
    return of(codec, codecs);
  }

  private static CodecFigures of(String codec, List<CodecFigures> codecs) {
    return codecs.stream().filter(f -> f.codec().equals(codec)).findFirst().orElseThrow();
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
    CodecFigures ours = of(Candidate.COLUMNAR, codecs);
    CodecFigures lz4 = of(Candidate.LZ4, codecs);
    List<String> losses = new ArrayList<>();
    boolean slower = ours.encodeGBps() < lz4.encodeGBps() || ours.decodeGBps() < lz4.decodeGBps();
    if (slower && timeOfLz4 > 1) {
      losses.add(TIME);
    }
    if (ours.ratio() < of(Candidate.ZSTD, codecs).ratio()) {
      losses.add("ratio");
    }
    if (ours.encodeGBps() < lz4.encodeGBps()) {
      losses.add("encode");
    }
    if (ours.decodeGBps() < lz4.decodeGBps()) {
      losses.add("decode");
    }
    return List.copyOf(losses);
  }

  /** How many times as good the others are where columnar compares worst; above 1, it loses. */
  private double worst() {
    CodecFigures ours = of(Candidate.COLUMNAR);
    CodecFigures lz4 = of(Candidate.LZ4);
    double ratio = of(Candidate.ZSTD).ratio() / ours.ratio();
    double encode = lz4.encodeGBps() / ours.encodeGBps();
    double decode = lz4.decodeGBps() / ours.decodeGBps();
    return Math.max(ratio, Math.max(encode, decode));
  }
}
