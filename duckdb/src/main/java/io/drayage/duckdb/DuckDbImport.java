package io.drayage.duckdb;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cli.tables.ImportPlan;
import io.drayage.cli.tables.ImportedTables;
import io.drayage.cli.tables.JdbcSource;
import io.drayage.cli.tables.TableException;
import io.drayage.codec.pool.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** An import by DuckDB. Not thread-safe, but for the pages of its cargo. */
final class DuckDbImport implements ImportedTables {
  /** What is held in memory, rather than read column by column. */
  private static final long MAX_SMALL_VALUES = 1 << 22;

  /** Each query looks at what a Parquet file says of all of its columns. */
  private static final int MAX_SEARCHED_COLUMNS = 200;

  private final WorkFolder folder = new WorkFolder();
  private final BufferAllocator memory = new RootAllocator();
  private final ExecutorService ahead =
      Executors.newSingleThreadExecutor(new DaemonThreads("import-ahead"));
  private final IdentityHashMap<ColumnValues, ColumnStream> streams = new IdentityHashMap<>();
  private final List<String> types = new ArrayList<>();
  private final Consumer<String> progress;
  private final Sql sql;
  private final Staging staging;
  private final ReadColumns read;
  private final ChangeCargo cargo;
  private long rows;

  DuckDbImport(ImportPlan plan, Consumer<String> progress) throws IOException {
    this.progress = progress;
    this.sql = new Sql(folder.path());
    this.staging = new Staging(sql, memory);
    this.read = new ReadColumns(progress);
    try {
      staging.attach(plan);
      this.cargo = cargo(plan);
    } catch (Throwable e) {
      try {
        close();
      } catch (RuntimeException after) {
        e.addSuppressed(after);
      }
      throw e;
    }
  }

  private ChangeCargo cargo(ImportPlan plan) throws IOException {
    JdbcSource source = plan.jdbc();
    try (JdbcTables jdbc = source == null ? null : new JdbcTables(source)) {
      return cargo(plan, jdbc);
    }
  }

  private ChangeCargo cargo(ImportPlan plan, @Nullable JdbcTables jdbc) throws IOException {
    boolean isUpdate = !plan.keys().isEmpty();
    List<Relation> relations = new ArrayList<>();
    for (Map.Entry<String, Path> each : plan.files().entrySet()) {
      progress.accept("reads " + each.getValue());
      String from = staging.ofFile(each.getValue(), isUpdate);
      relations.add(Relation.of(sql, each.getKey(), from));
    }
    for (Map.Entry<String, String> each : plan.selects().entrySet()) {
      progress.accept("selects " + each.getKey());
      String select = SqlText.only(each.getKey(), each.getValue());
      String from =
          jdbc == null
              ? staging.ofQuery(select)
              : jdbc.stage(each.getKey(), select, staging, memory);
      relations.add(Relation.of(sql, each.getKey(), from));
    }
    ChangeCargo.Builder builder = ChangeCargo.builder(plan.transactionId(), plan.baseSnapshot());
    for (Relation relation : relations) {
      rows += sql.number("SELECT count(*) FROM " + relation.from());
      for (Relation.Column column : relation.columns()) {
        types.add("%s.%s: %s".formatted(relation.table(), column.name(), column.type().mapping()));
      }
      add(
          builder,
          isUpdate
              ? changes(plan.oldFiles().get(relation.table()), plan.keys(), relation)
              : new Changes(relation, List.of(), null));
    }
    if (!isUpdate) {
      KeptTypes.add(relations, builder);
    }
    return builder.build();
  }

  /** New values of a column, and the rows that they go to. */
  private record Updated(Relation.Column column, String from) {}

  private record Changes(Relation inserted, List<Updated> updated, @Nullable RowBits deleted) {}

  private void add(ChangeCargo.Builder builder, Changes changes) throws IOException {
    Relation relation = changes.inserted;
    long rows = sql.number("SELECT count(*) FROM " + relation.from());
    List<Relation.Column> columns = relation.columns();
    if (rows == 0 && !changes.updated.isEmpty()) {
      columns = List.of(); // Columns without rows would say that rows are inserted.
    }
    List<InsertedColumn> inserted =
        rows * columns.size() <= MAX_SMALL_VALUES
            ? WholeTable.read(sql, memory, relation.from(), columns, (int) rows)
            : streamed(relation, rows);
    List<ColumnUpdates> updates = new ArrayList<>();
    for (Updated updated : changes.updated) {
      long count = sql.number("SELECT count(*) FROM " + updated.from);
      updates.add(
          new ColumnUpdates(
              updated.column.name(),
              stream(Sql.name("row"), updated.from, ColumnType.LONG, count, false),
              stream(
                  updated.column.projection(),
                  updated.from,
                  updated.column.type().type(),
                  count,
                  true)));
    }
    builder.table(
        relation.table(),
        table -> {
          inserted.forEach(column -> table.insert(column.column(), column.values()));
          updates.forEach(
              update -> table.update(update.column(), update.rowIds(), update.values()));
          if (changes.deleted != null) {
            table.delete(changes.deleted);
          }
        });
  }

  /** Its columns, each to be read by itself; of many, out of a table that can be sought in. */
  private List<InsertedColumn> streamed(Relation relation, long rows) throws IOException {
    String from =
        relation.columns().size() <= MAX_SEARCHED_COLUMNS
            ? relation.from()
            : staging.ofQuery("SELECT * FROM " + relation.from());
    Set<String> nullable = ColumnFacts.nullable(sql, relation.columns(), from, rows);
    Map<String, Integer> textBytes = ColumnFacts.typicalTextBytes(sql, relation.columns(), from);
    List<InsertedColumn> columns = new ArrayList<>();
    for (Relation.Column column : relation.columns()) {
      ColumnValues values =
          stream(
              column.projection(),
              from,
              column.type().type(),
              rows,
              nullable.contains(column.name()),
              textBytes.getOrDefault(column.name(), 0));
      columns.add(new InsertedColumn(column.name(), values));
    }
    return columns;
  }

  private ColumnValues stream(
      String projection, String from, ColumnType type, long rows, boolean nullable)
      throws IOException {
    return stream(projection, from, type, rows, nullable, 0);
  }

  private ColumnValues stream(
      String projection,
      String from,
      ColumnType type,
      long rows,
      boolean nullable,
      int typicalTextBytes)
      throws IOException {
    String query = "SELECT %s FROM %s".formatted(projection, from);
    ColumnStream stream =
        new ColumnStream(sql, memory, ahead, query, type, rows, nullable, typicalTextBytes, read);
    streams.put(stream.values(), stream);
    read.expect(rows);
    return stream.values();
  }

  private Changes changes(Path oldFile, List<String> keys, Relation now) throws IOException {
    Relation old = Relation.of(sql, now.table(), staging.ofFile(oldFile, true));
    if (!old.columns().equals(now.columns())) {
      throw new TableException(
          "table '%s': the old columns %s are not the new %s"
              .formatted(now.table(), describe(old), describe(now)));
    }
    String using = keys.stream().map(Sql::name).collect(Collectors.joining(", "));
    for (String key : keys) {
      if (now.columns().stream().noneMatch(column -> column.name().equals(key))) {
        throw new TableException(
            "--updates %s: table '%s' has no such column, only %s"
                .formatted(key, now.table(), describe(now)));
      }
    }
    requireUnique(using, now, "--table");
    requireUnique(using, old, "--old");
    Relation inserted =
        Relation.of(
            sql,
            now.table(),
            staging.ofQuery(
                "SELECT n.* FROM %s n ANTI JOIN %s o USING (%s) ORDER BY n.rowid"
                    .formatted(now.from(), old.from(), using)));
    List<Updated> updated = new ArrayList<>();
    for (Relation.Column column : now.columns()) {
      String name = Sql.name(column.name());
      if (!keys.contains(column.name())) {
        String from =
            staging.ofQuery(
                "SELECT o.rowid AS \"row\", n.%s FROM %s o JOIN %s n USING (%s) WHERE n.%s IS DISTINCT FROM o.%s ORDER BY 1"
                    .formatted(name, old.from(), now.from(), using, name, name));
        if (sql.number("SELECT count(*) FROM " + from) > 0) {
          updated.add(new Updated(column, from));
        }
      }
    }
    return new Changes(inserted, updated, deleted(old, now, using));
  }

  private static String describe(Relation relation) {
    return relation.columns().stream()
        .map(column -> column.name() + " " + column.type().name())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private void requireUnique(String using, Relation relation, String option) throws IOException {
    List<List<String>> twice =
        sql.rows(
            "SELECT %s, count(*) FROM %s GROUP BY ALL HAVING count(*) > 1 LIMIT 1"
                .formatted(using, relation.from()));
    if (!twice.isEmpty()) {
      throw new TableException(
          "%s of '%s': rows are found by %s, but %s has %s rows"
              .formatted(
                  option,
                  relation.table(),
                  using,
                  twice.get(0).subList(0, twice.get(0).size() - 1),
                  twice.get(0).get(twice.get(0).size() - 1)));
    }
  }

  private @Nullable RowBits deleted(Relation old, Relation now, String using) throws IOException {
    String gone =
        staging.ofQuery(
            "SELECT o.rowid AS \"row\" FROM %s o ANTI JOIN %s n USING (%s) ORDER BY 1"
                .formatted(old.from(), now.from(), using));
    long count = sql.number("SELECT count(*) FROM " + gone);
    if (count == 0) {
      return null;
    }
    RowBits deleted = new RowBits(sql.number("SELECT count(*) FROM " + old.from()));
    ColumnValues rows = stream(Sql.name("row"), gone, ColumnType.LONG, count, false);
    for (int page = 0; page < rows.pageCount(); page++) {
      long[] ids = (long[]) rows.page(page);
      for (int i = 0; i < rows.rowsInPage(page); i++) {
        deleted.set(ids[i]);
      }
    }
    return deleted;
  }

  @Override
  public ChangeCargo cargo() {
    return cargo;
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public List<String> types() {
    return List.copyOf(types);
  }

  @Override
  public long digest() {
    CargoDigest.Combiner combined = new CargoDigest.Combiner(new UUID(0, 0), 0);
    for (TableChanges table : cargo.tables()) {
      combined.table(table.table());
      for (InsertedColumn column : table.insertedColumns()) {
        combined.inserted(column.column());
        add(column.values(), combined);
      }
      for (ColumnUpdates update : table.updates()) {
        combined.updated(update.column());
        add(update.rowIds(), combined);
        add(update.values(), combined);
      }
      RowBits deleted = table.deletedRows();
      if (deleted != null) {
        combined.deleted(deleted.size(), CargoDigest.ofBits(deleted, 0));
      }
    }
    return combined.digest();
  }

  private void add(ColumnValues values, CargoDigest.Combiner combined) {
    ColumnStream stream = streams.get(values);
    combined.values(
        values.type(),
        values.rowCount(),
        stream == null ? CargoDigest.ofColumn(values) : stream.digest());
  }

  @Override
  public void close() {
    streams.values().forEach(ColumnStream::close);
    ahead.shutdownNow();
    sql.close();
    memory.close();
    folder.close();
  }
}
