package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A table and its columns.
 *
 * @param name unique in its store
 * @param columns at least one, in order
 */
public record TableSchema(String name, List<ColumnSchema> columns) {
  /** The most {@link #bytes} of a transaction's new tables: one frame has these and the parts. */
  public static final int MAX_NEW_BYTES = 2 << 20;

  /** The most bytes of a table with deleted rows in a manifest, without its name. */
  private static final int TABLE_BYTES = 96;

  /** The most bytes of a column in a manifest, without its name. */
  private static final int COLUMN_BYTES = 48;

  /**
   * @throws IllegalArgumentException if {@link Names} refuses the name, if there is no column, or
   *     if two columns have the same name; the message has the name
   */
  public TableSchema {
    columns = List.copyOf(columns);
    Names.check("table", name);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("table '%s' has no columns".formatted(name));
    }
    Set<String> seen = new HashSet<>();
    for (ColumnSchema column : columns) {
      if (!seen.add(column.name())) {
        throw new IllegalArgumentException(
            "column '%s' appears twice in table '%s'".formatted(column.name(), name));
      }
    }
  }

  /** A table with these columns, in this order. */
  public static TableSchema of(String name, ColumnSchema... columns) {
    return new TableSchema(name, List.of(columns));
  }

  /** The index of a column; -1 if there is none of that name. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Some columns of tables. A table without a wanted column is left out.
   *
   * @param wanted accepts the table and the name of a column
   */
  public static List<TableSchema> only(
      List<TableSchema> tables, BiPredicate<String, String> wanted) {
    List<TableSchema> some = new ArrayList<>();
    for (TableSchema table : tables) {
      List<ColumnSchema> kept =
          table.columns.stream().filter(column -> wanted.test(table.name, column.name())).toList();
      if (!kept.isEmpty()) {
        some.add(new TableSchema(table.name, kept));
      }
    }
    return some;
  }

  /** The approximate limit of a manifest's bytes for inserted and deleted rows of this table. */
  public long bytes() {
    long bytes = (long) TABLE_BYTES + Names.utf8Bytes(name);
    for (ColumnSchema column : columns) {
      bytes += (long) COLUMN_BYTES + Names.utf8Bytes(column.name());
    }
    return bytes;
  }

  /**
   * The difference to another table of the same name.
   *
   * @return null if both have the same columns in the same order
   */
  public @Nullable String difference(TableSchema other) {
    if (columns.size() != other.columns.size()) {
      return format("%,d columns, not %,d", columns.size(), other.columns.size());
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).equals(other.columns.get(i))) {
        return format("column %,d is %s, not %s", i + 1, columns.get(i), other.columns.get(i));
      }
    }
    return null;
  }

  /**
   * Checks that one transaction can add these tables.
   *
   * @throws IllegalArgumentException if two have the same name (the message has it), or if they
   *     exceed {@link #MAX_NEW_BYTES}
   */
  public static void requireDistinct(Collection<TableSchema> newTables) {
    Set<String> seen = new HashSet<>();
    long bytes = 0;
    for (TableSchema table : newTables) {
      if (!seen.add(table.name)) {
        throw new IllegalArgumentException("table '%s' is added twice".formatted(table.name));
      }
      bytes += table.bytes();
    }
    if (bytes > MAX_NEW_BYTES) {
      throw new IllegalArgumentException(
          format(
              "the description of %,d new tables takes %,d bytes, the limit is %,d",
              newTables.size(), bytes, MAX_NEW_BYTES));
    }
  }
}
