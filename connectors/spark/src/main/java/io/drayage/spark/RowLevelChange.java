package io.drayage.spark;

import io.drayage.cargo.Names;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import io.drayage.spark.write.DrayageWriteBuilder;
import io.drayage.spark.write.WritePlan;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Assignment;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * An {@code UPDATE}, {@code DELETE} or {@code MERGE}. It reads and changes the rows of one
 * snapshot, which their numbers identify.
 *
 * @param rowColumn the name of the column of numbers
 * @param scan plans to read the snapshot of {@code plan}
 */
record RowLevelChange(Command command, String rowColumn, Supplier<ScanBuilder> scan, WritePlan plan)
    implements SupportsDelta {
  /**
   * Refuses a statement that sets the number of a row. Spark drops the assignment from most
   * statements before it calls this connector, but not from their text. A {@code MERGE} that only
   * inserts is checked when its table is loaded, an {@code UPDATE} after {@code WITH} when the
   * change is planned.
   *
   * @param statement its SQL; empty if unknown, then nothing is refused
   * @throws io.drayage.spark.database.DrayageUnsupportedException if it does
   */
  static void requireRowKept(TableDescription table, String statement) {
    String row = table.rowColumn();
    if (Names.folded(statement).contains(row) && assigned(statement).contains(row)) {
      throw table.rowIsSet();
    }
  }

  /** Returns the columns, in lower case, that a statement assigns to; empty if unknown. */
  private static Set<String> assigned(String statement) {
    Set<String> names = new HashSet<>();
    try {
      SparkSession session = SparkSession.active();
      LogicalPlan parsed = session.sessionState().sqlParser().parsePlan(statement);
      for (Expression each : CollectionConverters.asJava(parsed.expressions())) {
        each.foreach(
            expression -> {
              if (expression instanceof Assignment assignment
                  && assignment.key() instanceof UnresolvedAttribute column) {
                names.add(Names.folded(column.nameParts().last()));
              }
              return BoxedUnit.UNIT;
            });
      }
    } catch (Exception e) {
      // The text of a statement with parameters may differ from the parsed one.
      names.clear();
    }
    return names;
  }

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
    if (command == Command.MERGE
        && Stream.of(info.schema().fieldNames()).anyMatch(rowColumn::equalsIgnoreCase)) {
      throw new DrayageUnsupportedException(
          "a MERGE cannot name %s, which Spark does not pass on to the rows that it writes: change rows by their numbers with UPDATE or DELETE"
              .formatted(rowColumn));
    }
    return new DrayageWriteBuilder(plan, info);
  }
}
