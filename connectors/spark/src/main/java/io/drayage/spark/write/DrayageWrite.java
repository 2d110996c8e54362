package io.drayage.spark.write;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.AppVersion;
import io.drayage.frame.TransactionRequest;
import io.drayage.spark.database.DrayageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
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
 * One transaction at the driver, which tasks of Spark fill. Spark's commit coordinator is off: any
 * attempt may finish, and only the attempts that Spark passes to the commit count. Used by one
 * thread at a time, except for {@link #onDataWriterCommit}.
 */
final class DrayageWrite implements DeltaWrite, DeltaBatchWrite {
  private final WritePlan plan;
  private final TaskTable table;
  private final Commit commit;
  private final String queryId;

  /** Fragments of the tasks that have ended. */
  private final AtomicInteger sent = new AtomicInteger();

  /** Null before it has begun. */
  private volatile @Nullable WriteTransaction transaction;

  /** Values of metrics that tasks have not reported, by their names. */
  private final Map<String, Long> rest = new HashMap<>();

  /** Called when all tasks have ended, with the number of the write. */
  interface Commit {
    Commit AT_ONCE = WriteTransaction::commit;

    void run(WriteTransaction transaction, List<UUID> fragments, @Nullable AppVersion app)
        throws IOException;
  }

  /**
   * @param queryId of a stream; it stays the same when the stream is started again
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

  /** Begins the write. Spark calls this before any task. */
  @Override
  public DeltaBatchWrite toBatch() {
    plan.takeApp();
    return this;
  }

  /**
   * @throws UnsupportedOperationException if a column of the rows has another type than the
   *     table's, or an option is for batches only
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
    return begin(info);
  }

  /**
   * Begins a batch or an epoch, for its tasks.
   *
   * @throws DrayageException if there are more tasks than a transaction can have fragments
   */
  FragmentWriterFactory begin(PhysicalWriteInfo info) {
    requireFragments("could send", info.numPartitions());
    sent.set(0);
    try {
      WriteTransaction begun = WriteTransaction.begin(plan);
      transaction = begun;
      return new FragmentWriterFactory(plan.options(), begun.handle(), plan.found(), table);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void requireFragments(String how, int fragments) {
    if (fragments > TransactionRequest.MAX_FRAGMENTS) {
      throw new DrayageException(
          DrayageException.Condition.TOO_LARGE,
          format(
              "%s: the tasks %s %,d fragments, and a transaction has at most %,d: give the rows"
                  + " fewer partitions, as by coalesce, or write them by several statements",
              description(), how, fragments, TransactionRequest.MAX_FRAGMENTS));
    }
  }

  private RuntimeException failed(IOException e) {
    return DrayageException.of(description(), e);
  }

  /** Returns the table's name. */
  String table() {
    return table.name();
  }

  private WriteTransaction begun() {
    WriteTransaction begun = transaction;
    if (begun == null) {
      throw new IllegalStateException("the write has not begun");
    }
    return begun;
  }

  /** Ends the job early if its transaction cannot be committed any more. */
  @Override
  public void onDataWriterCommit(WriterCommitMessage message) {
    requireFragments("have sent", sent.addAndGet(((Written) message).fragments().size()));
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

  /** Aborts the transaction, but not a commit whose answer was lost. */
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
