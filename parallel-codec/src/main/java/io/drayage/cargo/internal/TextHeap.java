package io.drayage.cargo.internal;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.PageSource;
import io.drayage.cargo.RowBits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps texts without an object for each, and gives each a number: a column of texts becomes one of
 * longs. Number 0 is the empty text, {@value #NULL} a null. It only grows. Thread-safe.
 */
public final class TextHeap {
  /** The number of a null. */
  public static final long NULL = -1;

  private static final int SEEN = 256;

  /** {@link Latin1Texts}, or {@code String[]} where a character is above U+00FF; then nulls. */
  private volatile @Nullable Object[] chunks = new Object[16];

  /** Guarded by this. */
  private int chunkCount;

  /** One that holds the empty text only. */
  public TextHeap() {
    long unused = keep(new Latin1Texts(new byte[0], new int[2], null));
  }

  /** Keeps a chunk and returns the number of its first text. */
  private synchronized long keep(Object chunk) {
    @Nullable Object[] grown = chunks;
    if (chunkCount == grown.length) {
      grown = Arrays.copyOf(grown, 2 * chunkCount);
    }
    grown[chunkCount] = chunk;
    chunks = grown;
    return (long) chunkCount++ << Integer.SIZE;
  }

  /**
   * Keeps texts.
   *
   * @param target a column of longs, whose rows from {@code row} on get the numbers
   */
  public void add(Latin1Texts texts, ColumnValues target, long row) {
    long first = keep(texts);
    long[] numbers = new long[texts.rows()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = texts.isNull(i) ? NULL : first + i;
    }
    put(numbers, target, row);
  }

  /**
   * Keeps the first {@code count} of some texts; of equal ones only one, if they are near each
   * other.
   *
   * @param target a column of longs, whose rows from {@code row} on get the numbers
   */
  public void add(@Nullable String[] texts, int count, ColumnValues target, long row) {
    String[] different = new String[count];
    long[] numbers = new long[count];
    int[] seen = new int[SEEN];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      if (text == null) {
        numbers[i] = NULL;
        continue;
      }
      int slot = text.hashCode() & (SEEN - 1);
      if (!text.equals(different[seen[slot]])) {
        seen[slot] = kept;
        different[kept++] = text;
      }
      numbers[i] = seen[slot];
    }
    long first = keep(chunk(different, kept));
    for (int i = 0; i < count; i++) {
      numbers[i] = numbers[i] == NULL ? NULL : first + numbers[i];
    }
    put(numbers, target, row);
  }

  @SuppressWarnings("deprecation") // The one way to copy narrow characters without an array each.
  private static Object chunk(String[] texts, int count) {
    int[] starts = new int[count + 1];
    for (int i = 0; i < count; i++) {
      if (!CargoSize.isLatin1(texts[i])) {
        return Arrays.copyOf(texts, count);
      }
      starts[i + 1] = starts[i] + texts[i].length();
    }
    byte[] characters = new byte[starts[count]];
    for (int i = 0; i < count; i++) {
      texts[i].getBytes(0, texts[i].length(), characters, starts[i]);
    }
    return new Latin1Texts(characters, starts, null);
  }

  private static void put(long[] numbers, ColumnValues target, long row) {
    for (int done = 0; done < numbers.length; ) {
      int page = target.pageOf(row + done);
      int offset = target.offsetOf(row + done);
      int count = Math.min(numbers.length - done, target.rowsInPage(page) - offset);
      System.arraycopy(numbers, done, (long[]) target.pageForWrite(page), offset, count);
      done += count;
    }
  }

  /** The column of texts whose numbers these are. Its pages are made when they are asked for. */
  public ColumnValues texts(ColumnValues numbers) {
    PageSource source =
        new PageSource() {
          @Override
          public Object page(int page) {
            return strings((long[]) numbers.page(page), numbers.rowsInPage(page));
          }

          @Override
          public @Nullable Latin1Texts texts(int page) {
            return narrow((long[]) numbers.page(page), numbers.rowsInPage(page));
          }
        };
    return ColumnValues.onDemand(
        ColumnType.STRING, numbers.rowCount(), numbers.rowsPerPage(), source);
  }

  private @Nullable String[] strings(long[] numbers, int rows) {
    @Nullable Object[] kept = chunks;
    @Nullable String[] texts = new String[rows];
    for (int i = 0; i < rows; i++) {
      if (numbers[i] != NULL) {
        Object chunk = kept[(int) (numbers[i] >>> Integer.SIZE)];
        int text = (int) numbers[i];
        texts[i] = chunk instanceof String[] wide ? wide[text] : ((Latin1Texts) chunk).get(text);
      }
    }
    return texts;
  }

  /** The texts side by side; null if one of them may not be narrow. */
  private @Nullable Latin1Texts narrow(long[] numbers, int rows) {
    @Nullable Object[] kept = chunks;
    int[] starts = new int[rows + 1];
    RowBits validity = null;
    for (int i = 0; i < rows; i++) {
      int length = 0;
      if (numbers[i] == NULL) {
        validity = validity == null ? RowBits.allSet(rows) : validity;
        validity.clear(i);
      } else if (kept[(int) (numbers[i] >>> Integer.SIZE)] instanceof Latin1Texts texts) {
        length = texts.length((int) numbers[i]);
      } else {
        return null;
      }
      starts[i + 1] = Math.addExact(starts[i], length);
    }
    byte[] characters = new byte[starts[rows]];
    for (int i = 0; i < rows; ) {
      int end = i + 1;
      if (numbers[i] != NULL) {
        while (end < rows && numbers[end] == numbers[end - 1] + 1) {
          end++;
        }
        Latin1Texts texts = (Latin1Texts) kept[(int) (numbers[i] >>> Integer.SIZE)];
        int from = texts.start((int) numbers[i]);
        System.arraycopy(texts.characters(), from, characters, starts[i], starts[end] - starts[i]);
      }
      i = end;
    }
    return new Latin1Texts(characters, starts, validity);
  }
}
