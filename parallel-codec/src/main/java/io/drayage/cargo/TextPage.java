package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a page of a column, as well-formed UTF-8, one behind the other, and the offset of
 * each text: Arrow's layout of variable-size binary. No text is an object. There are several arrays
 * if the bytes do not fit into one array, and while a page is put together from pieces. {@link
 * #runs} returns the texts array by array.
 *
 * <p>{@link ColumnValues#validity} says which texts are null, as for every other type. The text in
 * a null place means nothing, and should be empty. A text counts as its bytes and {@value
 * CargoSize#TEXT_LENGTH_BYTES}.
 *
 * <p>Like an array, a page has the number of rows that it was made with, all empty at first.
 * Threads may {@link #put} different rows at the same time. A reader must know that these threads
 * are done. A page must not be changed after its column is part of a {@link ChangeCargo}.
 */
public final class TextPage implements Serializable {
  /** The most runs of a page. Replacing texts adds runs; runs are joined if there are more. */
  private static final int MAX_RUNS = 128;

  /** A run with so many rows, or so many bytes, is not copied to be joined with others. */
  private static final int LARGE_ROWS = 1_024;

  private static final int LARGE_BYTES = 64 << 10;

  private static final Layout EMPTY = new Layout(new int[0], new TextRun[0]);

  @Serial private static final long serialVersionUID = 1;

  private final int rows;
  private transient volatile Layout layout;

  /** Runs in ascending order of their first rows; rows between them are empty. Immutable. */
  private static final class Layout {
    final int[] firstRows;
    final TextRun[] runs;

    Layout(int[] firstRows, TextRun[] runs) {
      this.firstRows = firstRows;
      this.runs = runs;
    }

    /** Index of the run that holds {@code row}, or else of the last one before it; -1 if none. */
    int find(int row) {
      int found = Arrays.binarySearch(firstRows, row);
      return found >= 0 ? found : -found - 2;
    }
  }

  /** A page of {@code rows} empty texts. */
  public TextPage(int rows) {
    this(rows, EMPTY);
  }

  private TextPage(int rows, Layout layout) {
    this.rows = rows;
    this.layout = layout;
  }

  /**
   * A page over existing bytes, without a copy: the caller must not change them any more.
   *
   * @param bytes the bytes of all texts, and maybe of others
   * @param offsets the start of each text, and the end of the last one
   * @throws IllegalTextException if a text is no well-formed UTF-8
   * @throws IllegalArgumentException if the offsets descend
   * @throws IndexOutOfBoundsException if an offset is outside the bytes
   */
  public static TextPage of(byte[] bytes, int[] offsets) {
    int rows = offsets.length - 1;
    Objects.checkFromToIndex(offsets[0], offsets[rows], bytes.length);
    requireAscending(offsets);
    Utf8.check(bytes, offsets, 0, rows);
    return ofRuns(List.of(new TextRun(bytes, offsets, 0, rows)));
  }

  /** Checks all received offsets: one pass without a branch, which is vectorized. */
  private static void requireAscending(int[] offsets) {
    int negative = 0;
    for (int i = 1; i < offsets.length; i++) {
      negative |= offsets[i] | (offsets[i] - offsets[i - 1]);
    }
    for (int i = 1; negative < 0 && i < offsets.length; i++) {
      if (offsets[i] < offsets[i - 1]) {
        throw new IllegalArgumentException(
            format("text %,d begins at %,d and ends at %,d", i - 1, offsets[i - 1], offsets[i]));
      }
    }
  }

  /**
   * A page of copies of some strings. A null becomes the empty text.
   *
   * @throws IllegalTextException if a string has an unpaired surrogate
   */
  public static TextPage of(@Nullable String... texts) {
    TextBuilder builder = new TextBuilder();
    for (@Nullable String text : texts) {
      builder.add(text == null ? "" : text);
    }
    return builder.build();
  }

  /**
   * A page of the texts of some runs, one after the other. Large runs are shared. Consecutive small
   * runs are copied into one.
   */
  public static TextPage joined(List<TextRun> runs) {
    return joined(runs, run -> true);
  }

  /** Joins runs, but also copies a large one if less than half of its arrays is used. */
  private static TextPage compact(List<TextRun> runs) {
    IdentityHashMap<Object, Long> used = usedBytes(runs);
    return joined(runs, run -> 2 * used.getOrDefault(run.arrays(), 0L) >= run.heldBytes());
  }

  /** Bytes of each array that some runs use together. */
  private static IdentityHashMap<Object, Long> usedBytes(List<TextRun> runs) {
    IdentityHashMap<Object, Long> used = new IdentityHashMap<>();
    runs.forEach(run -> used.merge(run.arrays(), run.usedBytes(), Long::sum));
    return used;
  }

  /** Whether some runs keep arrays alive that are mostly unused. */
  private static boolean areWasteful(List<TextRun> runs) {
    IdentityHashMap<Object, Long> unseen = usedBytes(runs);
    long allowed = LARGE_BYTES;
    for (TextRun run : runs) {
      Long used = unseen.remove(run.arrays());
      allowed += used == null ? 0 : 2 * used - run.heldBytes();
    }
    return allowed < 0;
  }

  private static TextPage joined(List<TextRun> runs, Predicate<TextRun> isShared) {
    List<TextRun> joined = new ArrayList<>();
    TextBuilder small = new TextBuilder();
    for (TextRun run : runs) {
      boolean isLarge = run.rows() >= LARGE_ROWS || run.byteCount() >= LARGE_BYTES;
      if (isLarge && isShared.test(run)) {
        small.moveTo(joined);
        joined.add(run);
      } else {
        small.add(run);
      }
    }
    small.moveTo(joined);
    return ofRuns(joined);
  }

  static TextPage ofRuns(List<TextRun> runs) {
    int[] firstRows = new int[runs.size()];
    int rows = 0;
    for (int i = 0; i < firstRows.length; i++) {
      firstRows[i] = rows;
      rows += runs.get(i).rows();
    }
    return new TextPage(rows, new Layout(firstRows, runs.toArray(TextRun[]::new)));
  }

  /** Number of texts. */
  public int rows() {
    return rows;
  }

  /** Number of bytes of text {@code row}. */
  public int length(int row) {
    return (int) byteCount(row, 1);
  }

  /** Text {@code row} as an object. */
  public String get(int row) {
    Objects.checkIndex(row, rows);
    Layout now = layout;
    int at = now.find(row);
    int offset = at < 0 ? 0 : row - now.firstRows[at];
    return at < 0 || offset >= now.runs[at].rows() ? "" : now.runs[at].get(offset);
  }

  /** A copy of the UTF-8 of text {@code row}. */
  public byte[] utf8(int row) {
    TextRun text = text(row);
    return Arrays.copyOfRange(text.bytes(), text.start(0), text.start(1));
  }

  /** Compares two texts by their code points, without making a string: like {@link Comparable}. */
  public int compare(int row, TextPage other, int otherRow) {
    TextRun one = text(row);
    TextRun two = other.text(otherRow);
    return Arrays.compareUnsigned(
        one.bytes(), one.start(0), one.start(1), two.bytes(), two.start(0), two.start(1));
  }

  /** A hash of text {@code row}, without making a string. Equal texts have equal hashes. */
  public int hash(int row) {
    TextRun text = text(row);
    byte[] bytes = text.bytes();
    int hash = 0;
    for (int i = text.start(0); i < text.start(1); i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  private TextRun text(int row) {
    return runs(row, 1).get(0);
  }

  /** Number of bytes of the texts {@code from} to {@code from + count - 1}. */
  public long byteCount(int from, int count) {
    Objects.checkFromIndexSize(from, count, rows);
    Layout now = layout;
    long bytes = 0;
    for (int at = Math.max(0, now.find(from)); at < now.runs.length; at++) {
      TextRun run = now.runs[at];
      int begin = Math.max(0, from - now.firstRows[at]);
      int end = Math.min(run.rows(), from + count - now.firstRows[at]);
      if (end <= 0) {
        break;
      }
      bytes += begin < end ? run.start(end) - run.start(begin) : 0;
    }
    return bytes;
  }

  /** The texts {@code from} to {@code from + count - 1}, in order and without a gap. */
  public List<TextRun> runs(int from, int count) {
    Objects.checkFromIndexSize(from, count, rows);
    List<TextRun> slices = new ArrayList<>();
    addRuns(layout, from, from + count, slices);
    return slices;
  }

  /** The texts as objects. */
  public String[] toStrings() {
    String[] texts = new String[rows];
    int row = 0;
    for (TextRun run : runs(0, rows)) {
      for (int i = 0; i < run.rows(); i++) {
        texts[row++] = run.get(i);
      }
    }
    return texts;
  }

  private static void addRuns(Layout from, int begin, int end, List<TextRun> target) {
    int row = begin;
    for (int at = Math.max(0, from.find(begin)); at < from.runs.length && row < end; at++) {
      TextRun run = from.runs[at];
      int first = from.firstRows[at];
      if (first + run.rows() <= row) {
        continue;
      }
      if (first >= end) {
        break;
      }
      if (first > row) {
        target.add(empty(first - row));
        row = first;
      }
      int count = Math.min(first + run.rows(), end) - row;
      target.add(run.slice(row - first, count));
      row += count;
    }
    if (row < end) {
      target.add(empty(end - row));
    }
  }

  private static TextRun empty(int rows) {
    return new TextRun(new byte[0], new int[rows + 1], 0, rows);
  }

  /**
   * Puts some texts into rows of this page that have no text yet, without a copy. Threads may do so
   * for different rows at the same time.
   *
   * @param row the first row of this page
   * @throws IllegalArgumentException if one of the rows has a text already
   */
  public synchronized void put(int row, TextPage texts, int from, int count) {
    Objects.checkFromIndexSize(row, count, rows);
    if (count == 0) {
      return;
    }
    Layout before = layout;
    int at = before.find(row);
    boolean overlaps =
        (at >= 0 && before.firstRows[at] + before.runs[at].rows() > row)
            || (at + 1 < before.runs.length && before.firstRows[at + 1] < row + count);
    if (overlaps) {
      throw new IllegalArgumentException(
          format("rows %,d to %,d of a page of texts are put twice", row, row + count - 1));
    }
    List<TextRun> put = texts.runs(from, count);
    int after = before.runs.length - at - 1;
    int[] firstRows = Arrays.copyOf(before.firstRows, before.runs.length + put.size());
    TextRun[] runs = Arrays.copyOf(before.runs, firstRows.length);
    System.arraycopy(before.firstRows, at + 1, firstRows, at + 1 + put.size(), after);
    System.arraycopy(before.runs, at + 1, runs, at + 1 + put.size(), after);
    int next = row;
    for (int i = 0; i < put.size(); i++) {
      firstRows[at + 1 + i] = next;
      runs[at + 1 + i] = put.get(i);
      next += put.get(i).rows();
    }
    layout = new Layout(firstRows, runs);
  }

  /**
   * Puts all texts of a page into rows from {@code row} on, as {@link #put(int, TextPage, int,
   * int)}.
   */
  public void put(int row, TextPage texts) {
    put(row, texts, 0, texts.rows);
  }

  /** A page of the first {@code count} texts, which shares the bytes of this page. */
  public TextPage copyOf(int count) {
    return count == rows ? new TextPage(rows, layout) : ofRuns(runs(0, count));
  }

  /**
   * Replaces texts. The other texts are copied only if there would be too many runs to read fast,
   * or if an array would be kept alive for few of its texts. For the same reason the new texts are
   * shared only if they are most of their array.
   *
   * @param target ascending rows of this page
   * @param count number of rows in {@code target}
   * @param texts has the new texts, from row {@code from} on
   */
  public synchronized void replace(int[] target, int count, TextPage texts, int from) {
    Layout added = compact(texts.runs(from, count)).layout;
    List<TextRun> merged = new ArrayList<>();
    int row = 0;
    for (int i = 0; i < count; ) {
      int end = i + 1;
      while (end < count && target[end] == target[end - 1] + 1) {
        end++;
      }
      addRuns(layout, row, target[i], merged);
      addRuns(added, i, end, merged);
      row = target[i] + (end - i);
      i = end;
    }
    addRuns(layout, row, rows, merged);
    boolean isCompact = merged.size() <= MAX_RUNS && !areWasteful(merged);
    layout = (isCompact ? ofRuns(merged) : compact(merged)).layout;
  }

  @Override
  public String toString() {
    return format("TextPage[%,d texts, %,d bytes]", rows, byteCount(0, rows));
  }

  /** Writes the texts to an object stream as strings. */
  @Serial
  private Object writeReplace() {
    return new Strings(toStrings());
  }

  @Serial
  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("an object stream must have a page of texts as strings");
  }

  /** A page in an object stream. */
  private static final class Strings implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    private final String[] texts;

    Strings(String[] texts) {
      this.texts = texts;
    }

    @Serial
    private Object readResolve() {
      return TextPage.of(texts);
    }
  }
}
