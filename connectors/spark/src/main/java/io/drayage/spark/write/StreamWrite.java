package io.drayage.spark.write;

import io.drayage.frame.AppVersion;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageUnsupportedException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;

/**
 * Writes an epoch of a streaming query: one transaction on the newest snapshot at the epoch's
 * begin, identified by the query's id, the epoch's number and the table. An epoch takes effect
 * once: if it runs again, because the query died before the answer, the answer is its first commit.
 * Spark plans each epoch anew, and creates this object for it. Used by one thread at a time.
 *
 * @param queryId kept in the checkpoint
 */
record StreamWrite(DrayageWrite write, String queryId) implements StreamingWrite {
  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  /**
   * Begins the epoch.
   *
   * @throws UnsupportedOperationException in continuous processing, whose epochs share one factory
   */
  @Override
  public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
    requireMicroBatch();
    return write.begin(info);
  }

  private void requireMicroBatch() {
    String continuous =
        SparkSession.active()
            .sparkContext()
            .getLocalProperty(StreamExecution.IS_CONTINUOUS_PROCESSING());
    if (Boolean.parseBoolean(continuous)) {
      throw new DrayageUnsupportedException(
          "%s cannot be written by continuous processing: use another trigger"
              .formatted(write.description()));
    }
  }

  @Override
  public void commit(long epoch, WriterCommitMessage[] messages) {
    try {
      write.commit(messages, AppVersion.of(queryId, epoch, write.table()));
    } catch (DrayageException e) {
      throw stopped(e);
    }
  }

  /** Returns an exception by which Spark knows that a query was stopped; its epoch runs again. */
  private static RuntimeException stopped(DrayageException failure) {
    return failure.getCause() instanceof InterruptedIOException interrupted
        ? new UncheckedIOException(interrupted)
        : failure;
  }

  @Override
  public void abort(long epoch, WriterCommitMessage[] messages) {
    write.abort(messages);
  }

  @Override
  public String toString() {
    return write.description();
  }
}
