package io.drayage.duckdb;

import io.drayage.duckdb.file.TextTable;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The types that a user declares. If a type would change a value, the value is refused with its
 * row. A value that is cast must be equal when it is cast back. A text must have the format of the
 * type's values. Not thread-safe.
 */
final class TypeCasts {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_0-9 ]+(\\(\\d+(, ?\\d+)?\\))?");

  /** The format of a time, alone or in a timestamp. */
  private static final String TIME = "\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,%s}0*)?";

  private static final String DATE = "\\d{4}-\\d{2}-\\d{2}";
  private static final String OFFSET = "(Z|[+-]\\d{2}(:?\\d{2})?)";

  private final Sql sql;
  private final Map<String, String> declared = new HashMap<>();
  private final Set<String> unused;
  private final Set<String> seen = new LinkedHashSet<>();
  private final List<String> dates;
  private final Set<String> unusedDates;

  /**
   * Asks DuckDB for its names of the types.
   *
   * @throws TableException if a name is not a type, or a cargo cannot hold the type
   */
  TypeCasts(Sql sql, DeclaredTypes types) throws IOException {
    this.sql = sql;
    this.unused = new TreeSet<>(types.byColumn().keySet());
    this.dates = types.dateFormats();
    this.unusedDates = new LinkedHashSet<>(dates);
    for (Map.Entry<String, String> each : types.byColumn().entrySet()) {
      declared.put(each.getKey(), canonical(each.getKey(), each.getValue().strip()));
    }
  }

  private String canonical(String column, String type) throws IOException {
    String name = "";
    if (NAME.matcher(type).matches()) {
      try {
        name = sql.rows("SELECT typeof(CAST(NULL AS %s))".formatted(type)).get(0).get(0);
      } catch (TableException e) {
        name = "";
      }
    }
    if (ValueType.ofName(name) == null) {
      throw new TableException(
          "--types '%s=%s': that is no type of a cargo: name one such as BIGINT, DOUBLE, DECIMAL(18,2), VARCHAR, BOOLEAN, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID or JSON"
              .formatted(column, type));
    }
    return name;
  }

  /** Returns the declared type of a column; an empty text if there is none. */
  String of(String table, String column) {
    seen.add(table + "." + column);
    for (String name : List.of(table + "." + column, column)) {
      String type = declared.get(name);
      if (type != null) {
        unused.remove(name);
        return type;
      }
    }
    return "";
  }

  /** Requires that each declared type was used, after all columns were read. */
  void requireUsed() throws TableException {
    if (!unused.isEmpty()) {
      throw new TableException(
          "--types %s: there is no such column, only %s"
              .formatted(String.join(", ", unused), String.join(", ", seen)));
    }
  }

  /** Returns the formats of dates in text files besides ISO 8601. */
  List<String> dates() {
    return dates;
  }

  /** Notes the formats of the dates of a text file. */
  void addDates(TextTable text) {
    unusedDates.removeAll(text.formats());
  }

  /** Returns the formats that no column has, after all columns were read. */
  Set<String> unusedDates() {
    return unusedDates;
  }

  /**
   * Returns a table with the declared types.
   *
   * @param from has other types
   * @return {@code from} if no type is declared for its columns
   * @throws IOException if a cast would change a value, with row and column
   */
  String cast(String table, String from, Staging staging) throws IOException {
    List<String> selected = new ArrayList<>();
    boolean any = false;
    for (Relation.Found column : Relation.columns(sql, table, from)) {
      String type = of(table, column.name());
      String name = Sql.name(column.name());
      if (type.isEmpty() || type.equals(column.type())) {
        selected.add(name);
      } else {
        any = true;
        requireFits(table, from, column, type);
        selected.add("CAST(%s AS %s) AS %s".formatted(name, type, name));
      }
    }
    return any
        ? staging.ofQuery("SELECT %s FROM %s".formatted(String.join(", ", selected), from))
        : from;
  }

  private void requireFits(String table, String from, Relation.Found column, String type)
      throws IOException {
    String name = Sql.name(column.name());
    String misfit =
        "%s IS NOT NULL AND NOT coalesce(%s, false)".formatted(name, fits(name, column, type));
    if (sql.number("SELECT count(*) FROM %s WHERE %s".formatted(from, misfit)) > 0) {
      throw new TableException(
          "table '%s', %s, column '%s': '%s' of %s is no %s"
              .formatted(
                  table,
                  Relation.row(sql, from, misfit),
                  column.name(),
                  Relation.value(sql, from, column.name(), misfit),
                  column.type(),
                  type));
    }
  }

  private static String fits(String name, Relation.Found column, String type) {
    String cast = "TRY_CAST(%s AS %s)".formatted(name, type);
    String source = column.type();
    if (type.equals("VARCHAR") || type.equals("JSON")) {
      return cast + " IS NOT NULL";
    }
    if (source.equals("VARCHAR") || source.equals("JSON") || source.startsWith("ENUM(")) {
      return "%s IS NOT NULL AND regexp_full_match(CAST(%s AS VARCHAR), %s)"
          .formatted(cast, name, Sql.text("(?i)" + written(type)));
    }
    String back = "TRY_CAST(%s AS %s)".formatted(cast, source);
    return source.equals("DOUBLE") || source.equals("FLOAT")
        ? "CAST(%s AS BIT) = CAST(%s AS BIT)".formatted(back, name)
        : "%s = %s".formatted(back, name);
  }

  /** Returns the format of a type's texts, if DuckDB would change values in other formats. */
  private static String written(String type) {
    String integer = "[+-]?\\d+";
    if (type.startsWith("DECIMAL(")) {
      String scale = type.substring(type.indexOf(',') + 1, type.length() - 1).strip();
      return integer + "(\\.\\d{0," + scale + "}0*)?";
    }
    return switch (type) {
      case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT" -> integer;
      case "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT" -> integer;
      case "FLOAT", "DOUBLE" -> "[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?|nan|[+-]?inf(inity)?";
      case "DATE" -> DATE;
      case "TIME" -> String.format(Locale.ROOT, TIME, 6);
      case "TIMESTAMP" -> DATE + "([ T]" + String.format(Locale.ROOT, TIME, 6) + ")?";
      case "TIMESTAMP_S" -> DATE + "([ T]\\d{2}:\\d{2}:\\d{2}(\\.0+)?)?";
      case "TIMESTAMP_MS" -> DATE + "([ T]" + String.format(Locale.ROOT, TIME, 3) + ")?";
      case "TIMESTAMP_NS" -> DATE + "([ T]" + String.format(Locale.ROOT, TIME, 9) + ")?";
      case "TIMESTAMP WITH TIME ZONE" ->
          DATE + "[ T]" + String.format(Locale.ROOT, TIME, 6) + OFFSET;
      default -> ".*";
    };
  }
}
