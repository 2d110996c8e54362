package io.drayage.tables;

/** How the rows of a query are printed. */
public enum QueryFormat {
  TEXT,
  CSV
}
