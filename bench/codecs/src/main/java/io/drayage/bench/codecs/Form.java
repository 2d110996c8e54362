package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a cargo passes through a serializer and a compressor. */
public enum Form {
  /** The whole cargo through the streams of both, as the study measured. */
  STREAM,

  /**
   * The same, but a flush of the serializer's stream does not reach the compressor: what Kryo's
   * flush of every full buffer costs.
   */
  NO_FLUSH,

  /** Segment after segment, each compressed in one step, on one thread. */
  SEGMENTS;

  /** As it stands in JSON and in options: {@code stream}, {@code no-flush}, {@code segments}. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
