package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.replica.TableSize;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Some columns of a table in one snapshot, in ranges of rows. Thread-safe. */
final class DrayageScan implements SupportsReportStatistics, Batch {
  private final DrayageOptions options;
  private final TableDescription table;
  private final StructType columns;
  private final PlannedSnapshot snapshot;

  DrayageScan(
      DrayageOptions options,
      TableDescription table,
      StructType columns,
      PlannedSnapshot snapshot) {
    this.options = options;
    this.table = table;
    this.columns = columns;
    this.snapshot = snapshot;
  }

  @Override
  public StructType readSchema() {
    return columns;
  }

  @Override
  public String description() {
    return format(
        "Drayage table %s, snapshot %d, columns %s",
        table.name(), snapshot.position().timestamp(), List.of(columns.fieldNames()));
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  private TableSize size() {
    return snapshot.size(table.name());
  }

  /** Returns the columns to load, at least one, to count its rows. */
  private List<String> loaded() {
    List<String> stored =
        Arrays.stream(columns.fieldNames())
            .filter(name -> !name.equals(table.rowColumn()))
            .toList();
    return stored.isEmpty() ? List.of(table.narrowest().name()) : stored;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    TableSize size = size();
    long bytes = loaded().stream().mapToLong(size::bytes).sum();
    int tasks = SparkSession.active().sparkContext().defaultParallelism();
    int count = ScanRange.count(size.rows(), bytes, tasks);
    return IntStream.range(0, count)
        .mapToObj(part -> new ScanRange(part, count))
        .toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new DrayageReaderFactory(options, table.name(), columns, loaded(), snapshot.position());
  }

  @Override
  public Statistics estimateStatistics() {
    return new TableStatistics(size(), columns);
  }

  /** Whether both read the same data, which Spark reads once then. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DrayageScan scan
        && scan.options.equals(options)
        && scan.table.equals(table)
        && scan.columns.equals(columns)
        && scan.snapshot.position().equals(snapshot.position());
  }

  @Override
  public int hashCode() {
    return Objects.hash(options, table, columns, snapshot.position());
  }

  /** The statistics for the optimizer: the length of a value, for each column that was written. */
  private record TableStatistics(TableSize size, StructType columns) implements Statistics {
    @Override
    public OptionalLong sizeInBytes() {
      return OptionalLong.of(
          IntStream.range(0, columns.size())
              .mapToLong(i -> size.bytes(columns.apply(i).name()))
              .sum());
    }

    @Override
    public OptionalLong numRows() {
      return OptionalLong.of(size.rows());
    }

    @Override
    public Map<NamedReference, ColumnStatistics> columnStats() {
      Map<NamedReference, ColumnStatistics> known = new HashMap<>();
      for (String column : columns.fieldNames()) {
        if (size.rows() > 0 && size.bytes(column) > 0) {
          OptionalLong bytes = OptionalLong.of(Math.max(1, size.bytes(column) / size.rows()));
          known.put(
              Expressions.column("`" + column.replace("`", "``") + "`"),
              new ColumnStatistics() {
                @Override
                public OptionalLong avgLen() {
                  return bytes;
                }
              });
        }
      }
      return known;
    }
  }
}
