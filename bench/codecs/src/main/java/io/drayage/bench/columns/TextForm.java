package io.drayage.bench.columns;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import io.drayage.codec.Codec;
import io.drayage.codec.SegmentRows;
import io.drayage.codec.Serializer;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Texts in forms that suit a general compressor. The four bytes of an end in {@code raw} compress
 * badly, so codecs that are compared with {@code raw} would seem better than they are.
 */
enum TextForm implements Serializer {
  /** Each text ends with a byte that UTF-8 does not have. Before it, another marks a null. */
  LINES,
  /** All lengths come first, seven bits a byte: one more than the text's bytes, or 0 for a null. */
  LENGTHS;

  /** Unique numbers among those of this library; rows of these forms have no digests. */
  private static final int LINES_ID = Codec.MAX_RESERVED_ID;

  private static final int LENGTHS_ID = LINES_ID - 1;
  private static final byte END = (byte) 0xFF;
  private static final byte NULL = (byte) 0xFE;
  private static final int MAX_OF_BYTE = 0x7F;
  private static final int MAX_LENGTH_BYTES = 5;

  @Override
  public int id() {
    return this == LINES ? LINES_ID : LENGTHS_ID;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new Texts(this == LINES);
  }

  /** Does not check the bytes, because they come from the same process. */
  private static final class Texts implements SegmentSerializer {
    private final boolean isLines;
    private byte[] bytes = new byte[4_096];

    Texts(boolean isLines) {
      this.isLines = isLines;
    }

    @Override
    public int maxSerializedBytes(Segment segment, PartContent content) {
      return Math.toIntExact(
          SegmentRows.maxTextBytes((ColumnValues) content, segment, MAX_LENGTH_BYTES, 1));
    }

    @Override
    public void serialize(Segment segment, PartContent content, ByteBuffer target) {
      ColumnValues values = (ColumnValues) content;
      TextPage texts = SegmentRows.texts(values, segment);
      if (isLines) {
        putLines(texts, values, segment.firstRow(), target);
      } else {
        putLengths(texts, values, segment.firstRow(), target);
      }
    }

    private static void putLines(
        TextPage texts, ColumnValues values, long firstRow, ByteBuffer target) {
      long row = firstRow;
      for (TextRun run : texts.runs(0, texts.rows())) {
        for (int i = 0; i < run.rows(); i++, row++) {
          if (values.isNull(row)) {
            target.put(NULL);
          } else {
            target.put(run.bytes(), run.start(i), run.length(i));
          }
          target.put(END);
        }
      }
    }

    private static void putLengths(
        TextPage texts, ColumnValues values, long firstRow, ByteBuffer target) {
      long row = firstRow;
      for (TextRun run : texts.runs(0, texts.rows())) {
        for (int i = 0; i < run.rows(); i++, row++) {
          int rest = values.isNull(row) ? 0 : run.length(i) + 1;
          while (rest > MAX_OF_BYTE) {
            target.put((byte) (rest | 0x80));
            rest >>>= 7;
          }
          target.put((byte) rest);
        }
      }
      row = firstRow;
      for (TextRun run : texts.runs(0, texts.rows())) {
        if (values.validity() == null) {
          target.put(run.bytes(), run.start(0), run.byteCount());
          continue;
        }
        for (int i = 0; i < run.rows(); i++, row++) {
          target.put(run.bytes(), run.start(i), values.isNull(row) ? 0 : run.length(i));
        }
      }
    }

    @Override
    public void deserialize(Segment segment, ByteBuffer source, PartContent content) {
      ColumnValues values = (ColumnValues) content;
      int[] offsets = new int[segment.rowCount() + 1];
      byte[] texts =
          isLines
              ? getLines(source, segment, values.validity(), offsets)
              : getLengths(source, segment, values.validity(), offsets);
      SegmentRows.putDense(TextPage.of(texts, offsets), values, segment);
    }

    private byte[] getLines(
        ByteBuffer source, Segment segment, @Nullable RowBits validity, int[] offsets) {
      int size = source.remaining();
      if (bytes.length < size) {
        bytes = new byte[size];
      }
      source.get(bytes, 0, size);
      byte[] texts = new byte[size - segment.rowCount()];
      int start = 0;
      for (int i = 0; i < segment.rowCount(); i++) {
        int end = start;
        while (bytes[end] != END) {
          end++;
        }
        int length = end - start;
        if (validity != null && bytes[start] == NULL) {
          validity.clear(segment.firstRow() + i);
          length = 0;
        }
        System.arraycopy(bytes, start, texts, offsets[i], length);
        offsets[i + 1] = offsets[i] + length;
        start = end + 1;
      }
      return texts;
    }

    private static byte[] getLengths(
        ByteBuffer source, Segment segment, @Nullable RowBits validity, int[] offsets) {
      for (int i = 0; i < segment.rowCount(); i++) {
        int length = getLength(source);
        if (validity != null && length == 0) {
          validity.clear(segment.firstRow() + i);
        }
        offsets[i + 1] = offsets[i] + Math.max(0, length - 1);
      }
      byte[] texts = new byte[source.remaining()];
      source.get(texts);
      return texts;
    }

    private static int getLength(ByteBuffer source) {
      int length = 0;
      int shift = 0;
      byte next;
      do {
        next = source.get();
        length |= (next & MAX_OF_BYTE) << shift;
        shift += 7;
      } while (next < 0);
      return length;
    }
  }
}
