package io.drayage.bench.table;

/** The emphasis of a verdict, a row or a cell. */
public enum Tone {
  /** The best, or as expected. */
  GOOD,
  PLAIN,
  /** Failed, or worse than before. */
  BAD
}
