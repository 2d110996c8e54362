package io.drayage.tables;

import java.io.IOException;
import java.io.PrintWriter;

/** Runs SQL over the tables of a snapshot. What one statement has read the next one finds. */
public interface SqlSession extends AutoCloseable {
  /**
   * Runs one statement and prints what it returns, each value as the engine writes it. Columns that
   * it names are read first.
   *
   * @throws IOException if the SQL is wrong, with what the engine says
   */
  void run(String sql, QueryFormat format, PrintWriter out) throws IOException;

  @Override
  void close();
}
