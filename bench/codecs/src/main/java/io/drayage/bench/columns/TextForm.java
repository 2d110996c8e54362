package io.drayage.bench.columns;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.codec.Serializer;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Texts in UTF-8 as one would store them before a general compressor: the four bytes of a length
 * that {@code raw} has, and that compress well, would flatter what is compared with it.
 */
enum TextForm implements Serializer {
  /** Each with a byte behind it that UTF-8 does not have; before this, another one for a null. */
  LINES,
  /** First all lengths, seven bits a byte, one more than the text's bytes or 0 for a null. */
  LENGTHS;

  private static final int LINES_ID = 254;
  private static final int LENGTHS_ID = 255;
  private static final byte END = (byte) 0xFF;
  private static final byte NULL = (byte) 0xFE;
  private static final int MAX_ASCII = 0x7F;
  private static final int MAX_UTF8_OF_CHAR = 3;
  private static final int MAX_LENGTH_BYTES = 4;

  @Override
  public int id() {
    return this == LINES ? LINES_ID : LENGTHS_ID;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many bytes a text takes; -1 if it has none in UTF-8, because of half a character. */
  static int utf8Bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= MAX_ASCII) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += MAX_UTF8_OF_CHAR;
      } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return -1;
      }
    }
    return bytes;
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new Texts(this == LINES);
  }

  /** The bytes come from the same process, so they are not checked. */
  private static final class Texts implements SegmentSerializer {
    private final boolean isLines;
    private byte[] bytes = new byte[4_096];

    Texts(boolean isLines) {
      this.isLines = isLines;
    }

    @Override
    public int maxSerializedBytes(Segment segment, PartContent content) {
      ColumnValues values = (ColumnValues) content;
      long most = 0;
      for (int i = 0; i < segment.rowCount(); i++) {
        String text = text(values, segment.firstRow() + i);
        most += MAX_LENGTH_BYTES + (text == null ? 0 : (long) MAX_UTF8_OF_CHAR * text.length());
      }
      return Math.toIntExact(most);
    }

    private static @Nullable String text(ColumnValues values, long row) {
      return ((@Nullable String[]) values.page(values.pageOf(row)))[values.offsetOf(row)];
    }

    @Override
    public void serialize(Segment segment, PartContent content, ByteBuffer target) {
      ColumnValues values = (ColumnValues) content;
      if (!isLines) {
        for (int i = 0; i < segment.rowCount(); i++) {
          String text = text(values, segment.firstRow() + i);
          putLength(text == null ? 0 : utf8Bytes(text) + 1, target);
        }
      }
      for (int i = 0; i < segment.rowCount(); i++) {
        String text = text(values, segment.firstRow() + i);
        if (text != null) {
          put(text, target);
        } else if (isLines) {
          target.put(NULL);
        }
        if (isLines) {
          target.put(END);
        }
      }
    }

    private static void putLength(int length, ByteBuffer target) {
      int rest = length;
      while (rest > MAX_ASCII) {
        target.put((byte) (rest | 0x80));
        rest >>>= 7;
      }
      target.put((byte) rest);
    }

    private static int getLength(ByteBuffer source) {
      int length = 0;
      int shift = 0;
      byte next;
      do {
        next = source.get();
        length |= (next & MAX_ASCII) << shift;
        shift += 7;
      } while (next < 0);
      return length;
    }

    private void put(String text, ByteBuffer target) {
      int length = text.length();
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      int seen = 0;
      for (int i = 0; i < length; i++) {
        char c = text.charAt(i);
        seen |= c;
        bytes[i] = (byte) c;
      }
      if (seen <= MAX_ASCII) {
        target.put(bytes, 0, length);
      } else {
        target.put(text.getBytes(StandardCharsets.UTF_8));
      }
    }

    @Override
    public void deserialize(Segment segment, ByteBuffer source, PartContent content) {
      ColumnValues values = (ColumnValues) content;
      int[] lengths = isLines ? null : new int[segment.rowCount()];
      for (int i = 0; lengths != null && i < lengths.length; i++) {
        lengths[i] = getLength(source);
      }
      int size = source.remaining();
      if (bytes.length < size) {
        bytes = new byte[size];
      }
      source.get(bytes, 0, size);
      int at = 0;
      for (int i = 0; i < segment.rowCount(); i++) {
        int end = lengths == null ? endOfLine(at) : at + Math.max(0, lengths[i] - 1);
        boolean isNull = lengths == null ? bytes[at] == NULL : lengths[i] == 0;
        long row = segment.firstRow() + i;
        @Nullable String[] page = (@Nullable String[]) values.pageForWrite(values.pageOf(row));
        page[values.offsetOf(row)] =
            isNull ? null : new String(bytes, at, end - at, StandardCharsets.UTF_8);
        at = lengths == null ? end + 1 : end;
      }
    }

    private int endOfLine(int from) {
      int end = from;
      while (bytes[end] != END) {
        end++;
      }
      return end;
    }
  }
}
