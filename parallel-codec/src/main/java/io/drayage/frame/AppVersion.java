package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The number of a transaction of an application, so that a repeated transaction is recognized. The
 * number counts for a set of tables: each transaction of an application with the same set has a
 * higher version than the one before.
 *
 * @param app names the application: 1 to {@value #MAX_CHARS} letters, digits and any of {@code . _
 *     : -}
 * @param version 0 or more
 * @param tables the tables that it changes: at least one, each once, in the order of their names
 */
public record AppVersion(String app, long version, List<String> tables) {
  /** The longest name of an application. */
  public static final int MAX_CHARS = 200;

  /** The most bytes of the names of tables in UTF-8, with a byte between two names. */
  public static final int MAX_TABLE_BYTES = 3 * Names.MAX_LENGTH;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1," + MAX_CHARS + "}");

  /** A separator that no name of a table contains. */
  private static final String BETWEEN_TABLES = "\n";

  /**
   * Accepts the tables in any order.
   *
   * @throws IllegalArgumentException if the name, the version or a table is invalid, or if the
   *     names of the tables have more than {@link #MAX_TABLE_BYTES}
   */
  public AppVersion {
    if (!NAME.matcher(app).matches() || version < 0) {
      throw new IllegalArgumentException(
          format(
              "'%s' version %d is no version of an application: its name has 1 to %d letters,"
                  + " digits and . _ : -, its version is 0 or more",
              app, version, MAX_CHARS));
    }
    tables = tables.stream().distinct().sorted().toList();
    tables.forEach(table -> Names.check("table", table));
    int bytes = tableBytes(tables).length;
    if (tables.isEmpty() || bytes > MAX_TABLE_BYTES) {
      throw new IllegalArgumentException(
          format(
              "version %d of application '%s' counts for %d tables, whose names have %,d bytes: at"
                  + " least 1 table and at most %,d bytes",
              version, app, tables.size(), bytes, MAX_TABLE_BYTES));
    }
  }

  /** A version for an application and a table. */
  public static AppVersion of(String app, long version, String table) {
    return new AppVersion(app, version, List.of(table));
  }

  /** The names of the tables in UTF-8, one a line. */
  public byte[] tableBytes() {
    return tableBytes(tables);
  }

  private static byte[] tableBytes(List<String> tables) {
    return String.join(BETWEEN_TABLES, tables).getBytes(StandardCharsets.UTF_8);
  }

  /** The tables in the bytes of {@link #tableBytes}. */
  public static List<String> tablesOf(byte[] bytes) {
    return List.of(new String(bytes, StandardCharsets.UTF_8).split(BETWEEN_TABLES, -1));
  }

  /** The common parts of all versions of a series: the application, and then the tables. */
  public List<String> series() {
    return Stream.concat(Stream.of(app), tables.stream()).toList();
  }
}
