package io.drayage.duckdb.file;

import io.drayage.tables.TableFile;

/** How a text file is written. */
public enum TextFormat {
  CSV,
  TSV,
  JSON,
  /** JSON, an object a line. */
  JSON_LINES;

  /**
   * How a file is written.
   *
   * @throws IllegalStateException if it is no text file
   */
  public static TextFormat of(TableFile file) {
    return switch (file.kind()) {
      case CSV -> CSV;
      case TSV -> TSV;
      case JSON -> JSON;
      case JSON_LINES -> JSON_LINES;
      case PARQUET, ARROW_FILE, ARROW_STREAM ->
          throw new IllegalStateException(file.path() + " is no text");
    };
  }

  boolean isJson() {
    return this == JSON || this == JSON_LINES;
  }
}
