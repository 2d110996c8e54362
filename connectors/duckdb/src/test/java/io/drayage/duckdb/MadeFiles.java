package io.drayage.duckdb;

import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.JdbcSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Files that DuckDB writes for tests, by one shared database without tables. */
final class MadeFiles {
  private static final Sql SQL = open();

  private MadeFiles() {}

  private static Sql open() {
    try {
      WorkFolder work = new WorkFolder();
      Sql sql = new Sql(work.path());
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    sql.close();
                    work.close();
                  },
                  "made-files"));
      return sql;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the rows of a query, and replaces an existing file. */
  static synchronized void make(String select, Path file, String options) throws IOException {
    Files.deleteIfExists(file);
    SQL.run("COPY (%s) TO %s (%s)".formatted(select, Sql.text(file), options));
  }

  /** Makes a database of SQLite by some statements. */
  static JdbcSource sqlite(Path file, String... statements) throws SQLException {
    JdbcSource sqlite = new JdbcSource("jdbc:sqlite:" + file, null, null, null);
    try (Connection connection = DriverManager.getConnection(sqlite.url());
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
    return sqlite;
  }
}
