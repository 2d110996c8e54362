package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.result.Status;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes one combination makes of the cargo, as written to JSON.
 *
 * @param bytes all bytes it made; null if it failed
 * @param ratio raw bytes per byte made
 * @param publishedBytes what the study published for it, to three digits; null if nothing
 * @param deviation of ours from the published: 0.1 is a tenth more
 * @param error why it failed
 */
public record SizeRow(
    @JsonUnwrapped @JsonIgnoreProperties("threads") Combination combination,
    Status status,
    @Nullable Long bytes,
    @Nullable Double ratio,
    @Nullable Long publishedBytes,
    @Nullable Double deviation,
    @Nullable String error)
    implements CodecResult.Row {

  static SizeRow of(
      Combination combination, long bytes, long rawBytes, @Nullable Long publishedBytes) {
    return new SizeRow(
        combination,
        Status.OK,
        bytes,
        (double) rawBytes / bytes,
        publishedBytes,
        publishedBytes == null ? null : (double) bytes / publishedBytes - 1,
        null);
  }

  static SizeRow failed(Combination combination, @Nullable Long publishedBytes, String error) {
    return new SizeRow(combination, Status.FAILED, null, null, publishedBytes, null, error);
  }
}
