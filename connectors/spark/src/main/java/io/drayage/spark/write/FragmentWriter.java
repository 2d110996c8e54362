package io.drayage.spark.write;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * A task's attempt: sends its rows as fragments. They have no effect until the driver names them,
 * so that an attempt which fails, or is one too many, leaves nothing to be undone. Not thread-safe.
 */
final class FragmentWriter implements DataWriter<InternalRow> {
  private final TransactionHandle handle;
  private final FragmentBuilder builder;
  private final FragmentSender sender;
  private final Semaphore shipments;
  private final List<UUID> fragments = new ArrayList<>();
  private final WriteMetrics metrics = new WriteMetrics();
  private boolean closed;

  FragmentWriter(DrayageOptions options, TransactionHandle handle, TaskTable table)
      throws IOException {
    this.handle = handle;
    this.builder = new FragmentBuilder(table);
    this.shipments = DrayageSession.of(options).shipments();
    this.sender = SharedSenders.acquire(options, handle);
  }

  @Override
  public void write(InternalRow row) throws IOException {
    if (builder.add(row)) {
      ship();
    }
  }

  /**
   * These are all rows: what is left is shipped now, since Spark asks for metrics before commit.
   */
  @Override
  public void writeAll(Iterator<InternalRow> rows) throws IOException {
    while (rows.hasNext()) {
      if (builder.add(rows.next())) {
        ship();
      }
    }
    shipRest();
  }

  private void shipRest() throws IOException {
    if (!builder.isEmpty()) {
      ship();
    }
  }

  private void ship() throws IOException {
    try {
      shipments.acquire();
      try {
        ChangeCargo cargo = builder.take(handle.base());
        metrics.addRawBytes(builder.takenBytes());
        fragments.addAll(sender.send(cargo, metrics));
      } catch (ShipmentException e) {
        throw new IOException(
            "a fragment is not sent: %s: %s".formatted(e.fault(), e.getMessage()), e);
      } finally {
        shipments.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("the task was killed while it sent a fragment");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    shipRest();
    return new Written(List.copyOf(fragments));
  }

  @Override
  public void abort() {
    // What was sent is deleted with its transaction.
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      SharedSenders.release(handle);
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return metrics.values();
  }
}
