package io.drayage.duckdb;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.Names;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TypesTable;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.QueryFormat;
import io.drayage.tables.SqlSession;
import io.drayage.tables.SqlSource;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * SQL over a snapshot. The columns that a statement names become tables of DuckDB in memory, where
 * later statements find them. Not thread-safe.
 */
final class TableSession implements SqlSession {
  private static final Pattern FILE_NAME = Pattern.compile("Table with name \\S*[/.]\\S* does not");

  private static final Pattern SHOW_TABLES = Pattern.compile("(?i)\\s*SHOW\\s+TABLES\\s*;?\\s*");

  private static final String UNCHANGED =
      " belongs to the snapshot, which SQL cannot change: change it by a commit, or create a table of another name";

  /** DuckDB's error if a statement changes a view. */
  private static final Pattern CHANGES_VIEW =
      Pattern.compile("is not an table|Can only \\w+( from| into)? base table");

  /** DuckDB's error if {@link Sql#sealed} refuses something. */
  private static final Pattern SEALED =
      Pattern.compile("disabled (by|through) configuration|has been locked|are disabled\\.");

  private final SqlSource source;
  private final WorkFolder folder = new WorkFolder();
  private final BufferAllocator memory = new RootAllocator();
  private final Sql sql;
  private final StatementNames names;

  /** Columns in DuckDB, by table. */
  private final Map<String, Set<String>> loaded = new HashMap<>();

  /**
   * Opens a session.
   *
   * @param files whether statements may also reach files, settings and the network
   */
  TableSession(SqlSource source, boolean files) throws IOException {
    this.source = source;
    this.sql = files ? new Sql(folder.path()) : Sql.sealed(folder.path());
    this.names = new StatementNames(sql, source.tables());
  }

  @Override
  public void run(String statement, QueryFormat format, PrintWriter out) throws IOException {
    requireOwn(SqlText.named(statement));
    try {
      runAlone(statement, format, out);
    } catch (IOException e) {
      if (sql.revive()) {
        loaded.clear();
        throw new TableException(
            "%s; DuckDB was restarted, and the tables of this session are lost"
                .formatted(e.getMessage()),
            e);
      }
      throw e;
    }
  }

  private void requireOwn(SqlText.Named named) throws IOException {
    for (String name : named.names()) {
      if (named.isMacro()) {
        requireNoFunction(name);
        continue;
      }
      for (String table : source.tables().keySet()) {
        if (Names.folded(table).equals(Names.folded(name))) {
          throw new TableException("table '%s'%s".formatted(table, UNCHANGED));
        }
      }
    }
  }

  /** Refuses a macro with a function's name, because it would replace it in our queries too. */
  private void requireNoFunction(String macro) throws IOException {
    long functions =
        sql.number(
            "SELECT count(*) FROM duckdb_functions() WHERE internal AND lower(function_name) = lower(%s)"
                .formatted(Sql.text(macro)));
    if (functions > 0) {
      throw new TableException(
          "DuckDB has a function '%s', which a macro of this name would replace: give the macro another name"
              .formatted(macro));
    }
  }

  private void runAlone(String statement, QueryFormat format, PrintWriter out) throws IOException {
    load(names.of(statement));
    // DuckDB knows only tables that a statement has named.
    String meant = SHOW_TABLES.matcher(statement).matches() ? tables() : statement;
    try {
      new QueryText(sql.connection(), format, out).print(meant);
      out.flush();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private IOException failure(SQLException e) {
    IOException failure = Sql.failure(e);
    String message = String.valueOf(failure.getMessage());
    if (message.startsWith("Catalog Error: Table with name ")) {
      String files =
          FILE_NAME.matcher(message).find() ? "; files are read only with --allow-files" : "";
      return new TableException(
          "%s; the tables are %s%s".formatted(message, names(table -> table), files), e);
    }
    if (CHANGES_VIEW.matcher(message).find()) {
      return new TableException("a table of this statement" + UNCHANGED, e);
    }
    return SEALED.matcher(message).find()
        ? new TableException(
            message + "; SQL sees only the snapshot, unless you add --allow-files", e)
        : failure;
  }

  /** Returns a query for the names of the tables. */
  private String tables() {
    return "SELECT * FROM (VALUES %s) AS t(name) ORDER BY name"
        .formatted(names(table -> "(%s)".formatted(Sql.text(table))));
  }

  private String names(UnaryOperator<String> each) {
    return source.tables().keySet().stream().sorted().map(each).collect(Collectors.joining(", "));
  }

  private void load(Map<String, Set<String>> named) throws IOException {
    SqlNames.requireDistinct("the tables", named.keySet());
    Map<String, Set<String>> wanted = new HashMap<>();
    named.forEach(
        (table, columns) -> {
          Set<String> known = loaded.getOrDefault(table, Set.of());
          if (known.isEmpty() || !known.containsAll(columns)) {
            Set<String> both = new LinkedHashSet<>(known);
            both.addAll(columns);
            if (both.isEmpty()) { // Needed for a count of the rows.
              both.add(narrowest(source.tables().get(table)));
            }
            wanted.put(table, both);
          }
        });
    if (wanted.isEmpty()) {
      return;
    }
    ChangeCargo rows =
        source.read(
            (table, column) ->
                table.equals(TypesTable.NAME)
                    || wanted.getOrDefault(table, Set.of()).contains(column));
    KeptTypes kept = KeptTypes.of(rows);
    for (TableChanges table : rows.tables()) {
      if (wanted.containsKey(table.table())) {
        SqlNames.requireDistinct(
            "table '%s': the columns".formatted(table.table()), wanted.get(table.table()));
        load(table, kept);
      }
    }
    loaded.putAll(wanted);
  }

  /** Loads a table behind a view, which no statement can change, also not within {@code WITH}. */
  private void load(TableChanges table, KeptTypes kept) throws IOException {
    String rows = Sql.name("rows of " + table.table());
    String made = "CREATE OR REPLACE TEMP TABLE " + rows + " AS ";
    LiveRowsReader.read(table, kept, sql, memory, select -> sql.run(made + select));
    sql.run(
        "CREATE OR REPLACE TEMP VIEW %s AS SELECT * FROM temp.%s"
            .formatted(Sql.name(table.table()), rows));
  }

  private static String narrowest(List<ColumnSchema> columns) {
    return columns.stream()
        .min(Comparator.comparingInt(TableSession::width))
        .map(ColumnSchema::name)
        .orElseThrow();
  }

  private static int width(ColumnSchema column) {
    return column.type().isFixedWidth() ? column.type().widthBytes() : Integer.MAX_VALUE;
  }

  @Override
  public void close() {
    sql.close();
    memory.close();
    folder.close();
  }
}
