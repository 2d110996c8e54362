package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.arrow.ArrowRows;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TypesTable;
import io.drayage.duckdb.file.TextFormat;
import io.drayage.duckdb.file.TextTable;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.TableException;
import io.drayage.tables.TableFile;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/**
 * The result of an import of files.
 *
 * @param columns {@code t.a: BIGINT -> LONG}, as users see them
 * @param values of each column, {@code null} for a null, by its name; with the table before it, if
 *     that is not t
 */
record Imported(List<String> columns, Map<String, List<String>> values, long digest) {
  static Imported file(Path file) throws IOException {
    return file(file, DeclaredTypes.NONE);
  }

  static Imported file(Path file, DeclaredTypes types) throws IOException {
    return of(update(Map.of("t", file), Map.of(), List.of(), types));
  }

  static Imported select(String query) throws IOException {
    return of(query(query, null, DeclaredTypes.NONE));
  }

  static Imported select(String query, JdbcSource jdbc) throws IOException {
    return of(query(query, jdbc, DeclaredTypes.NONE));
  }

  /** Returns a plan of a query, in another database if {@code jdbc} is not null. */
  static ImportPlan query(String query, @Nullable JdbcSource jdbc, DeclaredTypes types) {
    return new ImportPlan(
        Map.of(),
        Map.of("t", query),
        Map.of(),
        Map.of(),
        List.of(),
        jdbc,
        types,
        new UUID(1, 2),
        0);
  }

  static ImportPlan plan(Map<String, Path> files) {
    return update(files, Map.of(), List.of(), DeclaredTypes.NONE);
  }

  /** Returns a plan of the changes since old files, if there are any. */
  static ImportPlan update(
      Map<String, Path> files, Map<String, Path> old, List<String> keys, DeclaredTypes types) {
    int base = old.isEmpty() ? 0 : 1;
    return new ImportPlan(
        files, Map.of(), Map.of(), old, keys, null, types, new UUID(1, base), base);
  }

  static Imported of(ImportPlan plan) throws IOException {
    try (ImportedTables tables = new DuckDbEngine().open(plan, line -> {})) {
      Map<String, List<String>> values = new LinkedHashMap<>();
      for (TableChanges table : tables.cargo().tables()) {
        for (InsertedColumn column : table.insertedColumns()) {
          if (!table.table().equals(TypesTable.NAME)) {
            String name = column.column();
            values.put(
                table.table().equals("t") ? name : table.table() + "." + name,
                texts(column.values()));
          }
        }
      }
      return new Imported(tables.types(), values, tables.digest());
    }
  }

  /** Imports a text file without DuckDB, which would need most of the time. */
  static Imported text(Path path, DeclaredTypes types) throws IOException {
    TableFile file = TableFile.of(path);
    TextTable table =
        TextTable.of(
            path,
            TextFormat.of(file),
            file.zipped(),
            column -> types.byColumn().getOrDefault(column, ""),
            types.dateFormats());
    List<String> columns = new ArrayList<>();
    for (TextTable.Column column : table.columns()) {
      columns.add(
          "t.%s: %s%s%s"
              .formatted(
                  column.name(),
                  Objects.requireNonNull(ValueType.ofName(column.type())).mapping(),
                  column.note().isEmpty() ? "" : ", ",
                  column.note()));
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    try (BufferAllocator memory = new RootAllocator();
        TextTable.Reading reading = table.read();
        TextReader reader = new TextReader(table, reading, memory)) {
      ArrowRows rows = new ArrowRows(reader.getVectorSchemaRoot().getSchema());
      while (reader.loadNextBatch()) {
        rows.append(reader.getVectorSchemaRoot());
      }
      for (InsertedColumn column : rows.columns()) {
        values.put(column.column(), texts(column.values()));
      }
    }
    return new Imported(columns, values, 0);
  }

  /** Asserts that a step is refused with this message; {@code ...} at its end is any text. */
  static void assertRefused(ThrowingCallable step, String message) {
    int open = message.endsWith("...") ? message.length() - "...".length() : -1;
    AbstractThrowableAssert<?, ?> thrown =
        assertThatThrownBy(step).isInstanceOf(TableException.class);
    AbstractThrowableAssert<?, ?> unused =
        open < 0
            ? thrown.hasMessage(message)
            : thrown.hasMessageStartingWith(message.substring(0, open));
  }

  private static List<String> texts(ColumnValues values) {
    Object all = values.toArray();
    List<String> texts = new ArrayList<>();
    for (int row = 0; row < values.rowCount(); row++) {
      texts.add(values.isNull(row) ? "null" : String.valueOf(Array.get(all, row)));
    }
    return texts;
  }

  /** Returns the conversion of the only column: {@code BIGINT -> LONG}. */
  String type() {
    String line = columns.get(0);
    return line.substring(line.indexOf(": ") + 2);
  }

  /** Returns the values of the only column. */
  List<String> only() {
    return values.values().iterator().next();
  }

  String last() {
    return only().get(only().size() - 1);
  }
}
