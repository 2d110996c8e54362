package io.drayage.bench.codecs;

import java.util.Locale;

/** Which way a cargo goes. */
public enum Direction {
  /** From objects to bytes. */
  SERIALIZATION,

  /** From bytes to objects. */
  DESERIALIZATION;

  /** As commands and the study's tables are called. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
