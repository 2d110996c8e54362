package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The form in which a serializer and a compressor process a cargo. */
public enum Form {
  /** The whole cargo through the streams of both, as in the study. */
  STREAM,

  /**
   * The stream form, but a flush of the serializer's stream does not reach the compressor. It shows
   * the cost of Kryo's flush of every full buffer.
   */
  NO_FLUSH,

  /** Segment after segment, each compressed in one step, on one thread. */
  SEGMENTS;

  /** Returns the name in JSON and options: {@code stream}, {@code no-flush}, {@code segments}. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
