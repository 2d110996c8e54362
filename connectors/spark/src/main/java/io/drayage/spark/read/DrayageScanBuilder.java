package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans the columns, the pages and the snapshot of a read, so that all tasks read the same. Filters
 * and limits only leave out pages; Spark applies them to the rows that are read. Not thread-safe.
 */
public final class DrayageScanBuilder
    implements SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownAggregates,
        SupportsPushDownLimit {
  private final DrayageOptions options;
  private final TableDescription table;
  private final LogPosition found;
  private final boolean isNewest;
  private StructType columns;
  private Predicate[] filters = {};
  private boolean isFiltered;
  private @Nullable Integer limit;
  private @Nullable PlannedSnapshot planned;

  /** The row of the pushed aggregates; null if none are pushed. */
  private @Nullable CountedRow counted;

  private StreamOptions stream = StreamOptions.NONE;

  /**
   * @param found the snapshot in which the table was found
   * @param isNewest whether to read the snapshot that is the newest when the scan is planned;
   *     otherwise the found one
   */
  public DrayageScanBuilder(
      DrayageOptions options, TableDescription table, LogPosition found, boolean isNewest) {
    this.options = options;
    this.table = table;
    this.found = found;
    this.isNewest = isNewest;
    this.columns = table.toSpark();
  }

  /** Reads the options of a stream. */
  public DrayageScanBuilder with(CaseInsensitiveStringMap given) {
    stream = StreamOptions.of(given);
    return this;
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  /** Returns all filters, because Spark has to evaluate them on the rows that are read. */
  @Override
  public Predicate[] pushPredicates(Predicate[] given) {
    isFiltered = given.length > 0;
    filters = Arrays.stream(given).filter(PageFilter::isKnown).toArray(Predicate[]::new);
    return given;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return filters.clone();
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return count(aggregation) != null;
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    counted = count(aggregation);
    return counted != null;
  }

  private @Nullable CountedRow count(Aggregation aggregation) {
    Set<String> bounded = CountedRow.columns(table, aggregation);
    if (bounded == null || isFiltered) {
      return null;
    }
    try {
      TablePages pages = planned().pages(table.name(), bounded);
      return CountedRow.of(table, aggregation, pages, types(), description());
    } catch (IOException e) {
      throw table.failed(e);
    }
  }

  @Override
  public boolean pushLimit(int rows) {
    limit = isFiltered ? null : (Integer) rows;
    return !isFiltered;
  }

  private PlannedSnapshot planned() throws IOException {
    if (planned == null) {
      DrayageSession session = DrayageSession.of(options);
      LogPosition published = session.published();
      if (!published.database().equals(found.database())) {
        throw ForeignDatabaseException.ofEntry(session.store().name(), found, published);
      }
      planned = PlannedSnapshot.of(options, isNewest ? published : found);
    }
    return planned;
  }

  private Map<String, DataType> types() {
    return Arrays.stream(table.toSpark().fields())
        .collect(Collectors.toMap(StructField::name, StructField::dataType));
  }

  private String description() throws IOException {
    return format("Drayage table %s, snapshot %d", table.name(), planned().position().timestamp());
  }

  @Override
  public Scan build() {
    if (counted != null) {
      stream.requireNone("table " + table.name());
      return counted;
    }
    try {
      return new DrayageScan(options, table, columns, planned(), selected(), description(), stream);
    } catch (IOException e) {
      throw table.failed(e);
    }
  }

  /** Selects the pages to read. */
  private PageSelection selected() throws IOException {
    if ((filters.length == 0 && limit == null)
        || planned().size(table.name()).rows() <= ColumnValues.DEFAULT_ROWS_PER_PAGE) {
      return PageSelection.ALL;
    }
    Set<String> bounded =
        Arrays.stream(filters)
            .flatMap(filter -> Arrays.stream(filter.references()))
            .map(column -> column.fieldNames()[0])
            .filter(column -> table.schema().indexOf(column) >= 0)
            .collect(Collectors.toSet());
    TablePages pages = planned().pages(table.name(), bounded);
    BitSet selected =
        filters.length > 0
            ? pages.matching(filters, types(), table.rowColumn())
            : pages.first(limit == null ? Long.MAX_VALUE : limit);
    String by =
        filters.length > 0 ? "filters " + Arrays.toString(filters) : format("limit %d", limit);
    return new PageSelection(selected, pages.count(), pages.readBytes(), by);
  }
}
