package io.drayage.duckdb;

import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Queries of a JDBC database, as tables of the working database. */
final class JdbcTables implements AutoCloseable {
  /** Number of rows that a driver should fetch at once, if it supports this. */
  private static final int FETCH_ROWS = 10_000;

  private final Connection connection;
  private final @Nullable URLClassLoader driverClasses;

  JdbcTables(JdbcSource source) throws IOException {
    Properties login = new Properties();
    if (source.user() != null) {
      login.setProperty("user", source.user());
    }
    Path passwordFile = source.passwordFile();
    if (passwordFile != null) {
      login.setProperty(
          "password", Files.readString(passwordFile).lines().findFirst().orElse("").strip());
    }
    Path jar = source.driver();
    this.driverClasses = jar == null ? null : new URLClassLoader(new URL[] {jar.toUri().toURL()});
    boolean connected = false;
    try {
      this.connection = connect(source, login);
      connected = true;
    } catch (SQLException e) {
      throw Sql.failure(e);
    } finally {
      if (!connected && driverClasses != null) {
        driverClasses.close();
      }
    }
  }

  private Connection connect(JdbcSource source, Properties login)
      throws SQLException, TableException {
    Connection opened =
        driver(driverClasses == null ? JdbcTables.class.getClassLoader() : driverClasses, source)
            .connect(source.url(), login);
    // PostgreSQL fetches rows in batches only within a transaction.
    opened.setAutoCommit(false);
    return opened;
  }

  private static Driver driver(ClassLoader classes, JdbcSource source)
      throws SQLException, TableException {
    for (Driver driver : ServiceLoader.load(Driver.class, classes)) {
      if (driver.acceptsURL(source.url())) {
        return driver;
      }
    }
    throw new TableException(
        "%s: no driver accepts %s%s"
            .formatted(
                source.driver() == null ? "--jdbc" : "--jdbc-driver " + source.driver(),
                withoutSecrets(source.url()),
                source.driver() == null ? ": name its jar with --jdbc-driver" : ""));
  }

  /** Returns the URL only up to the database's name: a password may follow. */
  private static String withoutSecrets(String url) {
    return url.replaceAll("[?;].*", "");
  }

  /** Copies the result of a query to a table of the working database. */
  String stage(String table, String query, TypeCasts casts, Staging staging, BufferAllocator memory)
      throws IOException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            query, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet result = statement.executeQuery();
          JdbcReader rows = JdbcReader.of(table, result, casts, memory)) {
        return staging.ofRows(rows);
      }
    } catch (SQLException e) {
      throw new TableException("table '%s': %s".formatted(table, Sql.failure(e).getMessage()), e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
      if (driverClasses != null) {
        driverClasses.close();
      }
    } catch (SQLException | IOException e) {
      // Nothing was written.
    }
  }
}
