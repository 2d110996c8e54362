package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.database.LogPosition;
import io.drayage.replica.TableLog;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The changes that some snapshots made in a table, in parts of the log. The log is opened with the
 * first request for its parts, and kept as long as this is referenced. Thread-safe.
 */
final class ChangesScan implements SupportsReportStatistics, Batch {
  private final TableChangelog changelog;
  private final StructType columns;
  private final long from;
  private final long last;
  private final StreamOptions stream;

  /** Whether it is a stream, whose size nobody knows. */
  private volatile boolean isStream;

  /** Null before the first request. Guarded by this. */
  private @Nullable List<LogPart> parts;

  /**
   * @param from leaves out the changes of earlier snapshots
   * @param last the last snapshot whose changes are read
   */
  ChangesScan(
      TableChangelog changelog, StructType columns, long from, long last, StreamOptions stream) {
    this.changelog = changelog;
    this.columns = columns;
    this.from = from;
    this.last = last;
    this.stream = stream;
  }

  @Override
  public StructType readSchema() {
    return columns;
  }

  @Override
  public String description() {
    return format(
        "changes of Drayage table %s up to snapshot %d, columns %s",
        table().name(), last, List.of(columns.fieldNames()));
  }

  private TableDescription table() {
    return changelog.table();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    stream.from(null).requireNone("the changes of table " + table().name());
    return this;
  }

  /**
   * @throws DrayageException if the range has an end
   */
  @Override
  public MicroBatchStream toMicroBatchStream(String checkpoint) {
    ChangeRange range = changelog.range();
    if (range.end() != null) {
      throw new DrayageException(
          DrayageException.Condition.INVALID_RANGE,
          "table %s: a stream of changes has no end: leave endingVersion out"
              .formatted(table().name()));
    }
    isStream = true;
    return new DrayageStream(
        ChangesReaderFactory.of(changelog, columns),
        stream.from(range.start() == null ? null : range.first()));
  }

  /**
   * @throws DrayageException if the range has no start, or the log does not have it
   */
  private synchronized List<LogPart> parts() {
    if (parts == null) {
      ChangeRange range = changelog.range();
      if (range.start() == null) {
        throw new DrayageException(
            DrayageException.Condition.INVALID_RANGE,
            "table %s: a query of changes names its first snapshot: FROM VERSION, or the option startingVersion"
                .formatted(table().name()));
      }
      range.requireKept(changelog.options(), table().name());
      try {
        // Earlier changes are of another table.
        parts = plan(Math.max(Math.max(from, range.first()), table().made()));
      } catch (IOException e) {
        throw table().failed(e);
      }
    }
    return parts;
  }

  private List<LogPart> plan(long first) throws IOException {
    if (first > last) {
      return List.of();
    }
    DrayageSession session = DrayageSession.of(changelog.options());
    LoadingMarks.Marked mark = session.store().markAfter(first - 1);
    PlannedSnapshot.CLEANER.register(this, mark::close);
    LogPosition end = session.snapshot(last);
    try (TableLog log = session.store().log(table().name(), session.snapshot(first - 1))) {
      int tasks = SparkSession.active().sparkContext().defaultParallelism();
      return LogPart.cut(log.advance(end), tasks);
    }
  }

  @Override
  public InputPartition[] planInputPartitions() {
    return parts().toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return ChangesReaderFactory.of(changelog, columns);
  }

  @Override
  public Statistics estimateStatistics() {
    OptionalLong bytes =
        isStream
            ? OptionalLong.empty()
            : OptionalLong.of(parts().stream().mapToLong(LogPart::rawBytes).sum());
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return bytes;
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.empty();
      }
    };
  }

  /** Whether both read the same changes, which Spark reads once then. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChangesScan scan
        && scan.changelog.equals(changelog)
        && scan.columns.equals(columns)
        && scan.from == from
        && scan.last == last;
  }

  @Override
  public int hashCode() {
    return Objects.hash(changelog, columns, from, last);
  }
}
