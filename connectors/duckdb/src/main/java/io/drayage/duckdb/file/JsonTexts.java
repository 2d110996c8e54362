package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * The values of a row of JSON in UTF-8, one after another: texts unescaped, numbers as written,
 * nested values as JSON without spaces. Not thread-safe.
 */
final class JsonTexts {
  private static final JsonFactory JSON = new JsonFactory();

  /** The largest number of bytes of a Java character. */
  private static final int MAX_BYTES = 3;

  private byte[] bytes = new byte[1 << 12];
  private int length;

  void clear() {
    length = 0;
  }

  int length() {
    return length;
  }

  /** Returns the bytes, which are valid up to {@link #length}, until the next append. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Appends a value whose first token the parser has read.
   *
   * @throws IllegalArgumentException if it has half a character
   */
  void append(JsonParser from, JsonToken first) throws IOException {
    if (first.isStructStart()) {
      append(nested(from));
    } else if (first == JsonToken.VALUE_STRING || first.isNumeric()) {
      append(from.getTextCharacters(), from.getTextOffset(), from.getTextLength());
    } else {
      append(first.asByteArray());
    }
  }

  private void append(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  private void reserve(long more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(2L * bytes.length, length + more)));
    }
  }

  private void append(char[] text, int offset, int count) {
    reserve((long) MAX_BYTES * count);
    byte[] to = bytes;
    int at = length;
    for (int i = offset; i < offset + count; i++) {
      char letter = text[i];
      if (letter < 0x80) {
        to[at++] = (byte) letter;
      } else if (letter < 0x800) {
        to[at++] = (byte) (0xc0 | (letter >> 6));
        to[at++] = following(letter);
      } else if (Character.isSurrogate(letter)) {
        at = appendPair(to, at, letter, i + 1 < offset + count ? text[i + 1] : 0);
        i++;
      } else {
        to[at++] = (byte) (0xe0 | (letter >> 12));
        to[at++] = following(letter >> 6);
        to[at++] = following(letter);
      }
    }
    length = at;
  }

  /** Returns a byte after the first one of a character. */
  private static byte following(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  private static int appendPair(byte[] to, int at, char high, char low) {
    if (!Character.isSurrogatePair(high, low)) {
      throw new IllegalArgumentException(
          format("the text has half a character, \\u%04x", (int) high));
    }
    int point = Character.toCodePoint(high, low);
    to[at] = (byte) (0xf0 | (point >> 18));
    to[at + 1] = following(point >> 12);
    to[at + 2] = following(point >> 6);
    to[at + 3] = following(point);
    return at + 4;
  }

  /** Returns a text with quotes and escapes. */
  static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /**
   * Checks that a value is JSON.
   *
   * @throws IllegalArgumentException if it is not
   */
  static void requireJson(Cell cell) {
    try (JsonParser value = JSON.createParser(cell.bytes, cell.from, cell.length())) {
      int depth = 0;
      do {
        JsonToken token = value.nextToken();
        if (token == null) {
          throw new IllegalArgumentException("it ends too early");
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      } while (depth > 0);
      if (value.nextToken() != null) {
        throw new IllegalArgumentException("it is more than one value");
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Returns a nested value with its numbers as written. */
  private static byte[] nested(JsonParser from) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      int depth = 0;
      JsonToken token = from.currentToken();
      while (true) {
        if (token.isNumeric()) {
          json.writeNumber(from.getText());
        } else {
          json.copyCurrentEvent(from);
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 0) {
          break;
        }
        token = from.nextToken();
      }
    }
    return text.toByteArray();
  }
}
