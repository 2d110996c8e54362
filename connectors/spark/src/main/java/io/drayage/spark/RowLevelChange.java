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
 * An {@code UPDATE}, {@code DELETE} or {@code MERGE}: what it reads of its table and what it writes
 * are of one snapshot, in which a row is known by its number.
 *
 * @param rowColumn the name of the column of numbers
 * @param scan plans to read the snapshot of {@code plan}
 */
record RowLevelChange(Command command, String rowColumn, Supplier<ScanBuilder> scan, WritePlan plan)
    implements SupportsDelta {
  /**
   * Refuses a statement that sets the number of a row. Spark drops the assignment from most of them
   * before we are asked; their text has it still. A {@code MERGE} that only inserts is seen where
   * its table is loaded alone, an {@code UPDATE} behind {@code WITH} where the change is planned
   * alone.
   *
   * @param statement its SQL; empty if there is none, for what is not seen then
   * @throws io.drayage.spark.database.DrayageUnsupportedException if so
   */
  static void requireRowKept(TableDescription table, String statement) {
    String row = table.rowColumn();
    if (Names.folded(statement).contains(row) && assigned(statement).contains(row)) {
      throw table.rowIsSet();
    }
  }

  /** The columns, in lower case, that a statement assigns to; none if it cannot be told. */
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
      // With parameters, Spark may have another text than the one that it has parsed.
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
          "a MERGE cannot name %s, which Spark does not hand from its rows to those it writes: change rows by their numbers with UPDATE or DELETE"
              .formatted(rowColumn));
    }
    return new DrayageWriteBuilder(plan, info);
  }
}
