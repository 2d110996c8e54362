package io.drayage.tables;

/** Files that a table can be written to. */
public enum FileFormat {
  PARQUET,
  ARROW,
  CSV
}
