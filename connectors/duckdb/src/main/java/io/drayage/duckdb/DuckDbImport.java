package io.drayage.duckdb;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.Names;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TypesTable;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.TableException;
import io.drayage.tables.TableFile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** An import by DuckDB. Not thread-safe, except for the pages of its cargo. */
final class DuckDbImport implements ImportedTables {
  /** The limit of values for a table in memory. A larger table is read column by column. */
  private static final long MAX_SMALL_VALUES = 1 << 22;

  /** The limit of columns in a search, because each query reads the metadata of all columns. */
  static final int MAX_SEARCHED_COLUMNS = 200;

  private final WorkFolder folder = new WorkFolder();
  private final BufferAllocator memory = new RootAllocator();
  private final ExecutorService ahead =
      Executors.newSingleThreadExecutor(new DaemonThreads("import-ahead"));
  private final IdentityHashMap<ColumnValues, ColumnStream> streams = new IdentityHashMap<>();
  private final List<String> types = new ArrayList<>();

  /** Parquet files by their tables. */
  private final Map<String, Path> parquet = new HashMap<>();

  private final Consumer<String> progress;
  private final SourceFiles files;
  private final Sql sql;
  private final Staging staging;
  private final ReadColumns read;
  private final ChangeCargo cargo;
  private long rows;

  DuckDbImport(ImportPlan plan, Consumer<String> progress) throws IOException {
    this.progress = progress;
    this.files = SourceFiles.of(plan);
    this.sql = new Sql(folder.path());
    this.staging = new Staging(sql, memory);
    this.read = new ReadColumns(progress);
    try (Begun begun = new Begun(this::close)) {
      staging.attach(plan);
      this.cargo = begun.keep(cargo(plan));
    }
  }

  private ChangeCargo cargo(ImportPlan plan) throws IOException {
    JdbcSource source = plan.jdbc();
    ChangeCargo made;
    try (JdbcTables jdbc = source == null ? null : new JdbcTables(source)) {
      made = cargo(plan, jdbc);
    } catch (IOException | RuntimeException e) {
      files.requireUnchanged(e);
      throw e;
    }
    files.requireUnchanged(null);
    return made;
  }

  private ChangeCargo cargo(ImportPlan plan, @Nullable JdbcTables jdbc) throws IOException {
    boolean isUpdate = !plan.keys().isEmpty();
    requireNames(plan);
    TypeCasts casts = new TypeCasts(sql, plan.types());
    List<Relation> relations = new ArrayList<>();
    for (Map.Entry<String, Path> each : plan.files().entrySet()) {
      progress.accept("reads " + each.getValue());
      relations.add(ofFile(each.getKey(), each.getValue(), isUpdate, casts));
    }
    for (Map.Entry<String, String> each : plan.selects().entrySet()) {
      progress.accept("selects " + each.getKey());
      String select = SqlText.only(each.getKey(), each.getValue());
      String from =
          jdbc == null
              ? staging.ofSelect(each.getKey(), select)
              : jdbc.stage(each.getKey(), select, casts, staging, memory);
      relations.add(Relation.of(sql, each.getKey(), casts.cast(each.getKey(), from, staging)));
      note(relations.get(relations.size() - 1), Map.of());
    }
    ChangeCargo.Builder builder = ChangeCargo.builder(plan.transactionId(), plan.baseSnapshot());
    for (Relation relation : relations) {
      rows += sql.number("SELECT count(*) FROM " + relation.from());
      Path oldFile = plan.oldFiles().get(relation.table());
      add(
          builder,
          oldFile == null
              ? new RowDifference(relation, List.of(), "", 0)
              : RowDifference.of(
                  sql,
                  staging,
                  Relation.of(
                      sql,
                      relation.table(),
                      staging.ofFile(relation.table(), oldFile, true, casts).from()),
                  relation,
                  plan.keys()));
    }
    casts.requireUsed();
    for (String dates : casts.unusedDates()) {
      progress.accept(
          "--dates %s has no effect: no column needs this format; if all values of a column are digits, set --types COLUMN=DATE too"
              .formatted(dates));
    }
    // Columns are read one by one. Threads that share a column would need a quarter more CPU time.
    sql.run("SET threads = 1");
    if (!isUpdate) {
      KeptTypes.add(relations, builder);
    }
    return builder.build();
  }

  private static void requireNames(ImportPlan plan) throws TableException {
    List<String> tables = new ArrayList<>(plan.files().keySet());
    tables.addAll(plan.selects().keySet());
    SqlNames.requireDistinct("the tables", tables);
    for (String table : tables) {
      if (Names.folded(table).equals(TypesTable.NAME)) {
        throw new TableException(
            "'%s': the table of that name holds the types of columns: give yours another name by --table NAME=FILE or --select NAME=SQL"
                .formatted(table));
      }
    }
  }

  private Relation ofFile(String table, Path file, boolean asTable, TypeCasts casts)
      throws IOException {
    if (TableFile.of(file).kind() == TableFile.Kind.PARQUET) {
      parquet.put(table, file);
    }
    try {
      Staging.Staged staged = staging.ofFile(table, file, asTable, casts);
      Relation relation = Relation.of(sql, table, staged.from());
      note(relation, staged.notes());
      return parquet.containsKey(table) ? relation.of(file) : relation;
    } catch (TableException e) {
      if (parquet.containsKey(table) && e.getCause() instanceof SQLException) {
        ParquetFile.requireReadable(sql, table, file, column -> true);
      }
      throw e;
    }
  }

  /** Keeps notes on columns for the user. */
  private void note(Relation relation, Map<String, String> notes) {
    for (Relation.Column column : relation.columns()) {
      String note = notes.getOrDefault(column.name(), "");
      types.add(
          "%s.%s: %s%s"
              .formatted(
                  relation.table(),
                  column.name(),
                  column.type().mapping(),
                  note.isEmpty() ? "" : ", " + note));
    }
  }

  private void add(ChangeCargo.Builder builder, RowDifference changes) throws IOException {
    Relation relation = changes.inserted();
    long rows = sql.number("SELECT count(*) FROM " + relation.from());
    List<Relation.Column> columns = relation.columns();
    if (rows == 0 && !changes.updated().isEmpty()) {
      columns = List.of(); // Columns without rows would mean an insert of rows.
    }
    List<InsertedColumn> inserted;
    try {
      inserted =
          rows * columns.size() <= MAX_SMALL_VALUES
              ? WholeTable.read(sql, memory, relation, columns, (int) rows)
              : streamed(relation, rows);
    } catch (IOException e) {
      Path file = parquet.get(relation.table());
      if (file != null) {
        ParquetFile.requireReadable(sql, relation.table(), file, column -> true);
      }
      relation.requireReadable(sql);
      throw e;
    }
    List<ColumnUpdates> updates = new ArrayList<>();
    for (RowDifference.Updated updated : changes.updated()) {
      Relation.Column column = updated.column();
      String from = updated.from();
      long count = sql.number("SELECT count(*) FROM " + from);
      boolean nullable = !ColumnFacts.nullable(sql, List.of(column), from, count).isEmpty();
      updates.add(
          new ColumnUpdates(
              column.name(),
              rowIds(relation, from, count),
              stream(relation, column, from, count, nullable, 0)));
    }
    RowBits deleted = deleted(changes);
    builder.table(
        relation.table(),
        table -> {
          inserted.forEach(column -> table.insert(column.column(), column.values()));
          updates.forEach(
              update -> table.update(update.column(), update.rowIds(), update.values()));
          if (deleted != null) {
            table.delete(deleted);
          }
        });
  }

  /** Returns columns to be read separately; many are first copied, for random access. */
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
              relation,
              column,
              from,
              rows,
              nullable.contains(column.name()),
              textBytes.getOrDefault(column.name(), 0));
      columns.add(new InsertedColumn(column.name(), values));
    }
    return columns;
  }

  private ColumnValues rowIds(Relation relation, String from, long rows) throws IOException {
    Relation.Column row = new Relation.Column("row", ValueType.of(ColumnType.LONG));
    return stream(relation, row, from, rows, false, 0);
  }

  private ColumnValues stream(
      Relation relation,
      Relation.Column column,
      String from,
      long rows,
      boolean nullable,
      int typicalTextBytes)
      throws IOException {
    ColumnStream stream =
        new ColumnStream(
            sql,
            memory,
            ahead,
            relation,
            column,
            from,
            rows,
            nullable,
            typicalTextBytes,
            read,
            files.only(parquet.get(relation.table())));
    streams.put(stream.values(), stream);
    read.expect(rows);
    return stream.values();
  }

  private @Nullable RowBits deleted(RowDifference changes) throws IOException {
    String gone = changes.deleted();
    long count = gone.isEmpty() ? 0 : sql.number("SELECT count(*) FROM " + gone);
    if (count == 0) {
      return null;
    }
    RowBits deleted = new RowBits(changes.oldRows());
    ColumnValues rows = rowIds(changes.inserted(), gone, count);
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
