package io.drayage.spark.read;

import io.drayage.cargo.ColumnValues;
import io.drayage.database.LogPosition;
import io.drayage.replica.TableSize;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Some columns and pages of a table in one snapshot, in ranges of rows. Thread-safe. */
final class DrayageScan implements SupportsReportStatistics, Batch {
  private static final long PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final DrayageOptions options;
  private final TableDescription table;
  private final StructType columns;
  private final LogPosition snapshot;
  private final TableSize size;
  private final PageSelection selected;
  private final String description;
  private final StreamOptions stream;

  /** Keeps the snapshot in the store; null for a stream, which keeps the log since its place. */
  @SuppressWarnings("unused")
  private volatile @Nullable PlannedSnapshot planned;

  DrayageScan(
      DrayageOptions options,
      TableDescription table,
      StructType columns,
      PlannedSnapshot planned,
      PageSelection selected,
      String description,
      StreamOptions stream) {
    this.options = options;
    this.table = table;
    this.columns = columns;
    this.snapshot = planned.position();
    this.size = planned.size(table.name());
    this.selected = selected;
    this.description = description;
    this.stream = stream;
    this.planned = planned;
  }

  @Override
  public StructType readSchema() {
    return columns;
  }

  @Override
  public String description() {
    return description + ", columns " + List.of(columns.fieldNames()) + selected.description();
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ReadMetrics.supported();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return new CustomTaskMetric[] {
      new ReadMetrics.BytesRead().of(selected.readBytes()),
      new ReadMetrics.Pages().of(selected.count()),
      new ReadMetrics.PagesSkipped().of(selected.skipped())
    };
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    stream.requireNone("table " + table.name());
    return this;
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpoint) {
    planned = null;
    return new DrayageStream(
        ChangesReaderFactory.ofAppended(options, table, columns, loaded()), stream);
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
    BitSet pages = selected.pages();
    long bytes = (long) (loaded().stream().mapToLong(size::bytes).sum() * selected.share());
    long rows = pages == null ? size.rows() : (long) pages.cardinality() * PAGE_ROWS;
    int tasks = SparkSession.active().sparkContext().defaultParallelism();
    int count = ScanRange.count(rows, bytes, tasks);
    return IntStream.range(0, count)
        .mapToObj(part -> new ScanRange(part, count))
        .toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new DrayageReaderFactory(
        options, table.name(), columns, loaded(), snapshot, selected.pages(), selected.loaded());
  }

  @Override
  public Statistics estimateStatistics() {
    return new TableStatistics(size, columns, selected.share());
  }

  /** Whether both read the same data, which Spark reads once then. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DrayageScan scan
        && scan.options.equals(options)
        && scan.table.equals(table)
        && scan.columns.equals(columns)
        && scan.snapshot.equals(snapshot)
        && Objects.equals(scan.selected.pages(), selected.pages());
  }

  @Override
  public int hashCode() {
    return Objects.hash(options, table, columns, snapshot, selected.pages());
  }

  /**
   * The statistics for the optimizer: the length of a value, for each column that was written.
   *
   * @param share of the rows that is read
   */
  private record TableStatistics(TableSize size, StructType columns, double share)
      implements Statistics {
    @Override
    public OptionalLong sizeInBytes() {
      long bytes =
          IntStream.range(0, columns.size())
              .mapToLong(i -> size.bytes(columns.apply(i).name()))
              .sum();
      return OptionalLong.of((long) (bytes * share));
    }

    @Override
    public OptionalLong numRows() {
      return OptionalLong.of((long) (size.rows() * share));
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
