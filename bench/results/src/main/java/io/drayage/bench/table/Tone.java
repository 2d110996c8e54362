package io.drayage.bench.table;

/** How a verdict, a row or a cell is emphasized. */
public enum Tone {
  /** The best, or as it should be. */
  GOOD,
  PLAIN,
  /** Failed, or worse than before. */
  BAD
}
