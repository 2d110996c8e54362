package io.drayage.spark;

import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import io.drayage.spark.read.DrayageScanBuilder;
import io.drayage.spark.write.DrayageWriteBuilder;
import io.drayage.spark.write.WritePlan;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TruncatableTable;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table of the database, as Spark sees it. */
final class DrayageTable
    implements SupportsRead,
        SupportsWrite,
        TruncatableTable,
        SupportsMetadataColumns,
        SupportsRowLevelOperations {
  private final DrayageOptions options;
  private final TableDescription description;
  private final Column[] columns;
  private final long found;
  private final boolean asked;

  /**
   * @param found the snapshot in which it was found
   * @param asked whether that was asked for; else the newest is read
   * @throws UnsupportedOperationException if a column has no type in Spark, naming it
   */
  DrayageTable(DrayageOptions options, TableDescription description, long found, boolean asked) {
    this.options = options;
    this.description = description;
    this.columns = description.sparkColumns();
    this.found = found;
    this.asked = asked;
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
    return asked
        ? Set.of(TableCapability.BATCH_READ)
        : Set.of(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE);
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return new MetadataColumn[] {new RowColumn(description.rowColumn())};
  }

  /** The number of a row, which it keeps as long as it is there. */
  private record RowColumn(String name) implements MetadataColumn {
    @Override
    public DataType dataType() {
      return DataTypes.LongType;
    }

    @Override
    public boolean isNullable() {
      return false;
    }
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
    return new DrayageScanBuilder(options, description, asked ? found : null);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DrayageWriteBuilder(plan(), info);
  }

  private WritePlan plan() {
    return WritePlan.append(options, description, found);
  }

  @Override
  public boolean truncateTable() {
    plan().deletingAll().with(CaseInsensitiveStringMap.empty()).run();
    return true;
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    if (asked) {
      throw new UnsupportedOperationException(
          "table %s can be changed in its newest snapshot alone".formatted(name()));
    }
    return () ->
        new RowLevelChange(
            info.command(),
            description.rowColumn(),
            () -> new DrayageScanBuilder(options, description, found),
            plan().changing());
  }
}
