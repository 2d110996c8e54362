package io.drayage.spark.write;

import io.drayage.frame.AppVersion;
import io.drayage.spark.database.DrayageException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * A table that is created, or replaced, with its rows in one commit, so that a failed job changes
 * nothing. Not thread-safe.
 */
public final class StagedDrayageTable implements StagedTable, SupportsWrite {
  private final WritePlan plan;
  private final Column[] columns;

  /** The transaction of its tasks; null if no rows were written. */
  private @Nullable WriteTransaction filled;

  private List<UUID> fragments = List.of();

  /**
   * Takes the number that the session gives the statement.
   *
   * @param plan for the commit of the staged changes
   * @throws DrayageException if an option of the session is unknown or has a wrong value
   */
  public StagedDrayageTable(WritePlan plan) {
    this.plan = plan.with(CaseInsensitiveStringMap.empty());
    this.plan.takeApp();
    this.columns = plan.table().sparkColumns();
  }

  /** Returns the metrics of {@link #reportDriverMetrics} and of its tasks. */
  public static CustomMetric[] metrics() {
    return WriteMetrics.supported();
  }

  @Override
  public String name() {
    return plan.table().name();
  }

  @Override
  public Column[] columns() {
    return columns.clone();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DrayageWriteBuilder(plan, info, this::fill);
  }

  private void fill(WriteTransaction transaction, List<UUID> sent, @Nullable AppVersion unused) {
    filled = transaction;
    fragments = sent;
  }

  @Override
  public void commitStagedChanges() {
    WriteTransaction transaction = filled;
    if (transaction == null) {
      plan.run();
      return;
    }
    try {
      transaction.commit(fragments);
    } catch (IOException e) {
      throw plan.table().failed(e);
    }
  }

  @Override
  public void abortStagedChanges() {
    WriteTransaction transaction = filled;
    if (transaction != null) {
      transaction.close();
    }
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return WriteMetrics.ofDriver(filled, Map.of());
  }
}
