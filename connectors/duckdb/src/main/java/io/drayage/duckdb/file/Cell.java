package io.drayage.duckdb.file;

import io.drayage.cargo.Names;
import java.nio.charset.StandardCharsets;

/** A value in a text file, filled again for each row. Not thread-safe. */
final class Cell {
  /** The limit of a value's characters in a message. */
  private static final int MAX_SHOWN = 60;

  /** The kind of value in the file. CSV has only TEXT and NULL. */
  enum Kind {
    NULL,
    TEXT,
    NUMBER,
    BOOLEAN,
    NESTED
  }

  Kind kind = Kind.NULL;

  /** The UTF-8 bytes: those of a text without quotes and escapes, of the others as written. */
  byte[] bytes = {};

  int from;
  int to;

  /** The line of the value, from 1 on. */
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

  /** Returns the value for a message, without control characters, which would reach a terminal. */
  String shown() {
    String text = text();
    return Names.printable(
        text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...");
  }
}
