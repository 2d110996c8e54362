package io.drayage.bench.analyze;

import io.drayage.bench.statistics.Medians;
import java.util.List;
import java.util.Objects;

/**
 * What one codec does to some raw bytes. Jackson writes it as it is.
 *
 * @param rawBytes what was encoded
 * @param bytes what became of it, headers of frames included
 * @param ratio raw bytes for each of these bytes
 * @param encodeGBps raw bytes encoded a second by the median, in GB/s (10^9), on one core
 * @param decodeGBps likewise
 * @param encodeS every time, in the order of the turns; empty in a total
 * @param decodeS likewise
 */
public record CodecFigures(
    String codec,
    long rawBytes,
    long bytes,
    double ratio,
    double encodeGBps,
    double decodeGBps,
    List<Double> encodeS,
    List<Double> decodeS) {
  private static final double GB = 1e9;

  static CodecFigures of(
      String codec, long rawBytes, long bytes, List<Double> encodeS, List<Double> decodeS) {
    return new CodecFigures(
        codec,
        rawBytes,
        bytes,
        (double) rawBytes / bytes,
        rawBytes / GB / Objects.requireNonNull(Medians.of(encodeS)),
        rawBytes / GB / Objects.requireNonNull(Medians.of(decodeS)),
        List.copyOf(encodeS),
        List.copyOf(decodeS));
  }

  /** Those of one codec. */
  static CodecFigures of(String codec, List<CodecFigures> codecs) {
    return codecs.stream().filter(f -> f.codec.equals(codec)).findFirst().orElseThrow();
  }

  /**
   * The figures of one codec for several columns together: bytes and median times are summed up.
   * Those of a column of which a part was measured count for the whole of it.
   */
  static CodecFigures total(String codec, List<ColumnRow> rows) {
    long rawBytes = 0;
    double bytes = 0;
    double encodeS = 0;
    double decodeS = 0;
    for (ColumnRow row : rows) {
      CodecFigures figures = row.of(codec);
      rawBytes += row.rawBytes();
      bytes += row.rawBytes() / figures.ratio;
      encodeS += row.rawBytes() / GB / figures.encodeGBps;
      decodeS += row.rawBytes() / GB / figures.decodeGBps;
    }
    return new CodecFigures(
        codec,
        rawBytes,
        Math.round(bytes),
        rawBytes / bytes,
        rawBytes / GB / encodeS,
        rawBytes / GB / decodeS,
        List.of(),
        List.of());
  }

  /** Nanoseconds that writing, sending and reading a raw byte takes over a link of a thread. */
  double nsPerByte(long linkBytesPerSecond) {
    return 1 / encodeGBps + 1 / decodeGBps + GB / linkBytesPerSecond / ratio;
  }
}
