package io.drayage.duckdb.sql;

import io.drayage.cargo.Names;
import io.drayage.internal.Begun;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * A database of DuckDB, which lives as long as this object. Its time zone is always UTC. Not
 * thread-safe.
 */
public final class Sql implements AutoCloseable {
  private static final String FILE = "work.duckdb";

  /** The pattern of an error within another error, which DuckDB writes as JSON. */
  private static final Pattern NESTED =
      Pattern.compile(
          "\\{\"exception_type\":.*?\"exception_message\":\"((?:[^\"\\\\]|\\\\.)*+)\".*?\\}");

  /** The pattern of the text after an error that ends the database. */
  private static final Pattern STACK = Pattern.compile("(?s)\\s*Stack Trace:.*");

  /** The pattern of the error of every later statement. */
  private static final Pattern INVALIDATED =
      Pattern.compile(
          "(?s)FATAL Error: .*database has been invalidated.*?Original error: \"(.*)\".*");

  private static final Pattern OWN_LINE = Pattern.compile("(;|\\.;) LINE \\d+: .*");

  /** The limit of characters of foreign text in a message. */
  private static final int MAX_SHOWN = 80;

  private final Path folder;

  /** The name of the database's file; empty for a database in memory. */
  private final String file;

  /** Whether statements can reach nothing outside, except {@link #target} if it is not null. */
  private final boolean isSealed;

  private final @Nullable Path target;
  private DuckDBConnection connection;
  private int files;

  /**
   * Creates an empty database on disk, whose statements may read and write every file.
   *
   * @param folder empty; the caller deletes it afterwards
   */
  public Sql(Path folder) throws IOException {
    this(folder, FILE, false, null);
  }

  /**
   * Creates an empty database in memory, whose statements reach nothing outside of it: no file,
   * network, extension or setting. Only data that exceeds memory goes into the folder.
   *
   * @param folder empty; the caller deletes it afterwards
   */
  public static Sql sealed(Path folder) throws IOException {
    return new Sql(folder, "", true, null);
  }

  /**
   * Creates an empty database on disk, whose statements reach only the files of one folder outside
   * of it.
   *
   * @param folder empty; the caller deletes it afterwards
   */
  public static Sql writing(Path target, Path folder) throws IOException {
    return new Sql(folder, FILE, true, target);
  }

  private Sql(Path folder, String file, boolean isSealed, @Nullable Path target)
      throws IOException {
    this.folder = folder;
    this.file = file;
    this.isSealed = isSealed;
    this.target = target;
    this.connection = open(file);
    prepare();
  }

  private DuckDBConnection open(String name) throws IOException {
    Properties settings = new Properties();
    // A result that is larger than memory is computed while it is read.
    settings.setProperty("jdbc_stream_results", "true");
    settings.setProperty("memory_limit", "2GB");
    settings.setProperty("temp_directory", folder.resolve("spill").toString());
    settings.setProperty("autoinstall_known_extensions", "false");
    String database = name.isEmpty() ? "" : folder.resolve(name).toString();
    try {
      UnpackedLibrary.requireLoaded(folder);
      return DriverManager.getConnection("jdbc:duckdb:" + database, settings)
          .unwrap(DuckDBConnection.class);
    } catch (SQLException e) {
      throw failure(e);
    } catch (LinkageError e) {
      throw notLoaded(e);
    }
  }

  private void prepare() throws IOException {
    try (Begun begun = new Begun(this::close)) {
      // Nobody opens the database again.
      run("SET GLOBAL TimeZone = 'UTC'; PRAGMA disable_checkpoint_on_shutdown");
      if (isSealed) {
        seal();
      }
      begun.keep();
    }
  }

  /**
   * Opens an empty database, if an error of DuckDB has ended this one.
   *
   * @return whether an error had ended it
   */
  public boolean revive() throws IOException {
    try {
      execute("SELECT 1");
      return false;
    } catch (SQLException e) {
      close();
      connection = open(file.isEmpty() ? file : files++ + file);
      prepare();
      return true;
    }
  }

  /** Returns an exception for native code, which is unpacked into the temporary folder. */
  public static TableException notLoaded(LinkageError e) {
    Throwable reason = e;
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    return new TableException(
        "DuckDB's native code cannot be loaded from the temporary folder %s: %s: free space there, or name another one, DRAYAGE_JAVA_OPTS=-Djava.io.tmpdir=DIR"
            .formatted(System.getProperty("java.io.tmpdir"), reason.getMessage()),
        e);
  }

  private void seal() throws IOException {
    if (target != null) {
      run("SET allowed_directories = [%s]".formatted(text(target.toAbsolutePath())));
    }
    run("SET allow_persistent_secrets = false");
    run("SET autoload_known_extensions = false");
    run("SET enable_external_access = false");
    run("SET lock_configuration = true");
  }

  private Sql(DuckDBConnection connection, Sql of) {
    this.connection = connection;
    this.folder = of.folder;
    this.file = of.file;
    this.isSealed = of.isSealed;
    this.target = of.target;
  }

  /** Returns another connection to the same database, for another thread. */
  public Sql another() throws IOException {
    try {
      return new Sql(connection.duplicate().unwrap(DuckDBConnection.class), this);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  public DuckDBConnection connection() {
    return connection;
  }

  /** Runs a statement of ours. */
  public void run(String sql) throws IOException {
    try {
      execute(sql);
    } catch (SQLException e) {
      throw ownFailure(e);
    }
  }

  /** Creates a table from a query, which may be a user's. */
  public void makeTable(String name, String query) throws IOException {
    try {
      execute("CREATE TABLE %s AS %s".formatted(name(name), query));
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns all rows of a small result of a query of ours, each value as text. */
  public List<List<String>> rows(String sql) throws IOException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(result.getString(i)));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw ownFailure(reason(connection, sql, e));
    }
  }

  /** Returns the names of the columns of a query, without running it. */
  public List<String> columns(String query) throws IOException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      List<String> names = new ArrayList<>();
      ResultSetMetaData columns = statement.getMetaData();
      for (int i = 1; columns != null && i <= columns.getColumnCount(); i++) {
        names.add(columns.getColumnLabel(i));
      }
      return names;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Returns the number that is the only row of a result. */
  public long number(String sql) throws IOException {
    return Long.parseLong(rows(sql).get(0).get(0));
  }

  /**
   * Returns the reason why a query failed while its rows were read. The driver only says that a
   * streaming result is invalid. The query therefore runs again, into a table, to fail at the same
   * rows.
   */
  public static SQLException reason(Connection connection, String query, SQLException failed) {
    if (!String.valueOf(failed.getMessage()).contains("Invalid result set")) {
      return failed;
    }
    try (Statement again = connection.createStatement()) {
      again.execute("CREATE OR REPLACE TEMP TABLE \"asked again\" AS FROM (\n" + query + "\n)");
      again.execute("DROP TABLE \"asked again\"");
      return failed;
    } catch (SQLException e) {
      return e;
    }
  }

  /** Returns DuckDB's error for a statement of ours, in a line without that statement. */
  public static IOException ownFailure(SQLException e) {
    String message = String.valueOf(failure(e).getMessage());
    return new TableException(OWN_LINE.matcher(message).replaceFirst(""), e);
  }

  /** Returns DuckDB's error for rows in Arrow's format, without the words that the reader adds. */
  public static String streamFailure(IOException e) {
    return String.valueOf(e.getMessage()).replaceFirst("(?s)^\\[errno .*, message=(.*)\\}$", "$1");
  }

  /** Returns DuckDB's error in a line, with the part of the statement if it is a user's. */
  public static IOException failure(SQLException e) {
    String message =
        NESTED
            .matcher(String.valueOf(e.getMessage()).strip())
            .replaceAll(
                nested -> Matcher.quoteReplacement(nested.group(1).replaceAll("\\\\(.)", "$1")));
    message = STACK.matcher(message).replaceFirst("");
    message = INVALIDATED.matcher(message).replaceFirst("INTERNAL Error: $1");
    return new TableException(
        message
            .replaceAll("\\s*\\n\\s*", "; ")
            .replace(
                "CREATE TABLE AS requires a SELECT clause",
                "a table is made of a query that returns rows, such as SELECT")
            .replaceAll("(;|\\.;) LINE 1: CREATE (TABLE \"staged |OR REPLACE TEMP TABLE ).*", ""),
        e);
  }

  /** Returns a name of this file that DuckDB does not read as a pattern or an address. */
  public String nameOf(Path file) throws IOException {
    Path path = file.toAbsolutePath();
    if (path.toString().chars().noneMatch(letter -> "*?[".indexOf(letter) >= 0)) {
      return path.toString();
    }
    // No escape works for every name.
    Path link = Files.createSymbolicLink(newFile(), path);
    return link.toString().replaceAll("[*?\\[]", "[$0]");
  }

  /** Returns a path in the folder at which nothing exists yet. */
  public Path newFile() {
    return folder.resolve("file" + files++);
  }

  /**
   * Returns an identifier. Only this method and {@link #text} put a text into a statement.
   *
   * @throws UncheckedIOException if the text has a NUL
   */
  public static String name(String name) {
    return quoted(name, "\"");
  }

  /** Returns a text literal. */
  public static String text(Object text) {
    return quoted(text.toString(), "'");
  }

  private static String quoted(String text, String quote) {
    if (text.indexOf('\0') >= 0) { // A NUL would end the statement.
      throw new UncheckedIOException(
          new TableException("SQL cannot contain a NUL, as in '%s'".formatted(shown(text))));
    }
    return quote + text.replace(quote, quote + quote) + quote;
  }

  /** Returns a short line of foreign text for a message. */
  public static String shown(String text) {
    return Names.printable(
        text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...");
  }

  @Override
  public void close() {
    try {
      ((Connection) connection).close();
    } catch (SQLException e) {
      // The database is thrown away.
    }
  }
}
