package io.drayage.spark;

import io.drayage.spark.write.DrayageWriteBuilder;
import io.drayage.spark.write.WritePlan;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * An {@code UPDATE}, {@code DELETE} or {@code MERGE}: what it reads of its table and what it writes
 * are of one snapshot, in which a row is known by its number.
 *
 * @param rowColumn the name of the column of numbers
 * @param scan plans to read the snapshot of {@code plan}
 */
record RowLevelChange(Command command, String rowColumn, Supplier<ScanBuilder> scan, WritePlan plan)
    implements SupportsDelta {
  @Override
  public NamedReference[] rowId() {
    return new NamedReference[] {Expressions.column(rowColumn)};
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return scan.get();
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DrayageWriteBuilder(plan, info);
  }
}
