package io.drayage.spark.read;

import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads a part of the rows in an executor, only in batches of columns.
 *
 * @param table its name
 * @param columns of a batch
 * @param loaded the columns to load for it
 * @param snapshot the entry of the log that made it
 * @param pages the pages to read; null for all
 * @param loadedPages the pages to load if a column is not there; null for all
 */
record DrayageReaderFactory(
    DrayageOptions options,
    String table,
    StructType columns,
    List<String> loaded,
    LogPosition snapshot,
    @Nullable BitSet pages,
    @Nullable BitSet loadedPages)
    implements PartitionReaderFactory {
  private static final long serialVersionUID = 1;

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    ScanRange part = (ScanRange) partition;
    try {
      LongAdder readBytes = new LongAdder();
      StoredTable values =
          ColumnCache.of(options).get(table, loaded, snapshot, loadedPages, readBytes);
      long rows = values.rowCount();
      return new ColumnBatches(
          values,
          columns,
          part.firstRow(rows, pages),
          part.endRow(rows, pages),
          pages,
          new ReadMetrics.BytesRead().of(readBytes.sum()));
    } catch (IOException e) {
      throw DrayageException.of("table " + table, e);
    }
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new DrayageUnsupportedException("a Drayage table is read in batches of columns");
  }
}
