package io.drayage.spark.write;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.LogPosition;
import io.drayage.frame.ShipmentException;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.read.ColumnCache;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * A task's attempt, which sends its rows as fragments. They take effect only if the driver names
 * them. A failed or superfluous attempt leaves nothing to undo. Not thread-safe.
 */
final class FragmentWriter implements DeltaWriter<InternalRow> {
  private final String table;
  private final TransactionHandle handle;
  private final FragmentBuilder builder;
  private final FragmentSender sender;
  private final Semaphore shipments;
  private final List<UUID> fragments = new ArrayList<>();
  private final WriteMetrics metrics = new WriteMetrics();
  private boolean closed;

  FragmentWriter(
      DrayageOptions options, TransactionHandle handle, LogPosition found, TaskTable table)
      throws IOException {
    this.table = table.name();
    this.handle = handle;
    this.builder =
        new FragmentBuilder(
            table, () -> ColumnCache.of(options).get(table.name(), table.columnNames(), found));
    this.shipments = DrayageSession.of(options).shipments();
    this.sender = SharedSenders.acquire(options, handle);
  }

  @Override
  public void insert(InternalRow row) {
    if (builder.insert(row)) {
      ship();
    }
  }

  @Override
  public void update(@Nullable InternalRow metadata, InternalRow id, InternalRow row) {
    boolean isEnough;
    try {
      isEnough = builder.update(id.getLong(0), row);
    } catch (IOException e) {
      throw failed(e);
    }
    if (isEnough) {
      ship();
    }
  }

  @Override
  public void delete(@Nullable InternalRow metadata, InternalRow id) {
    if (builder.delete(id.getLong(0))) {
      ship();
    }
  }

  /** Writes all rows, and ships the last ones: Spark asks for metrics before commit. */
  @Override
  public void writeAll(Iterator<InternalRow> rows) {
    while (rows.hasNext()) {
      insert(rows.next());
    }
    shipRest();
  }

  private void shipRest() {
    if (!builder.isEmpty()) {
      ship();
    }
  }

  private void ship() {
    try {
      shipments.acquire();
      try {
        ChangeCargo cargo = builder.take(handle.base());
        metrics.addRawBytes(builder.takenBytes());
        fragments.addAll(sender.send(List.of(cargo), metrics));
      } catch (ShipmentException e) {
        throw failed(
            new IOException(
                "a fragment is not sent: %s: %s".formatted(e.fault(), e.getMessage()), e));
      } catch (IOException e) {
        throw failed(e);
      } finally {
        shipments.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("the task was killed while it sent a fragment");
      interrupted.initCause(e);
      throw failed(interrupted);
    }
  }

  /** Returns an exception with a condition, which Spark passes on unchanged. */
  private RuntimeException failed(IOException e) {
    return DrayageException.of("table " + table, e);
  }

  @Override
  public WriterCommitMessage commit() {
    Map<String, Long> told = metrics.byName();
    shipRest();
    Map<String, Long> rest = new HashMap<>(metrics.byName());
    told.forEach((name, value) -> rest.merge(name, -value, Long::sum));
    return new Written(List.copyOf(fragments), rest);
  }

  @Override
  public void abort() {
    // The sent fragments are deleted with their transaction.
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
