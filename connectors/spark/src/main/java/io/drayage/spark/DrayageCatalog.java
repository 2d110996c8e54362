package io.drayage.spark;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import io.drayage.cargo.TypesTable;
import io.drayage.database.LogPosition;
import io.drayage.spark.database.DatabaseTables;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageException.Condition;
import io.drayage.spark.database.DrayageOption;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.DrayageStore;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import io.drayage.spark.read.ChangeRange;
import io.drayage.spark.write.GivenNumber;
import io.drayage.spark.write.StagedDrayageTable;
import io.drayage.spark.write.StreamedTable;
import io.drayage.spark.write.WritePlan;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.classic.DataFrameWriter;
import org.apache.spark.sql.classic.DataStreamWriter;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * A Drayage database as a catalog of Spark: {@code spark.sql.catalog.NAME =
 * io.drayage.spark.DrayageCatalog}, with the options of {@link DrayageOption}. It has no
 * namespaces: a table has one name, which is also the key of Spark's data about it.
 */
public final class DrayageCatalog implements StagingTableCatalog, SupportsNamespaces {
  /** A table that the first epoch of a stream creates in a catalog. */
  private record Begun(DrayageCatalog catalog, StreamedTable table) {}

  /** The table of the stream that this thread starts; Spark loads the table next. */
  private static final ThreadLocal<@Nullable Begun> OF_STREAM = new ThreadLocal<>();

  private static final Set<String> WITHOUT_NUMBER =
      Set.of(ExplainCommand.class.getName(), DataFrameWriter.class.getName());

  private String name = "";
  private @Nullable DrayageOptions options;

  @Override
  public void initialize(String catalog, CaseInsensitiveStringMap given) {
    this.name = catalog;
    this.options = DrayageOptions.parse(catalog, given.asCaseSensitiveMap());
  }

  @Override
  public String name() {
    return name;
  }

  private DrayageOptions options() {
    if (options == null) {
      throw new IllegalStateException("a catalog is used before it is initialized");
    }
    return options;
  }

  private DatabaseTables newest() {
    try {
      DrayageSession session = DrayageSession.of(options());
      return session.tables(session.published());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(IOException e) {
    return DrayageException.of("catalog " + name, e);
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    requireRoot(namespace);
    return newest().names().stream()
        .map(table -> Identifier.of(namespace, table))
        .toArray(Identifier[]::new);
  }

  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    Begun begun = OF_STREAM.get();
    if (begun != null
        && begun.catalog.equals(this)
        && begun.table.name().equals(table.name())
        && startsStream()) {
      OF_STREAM.remove();
      return begun.table;
    }
    return load(table, null, GivenNumber.NONE);
  }

  /** Loads a table for a statement that writes it, and takes the number of the session. */
  @Override
  public Table loadTable(Identifier table, Set<TableWritePrivilege> privileges)
      throws NoSuchTableException {
    DrayageTable loaded = load(table, null, takesNumber() ? GivenNumber.take() : GivenNumber.NONE);
    loaded.requireRowKept(CurrentOrigin.get().sqlText().getOrElse(() -> ""));
    return loaded.written();
  }

  /**
   * Whether a table is loaded for a statement that runs and writes it. A statement that is only
   * explained does not run. A writer of a {@code Dataset} may load its table only to check that it
   * exists. Only the stack shows these cases.
   */
  private static boolean takesNumber() {
    return StackWalker.getInstance()
        .walk(frames -> frames.noneMatch(frame -> WITHOUT_NUMBER.contains(frame.getClassName())));
  }

  @Override
  public Table loadTable(Identifier table, String version) throws NoSuchTableException {
    try {
      return load(table, Long.valueOf(version.strip()), GivenNumber.NONE);
    } catch (NumberFormatException e) {
      throw new DrayageException(
          Condition.SNAPSHOT_NOT_FOUND,
          "table %s: a version is the number of a snapshot, not '%s'"
              .formatted(table.name(), version),
          e);
    }
  }

  @Override
  public Table loadTable(Identifier table, long timestamp) {
    throw new DrayageUnsupportedException(
        "table %s: snapshots are found by their numbers, not by a time: use VERSION AS OF"
            .formatted(table.name()));
  }

  /** Loads the changes of a table, with the columns that it has after the last of them. */
  @Override
  public Changelog loadChangelog(
      Identifier table, ChangelogContext context, CaseInsensitiveStringMap given)
      throws NoSuchTableException {
    try {
      ChangeRange range = ChangeRange.of(table.name(), context.range());
      if (range.end() != null) { // The table is searched there.
        range.requireKept(options(), table.name());
      }
      return load(table, range.end(), GivenNumber.NONE).changes(range, context.computeUpdates());
    } catch (DrayageUnsupportedException e) {
      throw e.notReplaced();
    }
  }

  private DrayageTable load(Identifier table, @Nullable Long snapshot, GivenNumber number)
      throws NoSuchTableException {
    DatabaseTables tables = snapshot == null ? newest() : tables(snapshot);
    TableDescription found = find(table, tables);
    if (found == null) {
      if (snapshot != null && find(table, newest()) != null) {
        throw new DrayageException(
            Condition.SNAPSHOT_NOT_FOUND,
            format(
                "table %s did not exist in snapshot %d: it was created in a later one",
                table.name(), snapshot));
      }
      throw new NoSuchTableException(table);
    }
    return table(found, tables.snapshot(), snapshot != null, number);
  }

  private DrayageTable table(
      TableDescription found, LogPosition snapshot, boolean asked, GivenNumber number) {
    try {
      return new DrayageTable(
          options(), DrayageStore.of(options()).name(), found, snapshot, asked, number);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private DatabaseTables tables(long snapshot) {
    try {
      DrayageSession session = DrayageSession.of(options());
      return session.tables(session.snapshot(snapshot));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static @Nullable TableDescription find(Identifier table, DatabaseTables tables) {
    TableDescription found = isRoot(table.namespace()) ? tables.find(table.name()) : null;
    return found == null
            || found.name().equals(table.name())
            || !SQLConf.get().caseSensitiveAnalysis()
        ? found
        : null; // Spark would keep a table of its own for it.
  }

  @Override
  public Table createTable(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    WritePlan plan = newTable(table, info);
    if (startsStream()) {
      StreamedTable made = new StreamedTable(plan);
      OF_STREAM.set(new Begun(this, made));
      return made;
    }
    try {
      DrayageOption.requireKnownSettings();
      plan.run();
    } catch (DrayageException e) {
      if (e.condition() == Condition.CONFLICT) { // Created meanwhile; IF NOT EXISTS allows it.
        TableAlreadyExistsException there = new TableAlreadyExistsException(table);
        there.addSuppressed(e);
        throw there;
      }
      throw e;
    }
    DatabaseTables tables = newest();
    TableDescription made = tables.find(plan.table().name());
    return table(made == null ? plan.table() : made, tables.snapshot(), false, GivenNumber.NONE);
  }

  /**
   * Whether a stream is starting. Spark creates its table before it checks the stream's mode and
   * options. Only the stack shows this case.
   */
  private static boolean startsStream() {
    String writer = DataStreamWriter.class.getName();
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getMethodName().equals("toTable")
                            && frame.getClassName().equals(writer)));
  }

  @Override
  public StagedTable stageCreate(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return new StagedDrayageTable(newTable(table, info));
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return StagedDrayageTable.metrics();
  }

  private WritePlan newTable(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    TableDescription described = describe(table, info);
    DatabaseTables tables = newest();
    if (tables.find(table.name()) != null) {
      throw new TableAlreadyExistsException(table);
    }
    return WritePlan.create(options(), described, tables.snapshot());
  }

  @Override
  public StagedTable stageReplace(Identifier table, TableInfo info)
      throws NoSuchNamespaceException, NoSuchTableException {
    TableDescription described = describe(table, info);
    DatabaseTables tables = newest();
    TableDescription found = find(table, tables);
    if (found == null) {
      throw new NoSuchTableException(table);
    }
    return new StagedDrayageTable(
        WritePlan.replace(options(), described.as(found.name()), tables.snapshot()));
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier table, TableInfo info)
      throws NoSuchNamespaceException {
    TableDescription described = describe(table, info);
    DatabaseTables tables = newest();
    TableDescription found = find(table, tables);
    return new StagedDrayageTable(
        found == null
            ? WritePlan.create(options(), described, tables.snapshot())
            : WritePlan.replace(options(), described.as(found.name()), tables.snapshot()));
  }

  private static TableDescription describe(Identifier table, TableInfo info)
      throws NoSuchNamespaceException {
    requireRoot(table.namespace());
    if (info.partitions().length > 0) {
      throw new DrayageUnsupportedException(
          "table %s: tables of a Drayage database are not partitioned, bucketed or clustered: leave %s out"
              .formatted(table.name(), clause(info.partitions()[0].name())));
    }
    if (info.properties().containsKey(TableCatalog.PROP_LOCATION)) {
      throw new DrayageUnsupportedException(
          "table %s: a table lies in the store of its database: leave LOCATION out"
              .formatted(table.name()));
    }
    if (Names.folded(table.name()).equals(TypesTable.NAME)) {
      throw new DrayageUnsupportedException(
          "table %s says what columns are, and cannot be made".formatted(table.name()));
    }
    StructType schema = new StructType();
    for (Column column : info.columns()) {
      schema = schema.add(column.name(), column.dataType(), column.nullable());
    }
    return TableDescription.of(table.name(), schema);
  }

  /** Returns the clause that the user wrote. */
  private static String clause(String transform) {
    return switch (transform) {
      case "bucket", "sorted_bucket" -> "CLUSTERED BY (bucketBy)";
      case "cluster_by" -> "CLUSTER BY (clusterBy)";
      default -> "PARTITIONED BY (partitionBy)";
    };
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) {
    throw refused("altered", table);
  }

  @Override
  public boolean dropTable(Identifier table) {
    DatabaseTables tables = newest();
    TableDescription found = find(table, tables);
    if (found == null) {
      return false;
    }
    if (found.name().equals(TypesTable.NAME)) {
      throw new DrayageUnsupportedException(
          "table %s says what columns are, and cannot be dropped".formatted(found.name()));
    }
    WritePlan.drop(options(), found, tables.snapshot()).run();
    return true;
  }

  @Override
  public void renameTable(Identifier table, Identifier other) {
    throw refused("renamed", table);
  }

  private static DrayageUnsupportedException refused(String what, Identifier table) {
    return new DrayageUnsupportedException(
        "table %s cannot be %s: it can be dropped, or replaced by another one"
            .formatted(table.name(), what));
  }

  private static boolean isRoot(String[] namespace) {
    return namespace.length == 0;
  }

  private static void requireRoot(String[] namespace) throws NoSuchNamespaceException {
    if (!isRoot(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
  }

  @Override
  public String[][] listNamespaces() {
    return new String[0][];
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    requireRoot(namespace);
    return listNamespaces();
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return isRoot(namespace);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    requireRoot(namespace);
    return Map.of();
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata) {
    throw refusedNamespace();
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) {
    throw refusedNamespace();
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade) {
    throw refusedNamespace();
  }

  private DrayageUnsupportedException refusedNamespace() {
    return new DrayageUnsupportedException(
        "catalog %s has no namespaces: a table is %s.TABLE".formatted(name, name));
  }
}
