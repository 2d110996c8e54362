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
 * @param losesAt where columnar does worse: {@code ratio} than zstd:3; {@code encode}, {@code
 *     decode} slower than lz4
 */
record ColumnRow(
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
    List<String> losesAt) {
  private static final String BITS = "bits";
  private static final String TEXT = ColumnType.STRING.name().toLowerCase(Locale.ROOT);

  /** The worst loss first; then those that lose nothing, the closest first. */
  static final Comparator<ColumnRow> LOSERS_FIRST =
      Comparator.comparingDouble(ColumnRow::worst).reversed();

  static ColumnRow of(
      ColumnSample sample, Map<String, Integer> encodings, List<CodecFigures> codecs) {
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
        losses(codecs));
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

  private static List<String> losses(List<CodecFigures> codecs) {
    CodecFigures ours = of(Candidate.COLUMNAR, codecs);
    CodecFigures lz4 = of(Candidate.LZ4, codecs);
    List<String> losses = new ArrayList<>();
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
