package io.drayage.duckdb.file;

import io.drayage.cargo.Names;
import io.drayage.tables.TableException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Names in SQL, which are equal if they differ only in the case of ASCII letters. */
public final class SqlNames {
  private SqlNames() {}

  /**
   * Requires that SQL can tell names apart, and that a cargo can hold them.
   *
   * @param of their description, such as {@code table 't', the columns}
   */
  public static void requireDistinct(String of, Collection<String> names) throws TableException {
    Map<String, String> known = new HashMap<>();
    for (String name : names) {
      requireUsable(of, name);
      String same = known.put(Names.folded(name), name);
      if (same != null) {
        throw new TableException(
            same.equals(name)
                ? "%s '%s' and '%s' have one name: rename one".formatted(of, same, name)
                : "%s '%s' and '%s' differ in case alone, and SQL takes them for one: rename one"
                    .formatted(of, same, name));
      }
    }
  }

  private static void requireUsable(String of, String name) throws TableException {
    try {
      Names.check(of.endsWith("columns") ? "column" : "table", name);
    } catch (IllegalArgumentException e) {
      throw new TableException(of + ": " + e.getMessage() + ": rename it", e);
    }
  }
}
