package io.drayage.bench.codecs;

import java.util.Locale;

/** The direction of a conversion. */
public enum Direction {
  /** The direction from objects to bytes. */
  SERIALIZATION,

  /** The direction from bytes to objects. */
  DESERIALIZATION;

  /** Returns the name that commands and the study's tables use. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
