package io.drayage.duckdb.file;

import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/** The lines of a file, one after the other. Not thread-safe. */
final class TextLines {
  private static final int FIRST_BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final InputStream in;
  private byte[] read = new byte[FIRST_BUFFER_BYTES];
  private int at;
  private int limit;
  private byte[] line = new byte[FIRST_BUFFER_BYTES];
  private int length;
  private long number;

  TextLines(Path file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  /** Goes to the next line; false if there is none. */
  boolean next() throws IOException {
    length = 0;
    number++;
    while (true) {
      int end = at;
      while (end < limit && read[end] != '\n') {
        end++;
      }
      append(end - at);
      at = end;
      if (at < limit) {
        at++;
        return true;
      }
      limit = Math.max(0, in.read(read));
      at = 0;
      if (limit == 0) {
        return length > 0;
      }
    }
  }

  private void append(int count) throws TableException {
    if (length + count > CsvRows.MAX_ROW_BYTES) {
      throw new TableException(
          "%s, line %,d: a row of more than %,d bytes"
              .formatted(file, number, CsvRows.MAX_ROW_BYTES));
    }
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
    }
    System.arraycopy(read, at, line, length, count);
    length += count;
  }

  boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  /** The line, without its end. */
  byte[] bytes() {
    return line;
  }

  int length() {
    return length;
  }

  /** Its number, from 1 on. */
  long number() {
    return number;
  }
}
