package io.drayage.duckdb.file;

import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of DuckDB's own format, recognized by its first bytes. */
public final class DatabaseFile {
  private static final String MAGIC = "DUCK";
  private static final int MAGIC_OFFSET = 8;

  private DatabaseFile() {}

  /**
   * Requires that a file is a database of DuckDB.
   *
   * @throws TableException if it is something else, with the kind of file
   */
  public static void require(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(MAGIC_OFFSET + MAGIC.length());
    }
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(MAGIC, MAGIC_OFFSET)) {
      throw new TableException(
          "%s: it is no database of DuckDB%s"
              .formatted(
                  file,
                  text.startsWith("SQLite")
                      ? ", but of SQLite: --jdbc jdbc:sqlite:%s --jdbc-driver JAR reads it"
                          .formatted(file)
                      : ""));
    }
  }
}
