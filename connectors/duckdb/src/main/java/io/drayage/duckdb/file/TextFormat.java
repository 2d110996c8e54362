package io.drayage.duckdb.file;

/** How a text file is written. */
public enum TextFormat {
  CSV,
  TSV,
  JSON,
  /** JSON, an object a line. */
  JSON_LINES;

  boolean isJson() {
    return this == JSON || this == JSON_LINES;
  }
}
