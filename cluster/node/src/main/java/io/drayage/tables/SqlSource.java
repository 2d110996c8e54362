package io.drayage.tables;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/** The tables of a snapshot, whose columns are read when SQL names them. */
public interface SqlSource {
  /** The columns of each table, in their order. */
  Map<String, List<ColumnSchema>> tables();

  /**
   * Reads columns.
   *
   * @param wanted which, by table and name
   * @return a cargo that inserts the live rows of the tables of which a column is wanted
   */
  ChangeCargo read(BiPredicate<String, String> wanted) throws IOException;
}
