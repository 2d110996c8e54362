package io.drayage.duckdb;

import io.drayage.duckdb.file.GzipMembers;
import io.drayage.duckdb.file.ParquetPages;
import io.drayage.duckdb.file.RawParquet;
import io.drayage.duckdb.file.RawParquet.Kind;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.file.ZstdFrames;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;

/**
 * Checks the files of Parquet, gzip and Zstandard that a user's query has read: their checksums,
 * and values that DuckDB would change without an error. DuckDB's log names these files after the
 * query has run.
 */
final class SelectedFiles {
  /** Options that rename columns. */
  private static final Pattern RENAMES = Pattern.compile("(?i)schema|query");

  /** The files that were opened. The log has their names unescaped, also with quotes. */
  private static final String OPENED =
      "SELECT DISTINCT regexp_extract(message, '\"path\":\"(.*)\",\"op\":\"OPEN\"\\}$', 1, 's') FROM duckdb_logs WHERE type = 'FileSystem' AND ends_with(message, '\"op\":\"OPEN\"}')";

  /** The texts after FROM in a query, among them names of files. */
  private static final String NAMES =
      "SELECT DISTINCT atom->>'$' FROM json_tree(json_serialize_sql(%s)) WHERE type = 'VARCHAR' AND path LIKE '%%from_table%%'";

  /** A pattern of names of local files. */
  private static final Pattern GLOB = Pattern.compile("(?s)(?!.*://).*[*?\\[].*");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_ .-]+");

  private SelectedFiles() {}

  /** Runs a query. */
  interface Run {
    String run() throws IOException;
  }

  /**
   * Runs a query, and checks the files that it opens.
   *
   * @param hasViews whether the query may read files by views
   * @throws IOException if the query fails, SQL cannot tell its columns apart, a compressed file is
   *     cut off, a checksum of the file or of a page of a read column is wrong, or the query would
   *     change a value of such a column
   */
  static String check(Sql sql, String table, String select, boolean hasViews, Run query)
      throws IOException {
    sql.run("CALL enable_logging('FileSystem')");
    List<String> columns;
    try {
      columns = sql.columns(select);
    } catch (TableException e) {
      requireOpenable(sql, table, select, opened(sql, select), column -> false);
      throw failed(table, e);
    }
    // A table would rename them.
    SqlNames.requireDistinct("table '%s': the columns".formatted(table), columns);
    String result;
    try {
      result = query.run();
    } catch (TableException e) {
      requireReadable(sql, table, select, hasViews, opened(sql, select));
      throw failed(table, e);
    }
    check(sql, table, select, hasViews, opened(sql, select));
    return result;
  }

  private static TableException failed(String table, TableException e) {
    return new TableException("table '%s': %s".formatted(table, e.getMessage()), e);
  }

  /** Returns the local files that were opened; those in the query if its failure ended the log. */
  private static Set<Path> opened(Sql sql, String select) throws IOException {
    List<List<String>> names = new ArrayList<>();
    if (!sql.revive()) {
      names.addAll(sql.rows(OPENED));
      sql.run("CALL disable_logging()");
      sql.run("CALL truncate_duckdb_logs()");
      return local(names);
    }
    for (List<String> name : sql.rows(NAMES.formatted(Sql.text(select)))) {
      names.add(name);
      if (GLOB.matcher(name.get(0)).matches()) {
        names.addAll(sql.rows("SELECT file FROM glob(%s)".formatted(Sql.text(name.get(0)))));
      }
    }
    return local(names);
  }

  private static Set<Path> local(List<List<String>> names) {
    Set<Path> files = new LinkedHashSet<>();
    for (List<String> name : names) {
      Path file = local(name.get(0));
      if (file != null) {
        files.add(file);
      }
    }
    return files;
  }

  /**
   * Looks for the file and the column for which a query failed. DuckDB often names neither.
   *
   * @throws IOException if they are found, with their names
   */
  private static void requireReadable(
      Sql sql, String table, String select, boolean hasViews, Set<Path> files) throws IOException {
    try {
      check(sql, table, select, hasViews, files);
    } catch (TableException e) {
      if (!(e.getCause() instanceof SQLException)) {
        throw e; // It names the value.
      }
    }
    sql.revive();
    requireOpenable(sql, table, select, files, columns(sql, select, hasViews));
  }

  private static void requireOpenable(
      Sql sql, String table, String select, Set<Path> files, Predicate<String> isRead)
      throws IOException {
    for (Path file : files) {
      try (ParquetPages pages = ParquetPages.open(file)) {
        FileMetaData footer = pages.footer();
        if (!select.contains("encryption_config")) {
          pages.requireNotEncrypted(isRead);
        }
        if (footer != null) {
          ParquetFile.requireReadable(sql, table, file, isRead);
        }
      }
    }
  }

  private static void check(Sql sql, String table, String select, boolean hasViews, Set<Path> files)
      throws IOException {
    @Nullable Predicate<String> isRead = null;
    for (Path file : files) {
      GzipMembers.requireWhole(file);
      ZstdFrames.requireWhole(file);
      try (ParquetPages pages = ParquetPages.open(file)) {
        FileMetaData footer = pages.footer();
        if (footer != null) {
          isRead = isRead == null ? columns(sql, select, hasViews) : isRead;
          check(sql, table, select, file, pages, hasTwins(footer) ? column -> true : isRead);
        }
      }
    }
    if (isRead != null) {
      JoinedFiles.check(sql, table, select, isRead);
    }
  }

  /** Whether names of columns differ only in case: DuckDB renames one of them then. */
  private static boolean hasTwins(FileMetaData footer) {
    Set<String> names = new HashSet<>();
    Set<String> folded = new HashSet<>();
    for (SchemaElement element : footer.getSchema()) {
      names.add(element.getName());
      folded.add(lower(element.getName()));
    }
    return folded.size() < names.size();
  }

  private static @Nullable Path local(String name) {
    try {
      Path file = Path.of(name.replaceFirst("^file:(//[^/]*)?(?=/)", ""));
      return Files.isRegularFile(file) ? file : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static void check(
      Sql sql, String table, String select, Path file, ParquetPages pages, Predicate<String> isRead)
      throws IOException {
    pages.requireIntact(table, isRead);
    List<RawParquet.Column> raw = new ArrayList<>();
    for (RawParquet.Column column : RawParquet.columns(pages.footer())) {
      boolean isInt96 = column.kind() == Kind.INT96;
      if (isInt96 && column.isNested() && isRead.test(column.name())) {
        throw new TableException(
            "table '%s', column '%s' of %s: INT96 within other values is not read: write the file with a TIMESTAMP"
                .formatted(table, column.name(), file));
      }
      if (!column.isNested() && isRead.test(column.name())) {
        raw.add(column);
      }
    }
    RawValues values = RawValues.of(sql, table, " of " + file, pages, raw);
    if (select.contains("timestamp_ns")) {
      values.requireNanosFit();
    } else if (values.hasNanos() && !select.contains("struct")) {
      throw new TableException(
          "table '%s': %s has INT96 with nanoseconds: write read_parquet('...', int96_as = 'timestamp_ns')"
              .formatted(table, file));
    }
  }

  /** Finds the columns that may be read: all except those whose names are not in the plan. */
  private static Predicate<String> columns(Sql sql, String select, boolean hasViews)
      throws IOException {
    List<List<String>> renamed =
        sql.rows(
            "SELECT count(*) FROM json_tree(json_serialize_sql(%s)) WHERE key = 'error' AND atom = 'true' OR path LIKE '%%.column_name_alias'"
                .formatted(Sql.text(select)));
    if (hasViews || RENAMES.matcher(select).find() || !renamed.get(0).get(0).equals("0")) {
      return column -> true;
    }
    String plan;
    try {
      plan = lower(sql.rows("EXPLAIN (FORMAT json) " + select).toString());
    } catch (TableException e) {
      return column -> true; // The query is not a plain one.
    }
    return column -> !PLAIN.matcher(column).matches() || isIn(plan, lower(column));
  }

  private static boolean isIn(String plan, String column) {
    String alone = "(?<![a-z0-9_])" + Pattern.quote(column) + "(?![a-z0-9_])";
    return Pattern.compile(alone).matcher(plan).find();
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
