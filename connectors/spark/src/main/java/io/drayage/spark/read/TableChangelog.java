package io.drayage.spark.read;

import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageOption;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table. A row is known by its number, and has at most one change in a snapshot.
 *
 * @param found the snapshot in which the table was found
 * @param computeUpdates whether an update is the row before and after it; otherwise it is a delete
 *     and an insert
 */
public record TableChangelog(
    DrayageOptions options,
    TableDescription table,
    LogPosition found,
    ChangeRange range,
    boolean computeUpdates)
    implements Changelog {
  /** The kind of the change. */
  static final String TYPE = "_change_type";

  /** The number of the snapshot that the change made. */
  static final String VERSION = "_commit_version";

  /** The time of the commit by the primary's clock. */
  static final String TIMESTAMP = "_commit_timestamp";

  /**
   * @throws DrayageUnsupportedException if a column of the table has the name of one of changes
   */
  public TableChangelog {
    for (String reserved : List.of(TYPE, VERSION, TIMESTAMP)) {
      if (table.schema().columns().stream().anyMatch(c -> c.name().equalsIgnoreCase(reserved))) {
        throw new DrayageUnsupportedException(
            "the changes of table %s cannot be read: its column '%s' has the name of a column of changes"
                .formatted(table.name(), reserved));
      }
    }
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public Column[] columns() {
    List<Column> columns = new ArrayList<>(Arrays.asList(table.sparkColumns()));
    columns.add(Column.create(table.rowColumn(), DataTypes.LongType, false));
    columns.add(Column.create(TYPE, DataTypes.StringType, false));
    columns.add(Column.create(VERSION, DataTypes.LongType, false));
    columns.add(Column.create(TIMESTAMP, DataTypes.TimestampType, false));
    return columns.toArray(Column[]::new);
  }

  /** Returns {@link #columns} as a schema. */
  StructType schema() {
    StructType schema = new StructType();
    for (Column column : columns()) {
      schema = schema.add(column.name(), column.dataType(), column.nullable());
    }
    return schema;
  }

  @Override
  public boolean containsCarryoverRows() {
    return false;
  }

  /** A row may have changes in several snapshots. */
  @Override
  public boolean containsIntermediateChanges() {
    return true;
  }

  /** The scan itself reads the rows before and after an update. */
  @Override
  public boolean representsUpdateAsDeleteAndInsert() {
    return false;
  }

  @Override
  public NamedReference[] rowId() {
    return new NamedReference[] {Expressions.column(table.rowColumn())};
  }

  @Override
  public NamedReference rowVersion() {
    return Expressions.column(VERSION);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap given) {
    DrayageOption.requireKnown(
        "the changes of table " + name(),
        given,
        DrayageOption.Place.CHANGES,
        DrayageOption.Place.STREAM_READ);
    return new ChangesScanBuilder(this, StreamOptions.of(given));
  }
}
