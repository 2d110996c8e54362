package io.drayage.spark;

import io.drayage.cargo.TypesTable;
import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageOption;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import io.drayage.spark.read.ChangeRange;
import io.drayage.spark.read.DrayageScanBuilder;
import io.drayage.spark.read.TableChangelog;
import io.drayage.spark.write.DrayageWriteBuilder;
import io.drayage.spark.write.GivenNumber;
import io.drayage.spark.write.WritePlan;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.QueryContext;
import org.apache.spark.QueryContextType;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
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
import org.jspecify.annotations.Nullable;

/** A table of the database for Spark. */
final class DrayageTable
    implements SupportsRead,
        SupportsWrite,
        TruncatableTable,
        SupportsMetadataColumns,
        SupportsRowLevelOperations {
  private final DrayageOptions options;
  private final String store;
  private final TableDescription description;
  private final Column[] columns;
  private final LogPosition found;
  private final boolean asked;
  private final GivenNumber number;

  /** Whether a statement writes it. */
  private final boolean written;

  /**
   * @param store its name for users
   * @param found the snapshot in which it was found
   * @param asked whether the user named that snapshot; otherwise the newest is read
   * @param number taken from the session by the statement that writes it
   * @throws UnsupportedOperationException if a column has no type in Spark, with its name
   */
  DrayageTable(
      DrayageOptions options,
      String store,
      TableDescription description,
      LogPosition found,
      boolean asked,
      GivenNumber number) {
    this(options, store, description, found, asked, number, false);
  }

  private DrayageTable(
      DrayageOptions options,
      String store,
      TableDescription description,
      LogPosition found,
      boolean asked,
      GivenNumber number,
      boolean written) {
    this.options = options;
    this.store = store;
    this.description = description;
    this.columns = description.sparkColumns();
    this.found = found;
    this.asked = asked;
    this.number = number;
    this.written = written;
  }

  /**
   * Returns the table for a statement that writes it. It does not equal the table that is read, so
   * that Spark does not put cached rows in its place, for example for a {@code DELETE} without a
   * condition.
   */
  DrayageTable written() {
    return new DrayageTable(options, store, description, found, asked, number, true);
  }

  @Override
  public String name() {
    return description.name();
  }

  @Override
  public Column[] columns() {
    return columns.clone();
  }

  /**
   * Returns the id by which Spark tells it from a table of another database, or a table that was
   * made again.
   */
  @Override
  public String id() {
    return found.database() + "/" + name() + "/" + description.made();
  }

  /** Returns its origin, for {@code DESCRIBE EXTENDED}. */
  @Override
  public Map<String, String> properties() {
    return Map.of(
        "drayage.store", store,
        "drayage.database", found.database().toString(),
        "drayage.snapshot", Long.toString(found.timestamp()));
  }

  @Override
  public Set<TableCapability> capabilities() {
    return asked
        ? Set.of(TableCapability.BATCH_READ)
        : Set.of(
            TableCapability.BATCH_READ,
            TableCapability.MICRO_BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE);
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return new MetadataColumn[] {new RowColumn(description.rowColumn())};
  }

  /** The number of a row, which stays as long as the row exists. */
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
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap given) {
    DrayageOption.requireKnown(
        "table " + name(), given, DrayageOption.Place.READ, DrayageOption.Place.STREAM_READ);
    return new DrayageScanBuilder(options, description, found, !asked).with(given);
  }

  /** Returns its changes. */
  TableChangelog changes(ChangeRange range, boolean computeUpdates) {
    return new TableChangelog(options, description, found, range, computeUpdates);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DrayageWriteBuilder(plan(), info);
  }

  /**
   * Returns a plan that only appends.
   *
   * @throws DrayageUnsupportedException if it is the table of types
   */
  private WritePlan plan() {
    if (name().equals(TypesTable.NAME)) {
      throw new DrayageUnsupportedException(
          "table %s says what columns are, and is written by what makes tables alone"
              .formatted(name()));
    }
    return WritePlan.append(options, description, found).numbered(number);
  }

  @Override
  public boolean truncateTable() {
    plan().deletingAll().with(CaseInsensitiveStringMap.empty()).run();
    return true;
  }

  /** Delegates to {@link RowLevelChange#requireRowKept}. */
  void requireRowKept(String statement) {
    RowLevelChange.requireRowKept(description, statement);
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    if (asked) {
      throw new DrayageUnsupportedException(
          "table %s can be changed only in its newest snapshot".formatted(name()));
    }
    QueryContext statement = CurrentOrigin.get().context();
    if (statement.contextType() == QueryContextType.SQL) {
      requireRowKept(statement.fragment());
    }
    return () ->
        new RowLevelChange(
            info.command(),
            description.rowColumn(),
            () -> new DrayageScanBuilder(options, description, found, false),
            plan().changing());
  }

  /** Whether both are the same table in the same snapshot of a database, for the same use. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DrayageTable table
        && table.options.equals(options)
        && table.description.equals(description)
        && table.found.equals(found)
        && table.asked == asked
        && table.written == written;
  }

  @Override
  public int hashCode() {
    return Objects.hash(options, description, found, asked, written);
  }
}
