package io.drayage.duckdb.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Objects of JSON, a row each: one a line, or those of an array, or one after the other. A key is a
 * column; a row without it has a null there. Numbers keep the text that they were written as.
 */
final class JsonRows implements TextRows {
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final InputStream in;

  /** Null for a file that is read as a whole. */
  private final @Nullable TextLines lines;

  /** Of the file, or of the current line. */
  private @Nullable JsonParser parser;

  private boolean isArray;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> columns = new HashMap<>();
  private final List<Cell> cells = new ArrayList<>();
  private final JsonTexts texts = new JsonTexts();

  /** By column, the number of the last row that has it. */
  private long[] lastRow = new long[8];

  private long row;

  /**
   * Opens it.
   *
   * @param byLine whether each line is a row, so that a mistake is in the line that has it
   */
  JsonRows(Path file, boolean zipped, boolean byLine) throws IOException {
    this.file = file;
    this.in = TextBytes.open(file, zipped);
    this.lines = byLine ? new TextLines(file, in) : null;
    try {
      this.parser = byLine ? null : JSON.createParser(in);
    } catch (IOException e) {
      in.close();
      throw e;
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
      return lines == null ? nextOfFile() : nextOfLines(lines);
    } catch (JsonProcessingException e) {
      // It ends behind the last line, which is not where something is missing.
      boolean atEnd = e instanceof JsonEOFException;
      throw wrong(
          atEnd || e.getLocation() == null ? line() : lineOf(e.getLocation().getLineNr()),
          "it is no JSON: "
              + e.getOriginalMessage()
                  .replaceAll("(?s)(: enable | \\(start marker|\\s*\\n).*", ""));
    }
  }

  private boolean nextOfLines(TextLines lines) throws IOException {
    do {
      if (!lines.next()) {
        return false;
      }
    } while (lines.isBlank());
    try (JsonParser line = JSON.createParser(lines.bytes(), 0, lines.length())) {
      parser = line;
      readRow(line, line.nextToken());
      if (line.nextToken() != null) {
        throw wrong(line(), "more than one object: each line is a row");
      }
    }
    return true;
  }

  private boolean nextOfFile() throws IOException {
    JsonParser whole = parser();
    JsonToken token = whole.nextToken();
    if (row == 0 && token == JsonToken.START_ARRAY && !isArray) {
      isArray = true;
      token = whole.nextToken();
    }
    if (isArray && token == JsonToken.END_ARRAY) {
      if (whole.nextToken() != null) {
        throw wrong(line(), "something follows the array of rows");
      }
      return false;
    }
    if (token == null) {
      return false;
    }
    readRow(whole, token);
    return true;
  }

  private JsonParser parser() {
    if (parser == null) {
      throw new IllegalStateException("no line was read");
    }
    return parser;
  }

  /** Of what was read last. */
  private long line() {
    return lineOf(parser == null ? 1 : parser.currentTokenLocation().getLineNr());
  }

  private long lineOf(int inText) {
    return lines == null ? Math.max(1, inText) : lines.number();
  }

  private void readRow(JsonParser from, JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT) {
      throw wrong(
          line(),
          "a row is an object such as {\"a\": 1}, not %s%s"
              .formatted(
                  token == JsonToken.START_ARRAY ? "an array" : from.getText(),
                  lines != null && token == JsonToken.START_ARRAY
                      ? ": an array of all rows belongs in a file whose name ends in .json"
                      : ""));
    }
    row++;
    texts.clear();
    int expected = 0;
    while (from.nextToken() == JsonToken.FIELD_NAME) {
      int column = column(from.currentName(), expected);
      if (lastRow[column] == row) {
        throw wrong(line(), "the key '%s' stands twice in a row".formatted(names.get(column)));
      }
      lastRow[column] = row;
      JsonToken value = from.nextToken();
      Cell cell = cells.get(column);
      cell.line = lines == null ? line() : lines.number();
      cell.kind = kind(value);
      cell.from = texts.length();
      try {
        texts.append(from, value);
      } catch (IllegalArgumentException e) {
        throw wrong(cell.line, "column '%s': %s".formatted(names.get(column), e.getMessage()));
      }
      cell.to = texts.length();
      expected = column + 1;
    }
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i).bytes = texts.bytes();
    }
  }

  /** Rows mostly have their keys in one order. */
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
    return new TableException("%s, line %,d: %s".formatted(file, line, what));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
