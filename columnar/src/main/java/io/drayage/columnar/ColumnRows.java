package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Windows;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values of some rows of a column of fixed width, to be written or to be read into their place.
 * The value of a null row is not read: the value before it, or 0, is loaded instead. Not
 * thread-safe.
 */
final class ColumnRows implements Values {
  private static final int WORD_MASK = Long.SIZE - 1;

  private final ColumnValues column;
  private final long firstRow;
  private final int count;
  private final Kind kind;
  private final @Nullable RowBits nulls;
  private final BulkValues bulk;

  /**
   * @param nulls the validity bits; null if no row is null
   * @param bulk copies raw values
   */
  ColumnRows(
      ColumnValues column, long firstRow, int count, @Nullable RowBits nulls, BulkValues bulk) {
    this.column = column;
    this.firstRow = firstRow;
    this.count = count;
    this.kind = Kind.of(column.type());
    this.nulls = nulls;
    this.bulk = bulk;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public void load(int from, int number, Object window, int at) {
    for (int done = 0; done < number; ) {
      long row = firstRow + from + done;
      int offset = column.offsetOf(row);
      int some = Math.min(number - done, column.rowsPerPage() - offset);
      Windows.load(column.page(column.pageOf(row)), offset, some, window, at + done);
      done += some;
    }
    if (nulls != null && window instanceof long[] longs) {
      long last = 0;
      for (int i = 0; i < number; i++) {
        last = isValid(nulls, from + i) ? longs[at + i] : last;
        longs[at + i] = last;
      }
    } else if (nulls != null && window instanceof int[] ints) {
      int last = 0;
      for (int i = 0; i < number; i++) {
        last = isValid(nulls, from + i) ? ints[at + i] : last;
        ints[at + i] = last;
      }
    }
  }

  private boolean isValid(RowBits bits, int at) {
    long row = firstRow + at;
    return (bits.word(row >>> 6) >>> (row & WORD_MASK) & 1) != 0;
  }

  @Override
  public void store(int from, int number, Object window, int at) {
    for (int done = 0; done < number; ) {
      long row = firstRow + from + done;
      int offset = column.offsetOf(row);
      int some = Math.min(number - done, column.rowsPerPage() - offset);
      Windows.store(window, at + done, some, column.pageForWrite(column.pageOf(row)), offset);
      done += some;
    }
  }

  @Override
  public int rawWidth() {
    return column.type().widthBytes();
  }

  @Override
  public boolean isPlain() {
    return nulls == null && !column.isOnDemand();
  }

  @Override
  public long at(int index) {
    long row = firstRow + index;
    return Windows.at(column.page(column.pageOf(row)), column.offsetOf(row));
  }

  @Override
  public int matchEnd(int from, int distance) {
    int at = from;
    while (at < count) {
      long row = firstRow + at;
      int offset = column.offsetOf(row);
      int before = column.offsetOf(row - distance);
      int some = Math.min(count - at, column.rowsPerPage() - Math.max(offset, before));
      Object page = column.page(column.pageOf(row));
      Object other = column.page(column.pageOf(row - distance));
      int first = Windows.mismatch(page, offset, other, before, some);
      if (first >= 0) {
        return at + first;
      }
      at += some;
    }
    return count;
  }

  @Override
  public void copyRaw(int from, int number, ByteBuffer target) {
    if (nulls == null) {
      bulk.write(column, firstRow + from, number, target);
      return;
    }
    if (kind().isWide()) {
      long[] wide = new long[number];
      load(from, number, wide);
      for (long value : wide) {
        target.putLong(value);
      }
      return;
    }
    int[] window = new int[number];
    load(from, number, window);
    for (int i = 0; i < number; i++) {
      if (rawWidth() == Integer.BYTES) {
        target.putInt(window[i]);
      } else if (rawWidth() == Short.BYTES) {
        target.putShort((short) window[i]);
      } else {
        target.put((byte) window[i]);
      }
    }
  }

  @Override
  public void storeRaw(int from, int number, ByteBuffer source) {
    bulk.read(source, column, firstRow + from, number);
  }

  @Override
  public void copy(int from, int to, int number) {
    for (int done = 0; done < number; ) {
      long source = firstRow + from + done;
      long target = firstRow + to + done;
      int before = column.offsetOf(source);
      int offset = column.offsetOf(target);
      int some = Math.min(number - done, column.rowsPerPage() - Math.max(offset, before));
      Object page = column.pageForWrite(column.pageOf(target));
      System.arraycopy(column.pageForWrite(column.pageOf(source)), before, page, offset, some);
      done += some;
    }
  }

  @Override
  public void writeRaw(ByteBuffer target) {
    bulk.write(column, firstRow, count, target);
  }
}
