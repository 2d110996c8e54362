package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes one combination makes of the cargo, as written to JSON.
 *
 * @param bytes all bytes it made; null if it failed
 * @param ratio raw bytes per byte made
 * @param publishedBytes what the study published for it, to three digits; null if nothing
 */
public record SizeRow(
    @JsonUnwrapped @JsonIgnoreProperties("threads") Combination combination,
    @Nullable Long bytes,
    @Nullable Double ratio,
    @Nullable Long publishedBytes,
    @Nullable String error)
    implements CodecRow {
  /** How far ours is from the published: 0.1 is a tenth more; null if one of them is missing. */
  @JsonProperty
  public @Nullable Double deviation() {
    return bytes == null || publishedBytes == null
        ? null
        : (Double) ((double) bytes / publishedBytes - 1);
  }
}
