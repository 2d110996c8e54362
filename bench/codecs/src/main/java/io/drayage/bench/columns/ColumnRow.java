package io.drayage.bench.columns;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.statistics.Medians;
import io.drayage.cargo.ColumnType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of one codec for one column. Jackson writes it unchanged.
 *
 * @param column its name, with its table's unless that has no other
 * @param type {@code int8} to {@code int64}, {@code float}, {@code double}, {@code string}, {@code
 *     boolean}, or {@code bits} for deleted rows
 * @param codec {@code columnar-fast}, {@code -balanced}, {@code -dense}, {@code lz4}, {@code
 *     zstd:N}, {@code parquet}, {@code parquet:zstd}, {@code pcodec:N}, {@code vortex}
 * @param rawBytes bytes before encoding; a text counts as its UTF-8 and a byte at its end
 * @param bytes bytes after encoding, headers of frames included, or all of a Parquet file
 * @param ratio raw bytes for each of these bytes
 * @param encodeMBps raw bytes encoded a second by the median, in MB/s (10^6), on one core
 * @param decodeMBps raw bytes decoded a second, in the same way
 * @param encoding columnar's choices, the most frequent first; for texts before a compressor {@code
 *     lines} or {@code lengths}, whichever is smaller; null for codecs without a choice
 * @param columnBytes raw bytes of the whole column, of which {@code rawBytes} were encoded
 * @param encodeS every time, in the order of the turns
 * @param decodeS every time, in the order of the turns
 */
public record ColumnRow(
    String column,
    String type,
    String codec,
    long rawBytes,
    long bytes,
    double ratio,
    double encodeMBps,
    double decodeMBps,
    @Nullable String encoding,
    long columnBytes,
    List<Double> encodeS,
    List<Double> decodeS) {
  static final String BITS = "bits";
  static final String TEXT = "string";

  private static final double MB = 1e6;

  static ColumnRow of(
      ColumnSample sample,
      String codec,
      long bytes,
      List<Double> encodeS,
      List<Double> decodeS,
      Map<String, Integer> encodings) {
    long rawBytes = sample.rawBytes();
    return new ColumnRow(
        sample.name(),
        typeName(sample.part().type()),
        codec,
        rawBytes,
        bytes,
        (double) rawBytes / bytes,
        rawBytes / MB / Objects.requireNonNull(Medians.of(encodeS)),
        rawBytes / MB / Objects.requireNonNull(Medians.of(decodeS)),
        encodings.isEmpty() ? null : listed(encodings),
        sample.columnBytes(),
        List.copyOf(encodeS),
        List.copyOf(decodeS));
  }

  /** Returns the name of a type as in a folder's manifest. */
  static String typeName(@Nullable ColumnType type) {
    if (type == null) {
      return BITS;
    }
    return switch (type) {
      case BYTE -> "int8";
      case SHORT -> "int16";
      case INT -> "int32";
      case LONG -> "int64";
      default -> type.name().toLowerCase(Locale.ROOT);
    };
  }

  private static String listed(Map<String, Integer> encodings) {
    if (encodings.size() == 1) {
      return encodings.keySet().iterator().next();
    }
    return encodings.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .map(e -> format("%dx %s", e.getValue(), e.getKey()))
        .collect(Collectors.joining(", "));
  }

  boolean isNumber() {
    return !type.equals(TEXT) && !type.equals(BITS);
  }

  /** Whether only segments spread over the column were measured. */
  boolean isPartial() {
    return rawBytes < columnBytes;
  }
}
