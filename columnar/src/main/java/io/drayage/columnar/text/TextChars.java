package io.drayage.columnar.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Moves characters between texts and buffers, through a window that stays in the cache. Not
 * thread-safe.
 *
 * <p>Texts are taken apart with {@link String#getChars} and narrowed by the encoder of ISO-8859-1:
 * both are loops that the JVM knows, and the second stops at the first character that is too wide.
 */
final class TextChars {
  private static final int WINDOW = 16_384;

  private final char[] chars = new char[WINDOW];
  private final byte[] bytes = new byte[2 * WINDOW];
  private final CharBuffer charWindow = CharBuffer.wrap(chars);
  private final ByteBuffer byteWindow = ByteBuffer.wrap(bytes);
  private final CharsetEncoder narrowing = StandardCharsets.ISO_8859_1.newEncoder();
  private int filled;

  /** Whether no character is above U+00FF. */
  static boolean isNarrow(String text) {
    int seen = 0;
    for (int i = 0; i < text.length(); i++) {
      seen |= text.charAt(i);
    }
    return seen <= 0xFF;
  }

  /**
   * Writes the characters of texts, nulls left out, one byte each.
   *
   * @param target has space for them
   * @return false if one is above U+00FF; the target's position then means nothing
   */
  boolean putNarrow(@Nullable String[] texts, int count, ByteBuffer target) {
    filled = 0;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      if (text != null && !putNarrow(text, target)) {
        return false;
      }
    }
    return flush(target);
  }

  private boolean putNarrow(String text, ByteBuffer target) {
    int length = text.length();
    for (int done = 0; done < length; ) {
      if (filled == WINDOW && !flush(target)) {
        return false;
      }
      int part = Math.min(length - done, WINDOW - filled);
      text.getChars(done, done + part, chars, filled);
      filled += part;
      done += part;
    }
    return true;
  }

  /** Writes what is in the window; false if a character is too wide. */
  private boolean flush(ByteBuffer target) {
    narrowing.reset();
    CoderResult result =
        narrowing.encode(charWindow.limit(filled).rewind(), byteWindow.clear(), true);
    if (!result.isUnderflow()) {
      return false;
    }
    target.put(bytes, 0, filled);
    filled = 0;
    return true;
  }

  /** Writes the characters of one text, 2 bytes each if it is wide. */
  void put(String text, boolean wide, ByteBuffer target) {
    int length = text.length();
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, WINDOW);
      text.getChars(done, done + part, chars, 0);
      for (int i = 0; i < part; i++) {
        if (wide) {
          bytes[2 * i] = (byte) chars[i];
          bytes[2 * i + 1] = (byte) (chars[i] >>> Byte.SIZE);
        } else {
          bytes[i] = (byte) chars[i];
        }
      }
      target.put(bytes, 0, wide ? 2 * part : part);
      done += part;
    }
  }

  /**
   * Reads narrow texts, none of them null.
   *
   * @param lengths of the texts; the source has as many bytes as all of them
   */
  void getNarrow(ByteBuffer source, int[] lengths, int count, @Nullable String[] target) {
    int start = 0;
    int end = 0;
    for (int i = 0; i < count; i++) {
      int length = lengths[i];
      if (length > end - start) {
        if (length > bytes.length) {
          target[i] = large(source.position(source.position() - (end - start)), length);
          start = 0;
          end = 0;
          continue;
        }
        source.position(source.position() - (end - start));
        start = 0;
        end = Math.min(bytes.length, source.remaining());
        source.get(bytes, 0, end);
      }
      target[i] = new String(bytes, start, length, StandardCharsets.ISO_8859_1);
      start += length;
    }
    source.position(source.position() - (end - start));
  }

  /** Reads one text. The source has its bytes. */
  String get(ByteBuffer source, int length, boolean wide) {
    if (wide) {
      char[] own = length <= WINDOW ? chars : new char[length];
      source.asCharBuffer().get(own, 0, length);
      source.position(source.position() + 2 * length);
      return new String(own, 0, length);
    }
    if (length > bytes.length) {
      return large(source, length);
    }
    source.get(bytes, 0, length);
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  private static String large(ByteBuffer source, int length) {
    byte[] own = new byte[length];
    source.get(own);
    return new String(own, StandardCharsets.ISO_8859_1);
  }
}
