package io.drayage.duckdb.file;

/** How dates and times are written. Stateless. */
interface MomentFormat {
  /** The one of ISO 8601. */
  MomentFormat ISO = new IsoFormat();

  /**
   * Reads a text.
   *
   * @return false if it is not written so, or there is no such day or time
   */
  boolean read(Cell text, Moment into);
}
