package io.drayage.tables;

import java.util.List;
import java.util.Map;

/**
 * What a user says of columns, whatever their file says.
 *
 * @param byColumn types as DuckDB writes them, by {@code COLUMN} or {@code TABLE.COLUMN}; the
 *     longer name wins
 * @param dateFormats how text files write dates besides ISO 8601: {@code %d.%m.%Y}
 */
public record DeclaredTypes(Map<String, String> byColumn, List<String> dateFormats) {
  /** Nothing is said. */
  public static final DeclaredTypes NONE = new DeclaredTypes(Map.of(), List.of());

  /** Copies both. */
  public DeclaredTypes {
    byColumn = Map.copyOf(byColumn);
    dateFormats = List.copyOf(dateFormats);
  }
}
