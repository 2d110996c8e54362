package io.drayage.tables;

/** The file formats of an export. */
public enum FileFormat {
  PARQUET,
  ARROW,
  CSV
}
