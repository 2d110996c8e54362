package io.drayage.bench.codecs;

import io.drayage.bench.result.Status;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes one combination makes of the cargo. Jackson writes it as it is.
 *
 * @param level of the compressor; null for its default
 * @param status {@link Status#FAILED} if it made none
 * @param bytes all bytes it made; null if it failed
 * @param ratio raw bytes per byte made
 * @param publishedBytes what the study published for it, to three digits; null if nothing
 * @param deviation of ours from the published: 0.1 is a tenth more
 * @param error why it failed
 */
record SizeRow(
    String serializer,
    String compressor,
    @Nullable Integer level,
    Form form,
    Status status,
    @Nullable Long bytes,
    @Nullable Double ratio,
    @Nullable Long publishedBytes,
    @Nullable Double deviation,
    @Nullable String error)
    implements MeasuredRow {

  static SizeRow of(
      Combination combination, long bytes, long rawBytes, @Nullable Long publishedBytes) {
    return new SizeRow(
        combination.serializer(),
        combination.compressor(),
        combination.level(),
        combination.form(),
        Status.OK,
        bytes,
        (double) rawBytes / bytes,
        publishedBytes,
        publishedBytes == null ? null : (double) bytes / publishedBytes - 1,
        null);
  }

  static SizeRow failed(Combination combination, @Nullable Long publishedBytes, String error) {
    return new SizeRow(
        combination.serializer(),
        combination.compressor(),
        combination.level(),
        combination.form(),
        Status.FAILED,
        null,
        null,
        publishedBytes,
        null,
        error);
  }
}
