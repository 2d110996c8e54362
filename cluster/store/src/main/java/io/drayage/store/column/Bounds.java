package io.drayage.store.column;

import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The smallest and the largest of the live values of a page of a column. Numbers and booleans are
 * longs. Floating-point numbers are the longs of {@link #key}. Texts are ordered by their UTF-8,
 * and long ones are cut.
 *
 * @param hasNull whether a live row is null
 * @param hasValue whether a live row is not null; if none is, the other bounds mean nothing
 * @param low the smallest number; 0 for texts
 * @param high the largest number; 0 for texts
 * @param lowText the smallest text, or its beginning; empty for numbers
 * @param highText the largest text, or its beginning; empty for numbers
 * @param lowIsCut whether {@code lowText} is only a beginning
 * @param highIsCut whether {@code highText} is only a beginning
 */
public record Bounds(
    boolean hasNull,
    boolean hasValue,
    long low,
    long high,
    String lowText,
    String highText,
    boolean lowIsCut,
    boolean highIsCut) {
  /** The limit of the bytes of a text. */
  static final int MAX_TEXT_BYTES = 32;

  /**
   * Computes the bounds of a page.
   *
   * @param valued a bit for each row, set if the row is live and not null
   * @param rows the number of rows
   */
  static Bounds of(Object page, long[] valued, int rows, boolean hasNull) {
    return page instanceof TextPage texts
        ? ofTexts(texts, valued, rows, hasNull)
        : ofNumbers(page, valued, rows, hasNull);
  }

  private static Bounds ofNumbers(Object page, long[] valued, int rows, boolean hasNull) {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    long[] keys = new long[Long.SIZE];
    for (int word = 0; word < valued.length; word++) {
      long rest = valued[word];
      if (rest == 0) {
        continue;
      }
      keys(page, word * Long.SIZE, Math.min(Long.SIZE, rows - word * Long.SIZE), keys);
      if (rest == -1) {
        for (long key : keys) {
          low = Math.min(low, key);
          high = Math.max(high, key);
        }
      } else {
        for (; rest != 0; rest &= rest - 1) {
          long key = keys[Long.numberOfTrailingZeros(rest)];
          low = Math.min(low, key);
          high = Math.max(high, key);
        }
      }
    }
    boolean hasValue = low <= high;
    return new Bounds(
        hasNull, hasValue, hasValue ? low : 0, hasValue ? high : 0, "", "", false, false);
  }

  private static void keys(Object page, int first, int count, long[] keys) {
    if (page instanceof long[] values) {
      System.arraycopy(values, first, keys, 0, count);
    } else if (page instanceof int[] values) {
      for (int i = 0; i < count; i++) {
        keys[i] = values[first + i];
      }
    } else if (page instanceof double[] values) {
      for (int i = 0; i < count; i++) {
        keys[i] = key(values[first + i]);
      }
    } else if (page instanceof float[] values) {
      for (int i = 0; i < count; i++) {
        keys[i] = key(values[first + i]);
      }
    } else if (page instanceof short[] values) {
      for (int i = 0; i < count; i++) {
        keys[i] = values[first + i];
      }
    } else if (page instanceof byte[] values) {
      for (int i = 0; i < count; i++) {
        keys[i] = values[first + i];
      }
    } else if (page instanceof boolean[] values) {
      for (int i = 0; i < count; i++) {
        keys[i] = values[first + i] ? 1 : 0;
      }
    } else {
      throw new IllegalArgumentException("no page of values: " + page);
    }
  }

  /**
   * A long that orders a floating-point number as SQL does: -0.0 equals 0.0, and all NaNs are equal
   * and larger than any other number.
   */
  public static long key(double value) {
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits ^ (bits >> (Long.SIZE - 1) & Long.MAX_VALUE);
  }

  /** The number of a {@link #key}. */
  public static double ofKey(long key) {
    return Double.longBitsToDouble(key ^ (key >> (Long.SIZE - 1) & Long.MAX_VALUE));
  }

  /** A text in the array of its page. */
  private static final class Utf8 {
    private final byte[] bytes;
    private final int start;
    private final int end;

    Utf8(byte[] bytes, int start, int end) {
      this.bytes = bytes;
      this.start = start;
      this.end = end;
    }

    int compare(byte[] other, int from, int to) {
      return Arrays.compareUnsigned(bytes, start, end, other, from, to);
    }

    boolean isLong() {
      return end - start > MAX_TEXT_BYTES;
    }

    /** The text, cut between two characters if it is long. */
    String cut() {
      int cut = end;
      if (isLong()) {
        cut = start + MAX_TEXT_BYTES;
        while ((bytes[cut] & 0xC0) == 0x80) {
          cut--;
        }
      }
      return new String(bytes, start, cut - start, StandardCharsets.UTF_8);
    }
  }

  private static Bounds ofTexts(TextPage texts, long[] valued, int rows, boolean hasNull) {
    Utf8 low = null;
    Utf8 high = null;
    int row = 0;
    for (TextRun run : texts.runs(0, rows)) {
      byte[] bytes = run.bytes();
      for (int i = 0; i < run.rows(); i++, row++) {
        if ((valued[row >>> 6] >>> row & 1) == 0) {
          continue;
        }
        int from = run.start(i);
        int to = run.start(i + 1);
        if (low == null || low.compare(bytes, from, to) > 0) {
          low = new Utf8(bytes, from, to);
        }
        if (high == null || high.compare(bytes, from, to) < 0) {
          high = new Utf8(bytes, from, to);
        }
      }
    }
    return low == null || high == null
        ? new Bounds(hasNull, false, 0, 0, "", "", false, false)
        : new Bounds(hasNull, true, 0, 0, low.cut(), high.cut(), low.isLong(), high.isLong());
  }
}
