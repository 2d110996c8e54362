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
  /**
   * The most {@link #bytes} of the new tables of a transaction: one frame has them and its parts.
   */
  public static final int MAX_NEW_BYTES = 2 << 20;

  /** What a manifest has of a table with deleted rows beside its name, or more. */
  private static final int TABLE_BYTES = 96;

  /** The same of a column. */
  private static final int COLUMN_BYTES = 48;

  /**
   * @throws IllegalArgumentException if the name cannot be one ({@link Names}), if there is no
   *     column, or if two have the same name, naming it
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
   * Some columns of tables; those of which none is wanted are left out.
   *
   * @param wanted which, by table and name
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

  /** What a manifest takes at most for a cargo that inserts and deletes rows of it, about. */
  public long bytes() {
    long bytes = (long) TABLE_BYTES + Names.utf8Bytes(name);
    for (ColumnSchema column : columns) {
      bytes += (long) COLUMN_BYTES + Names.utf8Bytes(column.name());
    }
    return bytes;
  }

  /**
   * How another table of its name differs.
   *
   * @return null if it is the same: the same columns in the same order
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
   * Fails if tables cannot be added by one transaction.
   *
   * @throws IllegalArgumentException if two have the same name, naming it, or if they exceed {@link
   *     #MAX_NEW_BYTES}
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
