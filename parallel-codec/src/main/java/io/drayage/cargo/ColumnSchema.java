package io.drayage.cargo;

/**
 * A column of a table.
 *
 * @param name unique in its table
 * @param type the type of its values
 * @param nullable whether a value may be null
 */
public record ColumnSchema(String name, ColumnType type, boolean nullable) {
  /**
   * @throws IllegalArgumentException if {@link Names} refuses the name
   */
  public ColumnSchema {
    Names.check("column", name);
  }

  /** A column without nulls. */
  public static ColumnSchema of(String name, ColumnType type) {
    return new ColumnSchema(name, type, false);
  }

  /** A column that may contain nulls. */
  public static ColumnSchema nullable(String name, ColumnType type) {
    return new ColumnSchema(name, type, true);
  }

  /** The column as messages show it. */
  @Override
  public String toString() {
    return "'%s' %s%s".formatted(name, type, nullable ? "" : " NOT NULL");
  }
}
