package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;

/** Copies texts: their bytes in bulk, with offsets for the new location. */
final class TextVectors {
  private static final long MAX_BYTES = Integer.MAX_VALUE - 8L;

  private TextVectors() {}

  /** Copies rows into a vector that gets new buffers. */
  static void fill(FieldVector vector, ColumnValues from, long firstRow, int rows) {
    if (!(vector instanceof VarCharVector texts)) {
      throw new IllegalArgumentException(
          "column '%s': texts are written as Utf8, not as %s"
              .formatted(vector.getName(), vector.getField().getType()));
    }
    List<TextRun> runs = new ArrayList<>();
    long bytes = 0;
    for (int done = 0; done < rows; ) {
      int page = from.pageOf(firstRow + done);
      int offset = from.offsetOf(firstRow + done);
      int count = Math.min(rows - done, from.rowsInPage(page) - offset);
      TextPage of = from.texts(page);
      runs.addAll(of.runs(offset, count));
      bytes += of.byteCount(offset, count);
      done += count;
    }
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          format(
              "column '%s': the texts of %,d rows have more than the 2 GiB of a vector: take fewer rows",
              vector.getName(), rows));
    }
    texts.allocateNew(bytes, rows);
    VectorBits.fill(texts.getValidityBuffer(), from.validity(), firstRow, rows);
    write(runs, texts);
    texts.setLastSet(rows - 1);
    texts.setValueCount(rows);
  }

  private static void write(List<TextRun> runs, VarCharVector vector) {
    int row = 0;
    int written = 0;
    for (TextRun run : runs) {
      int start = run.start(0);
      int[] ends = new int[run.rows()];
      run.copyEnds(written - start, ends, 0);
      ints(vector.getOffsetBuffer(), row + 1, ends.length).put(ends);
      vector.getDataBuffer().setBytes(written, run.bytes(), start, run.byteCount());
      row += ends.length;
      written += run.byteCount();
    }
  }

  /** Copies rows of a vector into empty rows of a column; a null becomes an empty text. */
  static void drain(FieldVector vector, int first, int rows, ColumnValues to, long firstRow) {
    for (int done = 0; done < rows; ) {
      int page = to.pageOf(firstRow + done);
      int offset = to.offsetOf(firstRow + done);
      int count = Math.min(rows - done, to.rowsInPage(page) - offset);
      VectorTexts texts = new VectorTexts(firstRow + done, count, count, 0);
      texts.append(vector, first + done, count);
      ((TextPage) to.pageForWrite(page)).put(offset, texts.page());
      done += count;
    }
  }

  /** Returns {@code count} integers, from index {@code from} on. */
  static IntBuffer ints(ArrowBuf buffer, long from, int count) {
    return buffer
        .nioBuffer(from * Integer.BYTES, count * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer();
  }
}
