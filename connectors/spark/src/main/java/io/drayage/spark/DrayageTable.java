package io.drayage.spark;

import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import io.drayage.spark.read.DrayageScanBuilder;
import io.drayage.spark.write.DrayageWriteBuilder;
import io.drayage.spark.write.WritePlan;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TruncatableTable;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/** A table of the database, as Spark sees it. */
final class DrayageTable implements SupportsRead, SupportsWrite, TruncatableTable {
  private final DrayageOptions options;
  private final TableDescription description;
  private final Column[] columns;
  private final @Nullable Long snapshot;

  /**
   * @param snapshot the one that was asked for; null for the newest
   * @throws UnsupportedOperationException if a column has no type in Spark, naming it
   */
  DrayageTable(DrayageOptions options, TableDescription description, @Nullable Long snapshot) {
    this.options = options;
    this.description = description;
    this.columns = description.sparkColumns();
    this.snapshot = snapshot;
  }

  @Override
  public String name() {
    return description.name();
  }

  @Override
  public Column[] columns() {
    return columns.clone();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return snapshot == null
        ? Set.of(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE)
        : Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
    return new DrayageScanBuilder(options, description, snapshot);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DrayageWriteBuilder(WritePlan.append(options, description), info);
  }

  @Override
  public boolean truncateTable() {
    WritePlan.append(options, description).deletingAll().run();
    return true;
  }
}
