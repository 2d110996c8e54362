package io.drayage.spark.write;

import io.drayage.frame.AppVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that tasks of Spark fill, at the driver. Spark's commit coordinator is off: any
 * attempt may finish, and those count that Spark hands to the commit. Used by one thread at a time,
 * but for {@link #onDataWriterCommit}.
 */
final class DrayageWrite implements DeltaWrite, DeltaBatchWrite {
  private final WritePlan plan;
  private final TaskTable table;
  private final Commit commit;
  private final String queryId;

  /** Null before it has begun. */
  private volatile @Nullable WriteTransaction transaction;

  /** What tasks have not told of themselves, by the names of metrics. */
  private final Map<String, Long> rest = new HashMap<>();

  /** What is done when all tasks have ended, with the number that the write has. */
  interface Commit {
    Commit AT_ONCE = WriteTransaction::commit;

    void run(WriteTransaction transaction, List<UUID> fragments, @Nullable AppVersion app)
        throws IOException;
  }

  /**
   * @param queryId of a stream the same whenever it is started again
   */
  DrayageWrite(WritePlan plan, TaskTable table, Commit commit, String queryId) {
    this.plan = plan;
    this.table = table;
    this.commit = commit;
    this.queryId = queryId;
  }

  @Override
  public String description() {
    return "Drayage table " + table.name();
  }

  @Override
  public DeltaBatchWrite toBatch() {
    return this;
  }

  /**
   * @throws UnsupportedOperationException if a column of the rows has not the type of the table's
   * @throws IllegalArgumentException if an option is one of batches alone
   */
  @Override
  public StreamingWrite toStreaming() {
    return new StreamWrite(
        new DrayageWrite(plan.ofStream(table.row()), table, commit, queryId), queryId);
  }

  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return begin();
  }

  /** For the tasks of a batch, or of an epoch. */
  FragmentWriterFactory begin() {
    try {
      WriteTransaction begun = WriteTransaction.begin(plan);
      transaction = begun;
      return new FragmentWriterFactory(plan.options(), begun.handle(), plan.found(), table);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private UncheckedIOException failed(IOException e) {
    return new UncheckedIOException("%s: %s".formatted(description(), e.getMessage()), e);
  }

  private WriteTransaction begun() {
    WriteTransaction begun = transaction;
    if (begun == null) {
      throw new IllegalStateException("the write has not begun");
    }
    return begun;
  }

  /** Ends the job early if it cannot be committed any more. */
  @Override
  public void onDataWriterCommit(WriterCommitMessage message) {
    try {
      begun().requireAlive();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    commit(messages, plan.app());
  }

  void commit(WriterCommitMessage[] messages, @Nullable AppVersion app) {
    List<UUID> fragments = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      Written written = (Written) message;
      fragments.addAll(written.fragments());
      written.rest().forEach((name, value) -> rest.merge(name, value, Long::sum));
    }
    try {
      commit.run(begun(), fragments, app);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** What is committed stays so: a commit whose answer was lost is not undone. */
  @Override
  public void abort(WriterCommitMessage[] messages) {
    WriteTransaction begun = transaction;
    if (begun != null) {
      begun.close();
    }
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return WriteMetrics.supported();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return WriteMetrics.ofDriver(transaction, rest);
  }
}
