package io.drayage.duckdb;

import io.drayage.cargo.ColumnType;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Properties of columns that are needed before they are read. */
final class ColumnFacts {
  private static final int SAMPLED_ROWS = 20_000;

  private ColumnFacts() {}

  /** Estimates the bytes of texts from the first rows, so that the texts need not be read twice. */
  static Map<String, Integer> typicalTextBytes(Sql sql, List<Relation.Column> columns, String from)
      throws IOException {
    Map<String, Integer> typical = new HashMap<>();
    List<Relation.Column> texts =
        columns.stream().filter(column -> column.type().type() == ColumnType.STRING).toList();
    if (!texts.isEmpty()) {
      List<String> averages = new ArrayList<>();
      List<String> projections = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) {
        averages.add("CAST(ceil(coalesce(avg(strlen(c%s)), 0)) + 1 AS INTEGER)".formatted(i));
        projections.add("%s AS c%s".formatted(texts.get(i).projection(), i));
      }
      List<String> found =
          sql.rows(
                  "SELECT %s FROM (SELECT %s FROM %s LIMIT %s)"
                      .formatted(
                          String.join(", ", averages),
                          String.join(", ", projections),
                          from,
                          SAMPLED_ROWS))
              .get(0);
      for (int i = 0; i < texts.size(); i++) {
        typical.put(texts.get(i).name(), Integer.parseInt(found.get(i)));
      }
    }
    return typical;
  }

  /** Returns the columns that have a null. */
  static Set<String> nullable(Sql sql, List<Relation.Column> columns, String from, long rows)
      throws IOException {
    Set<String> nullable = new HashSet<>();
    String counts =
        columns.stream()
            .map(column -> "count(%s)".formatted(Sql.name(column.name())))
            .collect(Collectors.joining(", "));
    List<String> found = sql.rows("SELECT %s FROM %s".formatted(counts, from)).get(0);
    for (int i = 0; i < columns.size(); i++) {
      if (Long.parseLong(found.get(i)) < rows) {
        nullable.add(columns.get(i).name());
      }
    }
    return nullable;
  }
}
