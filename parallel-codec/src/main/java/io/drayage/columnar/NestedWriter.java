package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the encodings that consist of other streams. Their layout is that of {@link NestedReader}.
 * For one thread.
 */
final class NestedWriter {
  private static final int MIN_ROOM = 1024;

  /** Shorter ones are found faster by looking at every value. */
  private static final int MIN_WALKED_RUN = 12;

  /** Which of the facts are whose. */
  private static final int STARTS = 0;

  private static final int VALUES = 1;
  private static final int CODES = 2;
  private static final int ENTRIES = 3;

  private final StreamWriter child;
  private final BitsWriter starts;
  private final DecimalWriter decimals;
  private final RepeatWriter repeats;
  private final NarrowChanges narrowChanges = new NarrowChanges();
  private final LongDictionary dictionary = new LongDictionary();
  private final int[] window = new int[Words.MINI];
  private final int[] changed = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private final int[] folded = new int[Words.MINI / Integer.BYTES];
  private final long[] wideFolded = new long[Words.MINI / Long.BYTES];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] bits = new long[0];

  NestedWriter(ColumnarOptions options, StreamWriter child) {
    this.child = child;
    this.starts = new BitsWriter(options.nsPerByte(), child);
    this.decimals = new DecimalWriter(child);
    this.repeats = new RepeatWriter(child, starts);
  }

  /**
   * Writes a payload; null if the encoding does not suit the values.
   *
   * @param maxRuns no fewer than there are runs of equal values
   */
  @Nullable List<EncodingTree> write(
      Choice choice, Values values, int maxRuns, Facts facts, ByteBuffer target) {
    return switch (choice.encoding()) {
      case RLE -> writeRuns(values, split(values, maxRuns), facts, target);
      case REPEAT -> repeats.write(values, choice.pair(), facts, target);
      case DICT -> writeDictionary(values, facts, target);
      case ALP -> decimals.write(values, choice.pair(), facts, target);
      default -> null;
    };
  }

  /** Writes the runs that {@link #split} or {@link #walk} found. */
  List<EncodingTree> writeRuns(Values values, int runs, Facts facts, ByteBuffer target) {
    Values begun =
        values.kind().isWide()
            ? Values.of(values.kind(), longs, runs)
            : Values.of(values.kind(), ints, runs);
    target.putInt(runs);
    EncodingTree startsTree = starts.write(bits, values.count(), facts.child(STARTS), target);
    return List.of(startsTree, child.write(begun, facts.child(VALUES), target, Integer.MAX_VALUE));
  }

  /** The value of the first run that was found. */
  long firstOf(Values values) {
    return values.kind().isWide() ? longs[0] : ints[0];
  }

  /**
   * Finds runs from end to end, which is the fastest if they are long.
   *
   * @return how many there are; -1 if they are too short for this
   */
  int walk(Values values) {
    int count = values.count();
    int most = 1 + count / MIN_WALKED_RUN;
    ensureRoom(values.kind(), most);
    ensureBits(BitsWriter.words(count));
    Arrays.fill(bits, 0, BitsWriter.words(count), 0);
    int runs = 0;
    for (int at = 0; at < count; ) {
      if (runs == most) {
        return -1;
      }
      long value = values.at(at);
      bits[at >>> 6] |= 1L << at;
      if (values.kind().isWide()) {
        longs[runs++] = value;
      } else {
        ints[runs++] = (int) value;
      }
      at++;
      if (at < count && !values.kind().isNaN(value)) {
        at = values.matchEnd(at, 1);
      }
    }
    return runs;
  }

  private void ensureRoom(Kind kind, int runs) {
    if (kind.isWide()) {
      ensureLongs(runs);
    } else {
      ensureInts(runs);
    }
  }

  /**
   * Finds runs by looking at every value.
   *
   * @return how many there are
   */
  int split(Values values, int maxRuns) {
    ensureBits(BitsWriter.words(values.count()));
    ensureRoom(values.kind(), maxRuns);
    if (values.kind().isWide()) {
      return splitWide(values);
    }
    return values.rawWidth() < Integer.BYTES ? splitNarrowest(values) : splitNarrow(values);
  }

  /** Bytes and shorts. */
  private int splitNarrowest(Values values) {
    int count = values.count();
    int rawWidth = values.rawWidth();
    int next = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      int words = narrowChanges.find(values, from, n, bits);
      for (int w = 0; w < words; w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          int at = (w << 6) + Long.numberOfTrailingZeros(left);
          ints[next++] = narrowChanges.at(at, rawWidth);
          left &= left - 1;
        }
      }
    }
    return next;
  }

  /** Values into {@link #longs} and a bit for each that differs from the one before. */
  private int splitWide(Values values) {
    int count = values.count();
    int next = 0;
    long before = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, wideWindow);
      long last = from == 0 ? ~wideWindow[0] : before;
      int words = BitsWriter.words(n);
      if (n == Words.MINI) {
        LongKernels.changedBits(wideWindow, last, wideFolded, bits, from >>> 6);
      } else {
        LongKernels.changes(wideWindow, n, last, changed);
        Flags.words(changed, n, bits, from >>> 6);
      }
      before = wideWindow[n - 1];
      for (int w = 0; w < words; w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          longs[next++] = wideWindow[(w << 6) + Long.numberOfTrailingZeros(left)];
          left &= left - 1;
        }
      }
    }
    return next;
  }

  private int splitNarrow(Values values) {
    int count = values.count();
    int next = 0;
    int before = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, window);
      int last = from == 0 ? ~window[0] : before;
      int words = BitsWriter.words(n);
      if (n == Words.MINI) {
        IntKernels.changedBits(window, last, folded, bits, from >>> 6);
      } else {
        IntKernels.changes(window, n, last, changed);
        Flags.words(changed, n, bits, from >>> 6);
      }
      before = window[n - 1];
      for (int w = 0; w < words; w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          ints[next++] = window[(w << 6) + Long.numberOfTrailingZeros(left)];
          left &= left - 1;
        }
      }
    }
    return next;
  }

  private @Nullable List<EncodingTree> writeDictionary(
      Values values, Facts facts, ByteBuffer target) {
    int count = values.count();
    boolean wide = values.kind().isWide();
    ensureInts(count);
    dictionary.clear();
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      if (wide) {
        values.load(from, n, wideWindow);
      } else {
        values.load(from, n, window);
        for (int i = 0; i < n; i++) {
          wideWindow[i] = window[i];
        }
      }
      dictionary.codes(wideWindow, n, ints, from);
      if (dictionary.size() > Chooser.MAX_DICTIONARY) {
        return null;
      }
    }
    int size = dictionary.size();
    target.putInt(size);
    EncodingTree codes =
        child.write(
            Values.of(Kind.INT, ints, count), facts.child(CODES), target, Integer.MAX_VALUE);
    Values entries =
        wide ? Values.of(values.kind(), dictionary.values(), size) : narrow(values, size);
    EncodingTree different = child.write(entries, facts.child(ENTRIES), target, Integer.MAX_VALUE);
    return List.of(different, codes);
  }

  private Values narrow(Values values, int size) {
    for (int i = 0; i < size; i++) {
      ints[i] = (int) dictionary.values()[i];
    }
    return Values.of(values.kind(), ints, size);
  }

  private void ensureInts(int count) {
    if (ints.length < count) {
      ints = new int[Math.max(MIN_ROOM, count)];
    }
  }

  private void ensureLongs(int count) {
    if (longs.length < count) {
      longs = new long[Math.max(MIN_ROOM, count)];
    }
  }

  private void ensureBits(int words) {
    if (bits.length < words) {
      bits = new long[Math.max(MIN_ROOM, words)];
    }
  }
}
