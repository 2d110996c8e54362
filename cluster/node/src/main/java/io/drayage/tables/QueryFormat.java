package io.drayage.tables;

/** The format of a query's rows. */
public enum QueryFormat {
  TEXT,
  CSV
}
