package io.drayage.duckdb.file;

/** A format of dates and times. Stateless. */
interface MomentFormat {
  /** The format of ISO 8601. */
  MomentFormat ISO = new IsoFormat();

  /**
   * Reads a text.
   *
   * @return false if it has another format, or there is no such day or time
   */
  boolean read(Cell text, Moment into);
}
