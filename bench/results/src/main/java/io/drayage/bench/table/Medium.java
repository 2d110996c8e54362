package io.drayage.bench.table;

/** The medium on which a table is shown. */
public enum Medium {
  /** Text of fixed width, as narrow as possible. */
  TERMINAL,
  /** HTML and CSV: one figure per column. */
  PAGE
}
