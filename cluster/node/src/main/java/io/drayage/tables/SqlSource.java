package io.drayage.tables;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/** The tables of a snapshot. A column is read when SQL names it. */
public interface SqlSource {
  /** The columns of each table, in the order of the table. */
  Map<String, List<ColumnSchema>> tables();

  /**
   * Reads columns.
   *
   * @param wanted the columns to read, by table and name
   * @return a cargo that inserts the live rows of each table that has a wanted column
   */
  ChangeCargo read(BiPredicate<String, String> wanted) throws IOException;
}
