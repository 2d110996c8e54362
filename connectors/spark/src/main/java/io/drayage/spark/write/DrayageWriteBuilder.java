package io.drayage.spark.write;

import io.drayage.cargo.ColumnSchema;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageUnsupportedException;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.WriteBuilder;

/** Plans a write of one query. Not thread-safe. */
public final class DrayageWriteBuilder implements SupportsTruncate, DeltaWriteBuilder {
  private final LogicalWriteInfo info;
  private final DrayageWrite.Commit commit;
  private WritePlan plan;

  /**
   * Creates a write that is committed when its tasks have ended.
   *
   * @throws DrayageException if the query's options are wrong
   * @throws UnsupportedOperationException if the table has a column that Spark must not write
   */
  public DrayageWriteBuilder(WritePlan plan, LogicalWriteInfo info) {
    this(plan, info, DrayageWrite.Commit.AT_ONCE);
  }

  DrayageWriteBuilder(WritePlan plan, LogicalWriteInfo info, DrayageWrite.Commit commit) {
    this.info = info;
    this.commit = commit;
    this.plan = plan.with(info.options());
    ColumnSchema unwritable = plan.table().unwritable();
    // Deleted rows have no values.
    if (unwritable != null && !info.schema().isEmpty()) {
      throw new DrayageUnsupportedException(
          "column '%s' of table '%s' cannot hold all values of %s, which Spark does not check: use 'cargo import'"
              .formatted(unwritable.name(), plan.table().name(), unwritable.type()));
    }
  }

  @Override
  public WriteBuilder truncate() {
    plan = plan.deletingAll();
    return this;
  }

  @Override
  public DeltaWrite build() {
    TaskTable rows =
        TaskTable.of(plan.table(), plan.isNew(), info.rowIdSchema().isPresent(), info.schema());
    return new DrayageWrite(plan, rows, commit, info.queryId());
  }
}
