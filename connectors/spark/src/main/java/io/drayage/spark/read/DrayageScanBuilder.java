package io.drayage.spark.read;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;

/**
 * Plans the columns and the snapshot of a read, so that all tasks read the same. Not thread-safe.
 */
public final class DrayageScanBuilder implements SupportsPushDownRequiredColumns {
  private final DrayageOptions options;
  private final TableDescription table;
  private final LogPosition found;
  private final boolean isNewest;
  private StructType columns;

  /**
   * @param found the snapshot in which the table was found
   * @param isNewest whether to read the snapshot that is the newest when the scan is built;
   *     otherwise the found one
   */
  public DrayageScanBuilder(
      DrayageOptions options, TableDescription table, LogPosition found, boolean isNewest) {
    this.options = options;
    this.table = table;
    this.found = found;
    this.isNewest = isNewest;
    this.columns = table.toSpark();
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  @Override
  public Scan build() {
    try {
      DrayageSession session = DrayageSession.of(options);
      LogPosition published = session.published();
      if (!published.database().equals(found.database())) {
        throw ForeignDatabaseException.ofEntry(session.store().name(), found, published);
      }
      PlannedSnapshot planned = PlannedSnapshot.of(options, isNewest ? published : found);
      return new DrayageScan(options, table, columns, planned);
    } catch (IOException e) {
      throw table.failed(e);
    }
  }
}
