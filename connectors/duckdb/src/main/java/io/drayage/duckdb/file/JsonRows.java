package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.drayage.internal.Begun;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Objects of JSON, each a row: one a line, or those of an array, or one after another. A key is a
 * column, and a row without the key has a null. Numbers keep their text.
 */
final class JsonRows implements TextRows {
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final InputStream in;

  /** Whether each line is a row. */
  private final boolean byLine;

  private final JsonParser parser;

  /** The first line of the current row; 0 between rows. */
  private long rowLine;

  /** The last line of the last row. */
  private long lastLine;

  private boolean isArray;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> columns = new HashMap<>();
  private final List<Cell> cells = new ArrayList<>();
  private final JsonTexts texts = new JsonTexts();

  /** The number of the last row that has the column, for each column. */
  private long[] lastRow = new long[8];

  private long row;

  /** The column whose value is being read; -1 between values. */
  private int reading;

  /**
   * Opens the file.
   *
   * @param byLine whether each line is a row; an error is then in the line of its row
   */
  JsonRows(Path file, boolean zipped, boolean byLine) throws IOException {
    this.file = file;
    this.in = new Utf8Input(TextBytes.open(file, zipped));
    this.byLine = byLine;
    try (Begun begun = new Begun(in)) {
      this.parser = begun.keep(JSON.createParser(in));
    }
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public @Nullable Cell cell(int column) {
    return column < lastRow.length && lastRow[column] == row ? cells.get(column) : null;
  }

  @Override
  public boolean next() throws IOException {
    try {
      reading = -1;
      return read();
    } catch (CharacterCodingException e) {
      long line = byLine && rowLine > 0 ? rowLine : parser.currentLocation().getLineNr();
      throw Utf8Input.failure(file, line, reading < 0 ? null : names.get(reading));
    } catch (StreamConstraintsException e) {
      throw wrong(lineOf(e), e.getOriginalMessage().replaceAll(", from `[^`]*`", ""));
    } catch (JsonProcessingException e) {
      throw wrong(
          lineOf(e),
          "it is no JSON: "
              + e.getOriginalMessage()
                  .replaceAll("(?s)(: enable |\\? \\(not rec| \\(start marker|\\s*\\n).*", ""));
    }
  }

  /** Returns the line of an error: the parser is often in the line after a missing character. */
  private long lineOf(JsonProcessingException e) {
    if (byLine && rowLine > 0) {
      return rowLine;
    }
    return e instanceof JsonEOFException || e.getLocation() == null
        ? line()
        : e.getLocation().getLineNr();
  }

  private boolean read() throws IOException {
    rowLine = 0;
    JsonToken token = parser.nextToken();
    if (!byLine && row == 0 && token == JsonToken.START_ARRAY && !isArray) {
      isArray = true;
      token = parser.nextToken();
    }
    if (isArray && token == JsonToken.END_ARRAY) {
      if (parser.nextToken() != null) {
        throw wrong(line(), "something follows the array of rows");
      }
      return false;
    }
    if (token == null) {
      return false;
    }
    rowLine = line();
    if (byLine && rowLine == lastLine) {
      throw wrong(rowLine, "more than one object: each line is a row");
    }
    readRow(token);
    if (byLine) {
      lastLine = line();
      if (lastLine != rowLine) {
        throw wrong(rowLine, "the object continues in the next line: each line is a row");
      }
    }
    return true;
  }

  /** Returns the line of the last token. */
  private long line() {
    return Math.max(1, parser.currentTokenLocation().getLineNr());
  }

  private void readRow(JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT) {
      throw wrong(
          line(),
          "a row is an object such as {\"a\": 1}, not %s%s"
              .formatted(
                  token == JsonToken.START_ARRAY ? "an array" : parser.getText(),
                  byLine && token == JsonToken.START_ARRAY
                      ? ": an array of all rows belongs in a file whose name ends in .json"
                      : ""));
    }
    row++;
    texts.clear();
    int expected = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      int column = column(parser.currentName(), expected);
      if (lastRow[column] == row) {
        throw wrong(line(), "the key '%s' occurs twice in a row".formatted(names.get(column)));
      }
      lastRow[column] = row;
      reading = column;
      JsonToken value = parser.nextToken();
      Cell cell = cells.get(column);
      cell.line = byLine ? rowLine : line();
      cell.kind = kind(value);
      cell.from = texts.length();
      try {
        texts.append(parser, value);
      } catch (IllegalArgumentException e) {
        throw wrong(cell.line, "column '%s': %s".formatted(names.get(column), e.getMessage()));
      }
      cell.to = texts.length();
      reading = -1;
      expected = column + 1;
    }
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i).bytes = texts.bytes();
    }
  }

  /** Returns the index of a column. Rows usually have their keys in the same order. */
  private int column(String name, int expected) throws TableException {
    if (expected < names.size() && names.get(expected).equals(name)) {
      return expected;
    }
    Integer known = columns.get(name);
    if (known != null) {
      return known;
    }
    if (name.isEmpty()) {
      throw wrong(line(), "a key is empty: it names a column");
    }
    int column = names.size();
    columns.put(name, column);
    names.add(name);
    cells.add(new Cell());
    if (column == lastRow.length) {
      lastRow = Arrays.copyOf(lastRow, 2 * column);
    }
    return column;
  }

  private static Cell.Kind kind(JsonToken value) {
    return switch (value) {
      case VALUE_NULL -> Cell.Kind.NULL;
      case VALUE_TRUE, VALUE_FALSE -> Cell.Kind.BOOLEAN;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Cell.Kind.NUMBER;
      case VALUE_STRING -> Cell.Kind.TEXT;
      default -> Cell.Kind.NESTED;
    };
  }

  private TableException wrong(long line, String what) {
    return new TableException(format("%s, line %,d: %s", file, line, what));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
