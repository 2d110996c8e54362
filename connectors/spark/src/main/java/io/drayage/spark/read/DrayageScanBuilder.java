package io.drayage.spark.read;

import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.jspecify.annotations.Nullable;

/** Plans how a table is read. Not thread-safe. */
public final class DrayageScanBuilder implements ScanBuilder {
  /**
   * @param snapshot the one that was asked for; null for the newest
   */
  public DrayageScanBuilder(
      DrayageOptions options, TableDescription table, @Nullable Long snapshot) {}

  @Override
  public Scan build() {
    throw new UnsupportedOperationException("tables are not read yet");
  }
}
