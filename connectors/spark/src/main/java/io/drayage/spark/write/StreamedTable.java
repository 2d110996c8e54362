package io.drayage.spark.write;

import io.drayage.frame.AppVersion;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A table that a stream creates with the rows of its first epoch. A stream that is refused before
 * it has written creates no table. Used by one query.
 */
public final class StreamedTable implements SupportsWrite {
  private final WritePlan first;

  /** Appends to the table; null before an epoch is committed. */
  private volatile @Nullable WritePlan next;

  private final Column[] columns;

  /**
   * Creates an object for a missing table.
   *
   * @param first creates the table
   */
  public StreamedTable(WritePlan first) {
    this.first = first;
    this.columns = first.table().sparkColumns();
  }

  @Override
  public String name() {
    return first.table().name();
  }

  @Override
  public Column[] columns() {
    return columns.clone();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.STREAMING_WRITE, TableCapability.TRUNCATE);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    WritePlan plan = next;
    return new DrayageWriteBuilder(plan == null ? first : plan, info, this::commit);
  }

  private void commit(
      WriteTransaction transaction, List<UUID> fragments, @Nullable AppVersion epoch)
      throws IOException {
    transaction.commit(fragments, epoch);
    if (next == null) {
      TableDescription made = first.table().madeIn(transaction.snapshot());
      next = WritePlan.append(first.options(), made, first.found());
    }
  }
}
