package io.drayage.duckdb.file;

import io.drayage.tables.TableFile;

/** The formats of text files. */
public enum TextFormat {
  CSV,
  TSV,
  JSON,
  /** JSON with one object a line. */
  JSON_LINES;

  /**
   * Returns the format of a file.
   *
   * @throws IllegalStateException if it is not a text file
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
