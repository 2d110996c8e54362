package io.drayage.tables;

import io.drayage.cargo.ChangeCargo;
import java.util.List;

/** Tables that are read while their cargo is written. */
public interface ImportedTables extends AutoCloseable {
  /** The cargo. Its columns are made on demand, best from the first to the last. */
  ChangeCargo cargo();

  /** The rows of the tables that are imported; of a change set, those that the tables then have. */
  long rows();

  /** Which type became which, a line for each column. */
  List<String> types();

  /**
   * Of the tables, columns, rows and values that were read last, by {@link
   * io.drayage.cargo.CargoDigest} with transaction 0 on snapshot 0, whatever those of the cargo.
   */
  long digest();

  @Override
  void close();
}
