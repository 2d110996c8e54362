package io.drayage.bench.codecs.work;

/** Which way a cargo goes. */
public enum Direction {
  /** From objects to bytes. */
  SERIALIZATION,

  /** From bytes to objects. */
  DESERIALIZATION
}
