package io.drayage.spark.write;

import static io.drayage.internal.Texts.format;

import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.io.Serial;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;

/**
 * The transaction and the table, which the driver sends to tasks.
 *
 * @param found the snapshot whose rows are changed, if any are
 */
record FragmentWriterFactory(
    DrayageOptions options, TransactionHandle handle, LogPosition found, TaskTable table)
    implements DeltaWriterFactory, StreamingDataWriterFactory {
  @Serial private static final long serialVersionUID = 1;

  @Override
  public DeltaWriter<InternalRow> createWriter(int partition, long task) {
    try {
      return new FragmentWriter(options, handle, found, table);
    } catch (IOException e) {
      throw DrayageException.of(format("table %s, partition %d", table.name(), partition), e);
    }
  }

  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task, long epoch) {
    return createWriter(partition, task);
  }
}
