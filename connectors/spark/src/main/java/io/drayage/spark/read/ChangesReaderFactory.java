package io.drayage.spark.read;

import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageStore;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads a part of the log, or of a snapshot with which a stream begins, in an executor, only in
 * batches of columns.
 *
 * @param table its name
 * @param made the snapshot that made the table
 * @param rowColumn the name of the number of a row
 * @param columns of a batch
 * @param loaded the columns to load for it
 * @param rows the kind of its rows
 */
record ChangesReaderFactory(
    DrayageOptions options,
    String table,
    long made,
    String rowColumn,
    StructType columns,
    List<String> loaded,
    Rows rows)
    implements PartitionReaderFactory {
  private static final long serialVersionUID = 1;

  /** The kinds of rows. */
  enum Rows {
    /** Rows of the table, which are only inserted. */
    APPENDED,
    /** Rows with a change, updates as deletes and inserts. */
    CHANGED,
    /** Rows with a change, updates as rows before and after them. */
    UPDATED
  }

  static ChangesReaderFactory ofAppended(
      DrayageOptions options, TableDescription table, StructType columns, List<String> loaded) {
    return new ChangesReaderFactory(
        options, table.name(), table.made(), table.rowColumn(), columns, loaded, Rows.APPENDED);
  }

  static ChangesReaderFactory of(TableChangelog changelog, StructType columns) {
    TableDescription table = changelog.table();
    Set<String> stored = new TreeSet<>(List.of(columns.fieldNames()));
    stored.retainAll(List.of(table.toSpark().fieldNames()));
    return new ChangesReaderFactory(
        changelog.options(),
        table.name(),
        table.made(),
        table.rowColumn(),
        columns,
        stored.isEmpty() ? List.of(table.narrowest().name()) : List.copyOf(stored),
        changelog.computeUpdates() ? Rows.UPDATED : Rows.CHANGED);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    try {
      ColumnCache cache = ColumnCache.of(options);
      if (partition instanceof SnapshotPart part) {
        return new ChangeBatches(this, cache, part);
      }
      LogPart part = (LogPart) partition;
      return new ChangeBatches(
          this,
          cache,
          DrayageStore.of(options)
              .read(
                  ColumnCache.THREADS,
                  table,
                  Set.copyOf(loaded),
                  part.changes(),
                  snapshot -> cache.get(table, loaded, snapshot)));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  RuntimeException failed(IOException cause) {
    return DrayageException.of("table " + table, cause);
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new DrayageUnsupportedException("changes are read in batches of columns");
  }
}
