package io.drayage.spark.write;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TextPage;
import io.drayage.spark.database.DrayageException;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Pages of texts, with Spark's bytes. A null is an empty text. */
final class TextPages extends ColumnPages {
  /** Half of the largest array, so that the bytes of a page can double. */
  private static final int MAX_BYTES = 1 << 30;

  private byte[] bytes = new byte[0];
  private int[] ends = new int[1];
  private int used;

  TextPages(TaskColumn column, int ordinal) {
    super(column, ordinal);
  }

  @Override
  void appendValues(UnsafeRow[] from, int first, int ordinal, int count, int at) {
    if (at + count >= ends.length) {
      ends = Arrays.copyOf(ends, roomFor(at + count, ends.length - 1) + 1);
    }
    for (int i = 0; i < count; i++) {
      UTF8String text = from[first + i].getUTF8String(ordinal);
      if (text != null) {
        int length = text.numBytes();
        if (length > bytes.length - used) {
          grow(length);
        }
        text.writeToMemory(bytes, (long) Platform.BYTE_ARRAY_OFFSET + used);
        used += length;
      }
      ends[at + i + 1] = used;
    }
  }

  private void grow(int length) {
    long needed = (long) used + length;
    if (needed > MAX_BYTES) {
      throw new DrayageException(
          DrayageException.Condition.TOO_LARGE,
          format(
              "column '%s': the texts of some rows have more than %,d bytes together",
              name(), MAX_BYTES));
    }
    bytes =
        Arrays.copyOf(bytes, (int) Math.max(needed, Math.max(RowBatch.ROWS, 2L * bytes.length)));
  }

  @Override
  Object takePage(int rowsOfPage) {
    int[] offsets = Arrays.copyOf(ends, rowsOfPage + 1);
    byte[] filled = bytes.length > 2L * used ? Arrays.copyOf(bytes, used) : bytes;
    // An estimate for the next page.
    bytes = new byte[Math.min(used, MAX_BYTES)];
    used = 0;
    try {
      return TextPage.of(filled, offsets);
    } catch (IllegalTextException e) {
      throw new DrayageException(
          DrayageException.Condition.INVALID_ROWS,
          "column '%s': %s".formatted(name(), e.getMessage()),
          e);
    }
  }

  @Override
  int textBytes() {
    return used;
  }
}
