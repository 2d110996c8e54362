package io.drayage.tables;

import java.util.List;
import java.util.Map;

/**
 * Types of columns that a user declares, in place of the types in the file.
 *
 * @param byColumn types as DuckDB writes them, by {@code COLUMN} or {@code TABLE.COLUMN}; the
 *     longer name wins
 * @param dateFormats formats of dates in text files besides ISO 8601: {@code %d.%m.%Y}
 */
public record DeclaredTypes(Map<String, String> byColumn, List<String> dateFormats) {
  /** No declared types. */
  public static final DeclaredTypes NONE = new DeclaredTypes(Map.of(), List.of());

  /** Copies both. */
  public DeclaredTypes {
    byColumn = Map.copyOf(byColumn);
    dateFormats = List.copyOf(dateFormats);
  }
}
