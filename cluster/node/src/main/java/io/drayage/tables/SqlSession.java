package io.drayage.tables;

import java.io.IOException;
import java.io.PrintWriter;

/** Runs SQL over the tables of a snapshot. Columns stay loaded for later statements. */
public interface SqlSession extends AutoCloseable {
  /**
   * Runs one statement and prints its rows, each value in the engine's format. First reads the
   * columns that the statement names.
   *
   * @throws IOException if the SQL is wrong, with the engine's message
   */
  void run(String sql, QueryFormat format, PrintWriter out) throws IOException;

  @Override
  void close();
}
