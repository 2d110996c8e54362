package io.drayage.spark.read;

import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.store.column.StoredTable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads a part of the rows in an executor, only in batches of columns.
 *
 * @param table its name
 * @param columns of a batch
 * @param loaded the columns to load for it
 * @param snapshot the entry of the log that made it
 */
record DrayageReaderFactory(
    DrayageOptions options,
    String table,
    StructType columns,
    List<String> loaded,
    LogPosition snapshot)
    implements PartitionReaderFactory {
  private static final long serialVersionUID = 1;

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    ScanRange rows = (ScanRange) partition;
    try {
      StoredTable values = ColumnCache.of(options).get(table, loaded, snapshot);
      return new ColumnBatches(
          values, columns, rows.firstRow(values.rowCount()), rows.endRow(values.rowCount()));
    } catch (IOException e) {
      throw DrayageException.of("table " + table, e);
    }
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new DrayageUnsupportedException("a Drayage table is read in batches of columns");
  }
}
