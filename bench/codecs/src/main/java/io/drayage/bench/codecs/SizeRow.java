package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the cargo in one combination, as written to JSON.
 *
 * @param bytes all bytes of the combination; null if it failed
 * @param ratio raw bytes per byte
 * @param publishedBytes the study's figure, to three digits; null if there is none
 */
public record SizeRow(
    @JsonUnwrapped @JsonIgnoreProperties("threads") Combination combination,
    @Nullable Long bytes,
    @Nullable Double ratio,
    @Nullable Long publishedBytes,
    @Nullable String error)
    implements CodecRow {
  /** Our deviation from the published figure: 0.1 is a tenth more; null if either is missing. */
  @JsonProperty
  public @Nullable Double deviation() {
    return bytes == null || publishedBytes == null
        ? null
        : (Double) ((double) bytes / publishedBytes - 1);
  }
}
