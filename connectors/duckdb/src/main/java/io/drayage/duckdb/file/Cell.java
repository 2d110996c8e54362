package io.drayage.duckdb.file;

import io.drayage.cargo.Names;
import java.nio.charset.StandardCharsets;

/** A value as a text file has it, filled anew for each row. Not thread-safe. */
final class Cell {
  /** The most of a value that a message repeats, in characters. */
  private static final int MAX_SHOWN = 60;

  /** What it was written as. All that CSV writes is TEXT or NULL. */
  enum Kind {
    NULL,
    TEXT,
    NUMBER,
    BOOLEAN,
    NESTED
  }

  Kind kind = Kind.NULL;

  /** Has its UTF-8 bytes: those of a text without quotes and escapes, of the others as written. */
  byte[] bytes = {};

  int from;
  int to;

  /** The line where it stands, from 1 on. */
  long line;

  void set(Kind kind, byte[] bytes, int from, int to, long line) {
    this.kind = kind;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.line = line;
  }

  int length() {
    return to - from;
  }

  boolean is(String ascii) {
    if (length() != ascii.length()) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (bytes[from + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  String text() {
    return new String(bytes, from, length(), StandardCharsets.UTF_8);
  }

  /** For a message: no control character reaches a terminal. */
  String shown() {
    String text = text();
    return Names.printable(
        text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...");
  }
}
