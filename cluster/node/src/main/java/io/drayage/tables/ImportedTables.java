package io.drayage.tables;

import io.drayage.cargo.ChangeCargo;
import java.util.List;

/** Tables that are read while their cargo is written. */
public interface ImportedTables extends AutoCloseable {
  /** The cargo. Its columns are made on demand, fastest from the first to the last. */
  ChangeCargo cargo();

  /** Number of rows of the imported tables; for a change set, the rows after the change. */
  long rows();

  /** The type of each column and its new type, one line each. */
  List<String> types();

  /**
   * The {@link io.drayage.cargo.CargoDigest} of the tables, columns, rows and values of the last
   * read. It is computed for transaction 0 on snapshot 0, whatever those of the cargo are.
   */
  long digest();

  @Override
  void close();
}
