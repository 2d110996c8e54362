package io.drayage.spark.read;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/** Plans a read of changes, with some columns and of some snapshots. Not thread-safe. */
final class ChangesScanBuilder
    implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters {
  private final TableChangelog changelog;
  private final StreamOptions stream;
  private final List<Predicate> pushed = new ArrayList<>();
  private StructType columns;

  /** The snapshots that the filters accept. */
  private long from = 0;

  private long to = Long.MAX_VALUE;

  ChangesScanBuilder(TableChangelog changelog, StreamOptions stream) {
    this.changelog = changelog;
    this.stream = stream;
    this.columns = changelog.schema();
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  /** Uses comparisons of the version. Spark evaluates all of them again. */
  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    for (Predicate predicate : predicates) {
      Expression[] parts = predicate.children();
      if (parts.length == 2
          && parts[0] instanceof NamedReference column
          && List.of(column.fieldNames()).equals(List.of(TableChangelog.VERSION))
          && parts[1] instanceof Literal<?> literal
          && literal.value() instanceof Long version
          && narrow(predicate.name(), version)) {
        pushed.add(predicate);
      }
    }
    return predicates;
  }

  private boolean narrow(String comparison, long version) {
    switch (comparison) {
      case "=" -> {
        from = Math.max(from, version);
        to = Math.min(to, version);
      }
      case ">" -> from = Math.max(from, version == Long.MAX_VALUE ? version : version + 1);
      case ">=" -> from = Math.max(from, version);
      case "<" -> to = Math.min(to, version == Long.MIN_VALUE ? version : version - 1);
      case "<=" -> to = Math.min(to, version);
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  @Override
  public Scan build() {
    try {
      DrayageSession session = DrayageSession.of(changelog.options());
      LogPosition published = session.published();
      LogPosition found = changelog.found();
      if (!published.database().equals(found.database())) {
        throw ForeignDatabaseException.ofEntry(session.store().name(), found, published);
      }
      long last = changelog.range().last(published.timestamp());
      return new ChangesScan(changelog, columns, from, Math.min(to, last), stream);
    } catch (IOException e) {
      throw changelog.table().failed(e);
    }
  }
}
