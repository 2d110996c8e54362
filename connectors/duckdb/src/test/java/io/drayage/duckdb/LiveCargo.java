package io.drayage.duckdb;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TypesTable;
import io.drayage.tables.QueryFormat;
import io.drayage.tables.SqlSession;
import io.drayage.tables.SqlSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;

/** A cargo of live rows, as a snapshot returns them. */
record LiveCargo(ChangeCargo cargo) implements SqlSource {
  @Override
  public Map<String, List<ColumnSchema>> tables() {
    Map<String, List<ColumnSchema>> tables = new LinkedHashMap<>();
    cargo
        .tables()
        .forEach(
            table ->
                tables.put(
                    table.table(),
                    table.insertedColumns().stream()
                        .map(each -> ColumnSchema.nullable(each.column(), each.values().type()))
                        .toList()));
    return tables;
  }

  @Override
  public ChangeCargo read(BiPredicate<String, String> wanted) {
    return cargo;
  }

  /** Returns the table {@code t} with a column {@code v} of a type. */
  static ChangeCargo typed(String type, ColumnValues values) {
    return typed(
        ChangeCargo.builder(new UUID(0, 1), 0).table("t", t -> t.insert("v", values)), "t", type);
  }

  /** Adds the type of the column {@code v} of a table. */
  static ChangeCargo typed(ChangeCargo.Builder rows, String table, String type) {
    return rows.table(
            TypesTable.NAME,
            types ->
                types
                    .insert("table", ColumnValues.ofTexts(new String[][] {{table}}))
                    .insert("column", ColumnValues.ofTexts(new String[][] {{"v"}}))
                    .insert("type", ColumnValues.ofTexts(new String[][] {{type}})))
        .build();
  }

  /** Returns the output of statements. */
  static String printed(SqlSession session, QueryFormat format, String... statements)
      throws IOException {
    StringWriter text = new StringWriter();
    for (String each : statements) {
      session.run(each, format, new PrintWriter(text));
    }
    return text.toString().replace(System.lineSeparator(), "\n");
  }
}
