package io.drayage.spark.read;

import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Plans how a table is read: which columns, and which snapshot, so that all tasks read the same.
 * Not thread-safe.
 */
public final class DrayageScanBuilder implements SupportsPushDownRequiredColumns {
  private final DrayageOptions options;
  private final TableDescription table;
  private final @Nullable Long snapshot;
  private StructType columns;

  /**
   * @param snapshot the one that was asked for; null for the newest that is published when the scan
   *     is built
   */
  public DrayageScanBuilder(
      DrayageOptions options, TableDescription table, @Nullable Long snapshot) {
    this.options = options;
    this.table = table;
    this.snapshot = snapshot;
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
      long number = snapshot == null ? session.published() : snapshot;
      PlannedSnapshot planned = PlannedSnapshot.of(session.objects(), number);
      return new DrayageScan(options, table, columns, planned);
    } catch (IOException e) {
      throw table.failed(e);
    }
  }
}
