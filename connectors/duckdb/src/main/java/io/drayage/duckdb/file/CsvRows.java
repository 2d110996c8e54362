package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Begun;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * CSV by <a href="https://www.rfc-editor.org/rfc/rfc4180">RFC 4180</a>, with the conventions of its
 * writers. The first line names the columns, and its most frequent delimiter is that of the file.
 * {@code ""} is an empty text, and an empty value is a null. Blank lines are skipped, but in a file
 * of one column they are nulls.
 *
 * <p>A quote within a value that does not begin with a quote is a letter. If a later value of the
 * row has a quote too, the row is refused: it may have lost a delimiter, and a text would be cut at
 * a comma. Tab-separated values have no quotes by definition, and are not refused.
 *
 * <p>Lines end in LF or CRLF, or all of them in CR.
 */
final class CsvRows implements TextRows {
  /** The largest row, in bytes. */
  static final int MAX_ROW_BYTES = 1 << 26;

  private static final int FIRST_BUFFER_BYTES = 1 << 18;

  /** The delimiter of a file of one column: it equals no byte. */
  private static final int NO_DELIMITER = -1_000;

  /** The end of the last line. */
  private enum LineEnd {
    UNKNOWN,
    FEED,
    /** LF after one or more CR: CRLF that Windows writes as text is CR CR LF. */
    RETURN_FEED,
    RETURN
  }

  private final Path file;
  private final InputStream in;
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int rowStart;
  private int at;
  private int limit;

  private int delimiter = NO_DELIMITER;
  private LineEnd lineEnd = LineEnd.UNKNOWN;

  /** The bytes at which an unquoted value may end, and the quote. */
  private final boolean[] stops = new boolean[1 << Byte.SIZE];

  /** The row's first value that has a quote, but not at its beginning; negative if none does. */
  private int withQuote;

  private List<String> names = List.of();
  private Cell[] cells = {};
  private long line = 1;

  /** Offsets from the start of the row, because the buffer may move. */
  private int[] starts = new int[8];

  private int[] ends = new int[8];
  private boolean[] quoted = new boolean[8];
  private long[] lines = new long[8];
  private int count;

  /**
   * Reads the names.
   *
   * @param delimiter empty for a file of one column
   */
  CsvRows(Path file, boolean zipped, String delimiter) throws IOException {
    this.file = file;
    this.in = new Utf8Input(TextBytes.open(file, zipped));
    try (Begun begun = new Begun(in)) {
      readNames(delimiter);
      begun.keep();
    }
  }

  private void readNames(String given) throws IOException {
    skipBlankLines();
    if (!hasByte()) {
      throw new TableException(file + ": it is empty: its first line should name the columns");
    }
    long first = line;
    delimiter = given.isEmpty() ? NO_DELIMITER : given.charAt(0);
    stops['\n'] = true;
    stops['\r'] = true;
    if (delimiter != NO_DELIMITER) {
      stops[delimiter] = true;
      stops['"'] = delimiter != '\t';
    }
    readRow();
    List<String> read = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (int i = 0; i < count; i++) {
      String name = name(i);
      if (!known.add(name)) {
        throw wrong(first, "the column '%s' is named twice".formatted(name));
      }
      read.add(name);
    }
    names = List.copyOf(read);
    cells = new Cell[count];
    Arrays.setAll(cells, i -> new Cell());
  }

  private String name(int column) throws TableException {
    int start = rowStart + starts[column];
    int end = rowStart + ends[column];
    if (start == end) {
      throw wrong(
          lines[column],
          format(
              "the first line names the columns, but has no name for column %d of %d",
              column + 1, count));
    }
    String name = new String(buffer, start, end - start, StandardCharsets.UTF_8);
    if (name.indexOf(0) >= 0) {
      throw wrong(lines[column], "it is no text in UTF-8: is it UTF-16?");
    }
    return name;
  }

  /** Counts the delimiters in a row of a file of one column. */
  DelimiterCounts delimitersInRow() {
    DelimiterCounts counts = new DelimiterCounts();
    for (int i = rowStart; i < at && !quoted[0]; i++) {
      counts.add(buffer[i]);
    }
    return counts;
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public Cell cell(int column) {
    return cells[column];
  }

  @Override
  public boolean next() throws IOException {
    endRow();
    if (names.size() > 1) {
      skipBlankLines();
    }
    if (!hasByte()) {
      return false;
    }
    long first = line;
    readRow();
    if (count != names.size()) {
      throw wrong(
          first,
          "%s, where the first line names %s%s: '%s'"
              .formatted(
                  Counted.of(count, "value"),
                  Counted.of(names.size(), "column"),
                  delimiter == NO_DELIMITER ? "" : " (delimiter '%c')".formatted(delimiter),
                  shownRow()));
    }
    for (int i = 0; i < count; i++) {
      Cell.Kind kind = ends[i] == starts[i] && !quoted[i] ? Cell.Kind.NULL : Cell.Kind.TEXT;
      cells[i].set(kind, buffer, rowStart + starts[i], rowStart + ends[i], lines[i]);
    }
    return true;
  }

  /** Returns the values of the row for a message, without their quotes. */
  private String shownRow() {
    Cell row = new Cell();
    row.set(Cell.Kind.TEXT, buffer, rowStart, rowStart + ends[count - 1], line);
    return row.shown();
  }

  /** Finds the values of the row, all of which stays in the buffer. */
  private void readRow() throws IOException {
    rowStart = at;
    count = 0;
    withQuote = -1;
    while (true) {
      reserve();
      lines[count] = line;
      if (hasByte() && buffer[at] == '"') {
        quotedValue();
      } else {
        plainValue();
      }
      count++;
      if (!hasByte() || buffer[at] != delimiter) {
        return;
      }
      at++;
    }
  }

  private void reserve() {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      quoted = Arrays.copyOf(quoted, 2 * count);
      lines = Arrays.copyOf(lines, 2 * count);
    }
  }

  private void plainValue() throws IOException {
    starts[count] = at - rowStart;
    quoted[count] = false;
    while (true) {
      byte[] bytes = buffer;
      int i = at;
      int stop = limit;
      while (i < stop && !stops[bytes[i] & 0xff]) {
        i++;
      }
      at = i;
      if (at < limit && buffer[at] == '"') {
        quoteWithin();
        at++;
      } else if (at < limit || !hasByte()) {
        break;
      }
    }
    ends[count] = at - rowStart;
  }

  /**
   * Notes a quote within an unquoted value.
   *
   * @throws TableException if an earlier value has one too
   */
  private void quoteWithin() throws TableException {
    if (withQuote < 0) {
      withQuote = count;
    } else if (withQuote < count) {
      Cell value = new Cell();
      value.set(
          Cell.Kind.TEXT,
          buffer,
          rowStart + starts[withQuote],
          rowStart + ends[withQuote],
          lines[withQuote]);
      throw wrong(
          value.line,
          "a quote within '%s', and another one in a later value: is a delimiter missing before the quote, or is there a blank too much? Put a value with quotes into quotes, and double those within"
              .formatted(value.shown()));
    }
  }

  /** Removes the quotes of a value, and one of each doubled quote. */
  private void quotedValue() throws IOException {
    if (withQuote >= 0) {
      quoteWithin();
    }
    at++;
    starts[count] = at - rowStart;
    quoted[count] = true;
    int written = at - rowStart;
    while (true) {
      if (!hasByte()) {
        throw wrong(lines[count], "a quote is opened and not closed");
      }
      byte letter = buffer[at++];
      if (letter == '"') {
        if (!hasByte() || buffer[at] != '"') {
          break;
        }
        at++;
      } else if (letter == '\n' || (letter == '\r' && !(hasByte() && buffer[at] == '\n'))) {
        line++;
      }
      buffer[rowStart + written++] = letter;
    }
    ends[count] = written;
    if (hasByte() && buffer[at] != delimiter && buffer[at] != '\n' && buffer[at] != '\r') {
      throw wrong(
          lines[count],
          "a quote is closed before its value ends%s: within quotes, \" is written as \"\""
              .formatted(line == lines[count] ? "" : format(", in line %,d", line)));
    }
  }

  /** Moves behind the line end of the row. */
  private void endRow() throws IOException {
    rowStart = at;
    count = 0;
    if (hasByte()) {
      endLine();
    }
    rowStart = at;
  }

  private void endLine() throws IOException {
    if (lineEnd == LineEnd.RETURN) {
      at += buffer[at] == '\r' ? 1 : 0;
      if (hasByte() && buffer[at] == '\n') {
        throw wrong(
            line,
            "a line feed (LF), where the lines before end in CR: put a value that has one into quotes");
      }
    } else {
      while (hasByte() && buffer[at] == '\r') {
        at++;
      }
      if (hasByte() && buffer[at] == '\n') {
        lineEnd = at > rowStart ? LineEnd.RETURN_FEED : LineEnd.FEED;
        at++;
      } else if (lineEnd == LineEnd.UNKNOWN) {
        at = rowStart + 1;
        lineEnd = LineEnd.RETURN;
      } else if (lineEnd == LineEnd.FEED || hasByte()) { // Otherwise the last LF is missing.
        throw wrong(
            line,
            "a carriage return (CR) without a line feed, where the lines before end in LF or CRLF: put a value that has one into quotes");
      }
    }
    line++;
  }

  private void skipBlankLines() throws IOException {
    rowStart = at;
    while (hasByte() && (buffer[at] == '\n' || buffer[at] == '\r')) {
      endLine();
      rowStart = at;
    }
  }

  /** Checks for another byte, and loads it into the buffer behind the row so far. */
  private boolean hasByte() throws IOException {
    return at < limit || fill();
  }

  private boolean fill() throws IOException {
    if (rowStart > 0) {
      System.arraycopy(buffer, rowStart, buffer, 0, limit - rowStart);
      at -= rowStart;
      limit -= rowStart;
      rowStart = 0;
    }
    if (limit == buffer.length) {
      if (limit >= MAX_ROW_BYTES) {
        throw wrong(
            line,
            "a row of more than %s: is a quote not closed?"
                .formatted(Counted.of(MAX_ROW_BYTES, "byte")));
      }
      buffer = Arrays.copyOf(buffer, 2 * limit);
    }
    try {
      int read = in.read(buffer, limit, buffer.length - limit);
      limit += Math.max(0, read);
      return read > 0;
    } catch (CharacterCodingException e) {
      throw Utf8Input.failure(file, line, count < names.size() ? names.get(count) : null);
    }
  }

  /** Returns an exception for a line. */
  TableException wrong(long line, String what) {
    return new TableException(format("%s, line %,d: %s", file, line, what));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
