package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the encodings that consist of other streams. Their layout is that of {@link NestedReader}.
 * For one thread.
 */
final class NestedWriter {
  private static final int MIN_ROOM = 1024;

  /** Which of the facts are whose. */
  private static final int STARTS = 0;

  private static final int VALUES = 1;
  private static final int CODES = 2;
  private static final int ENTRIES = 3;

  private final StreamWriter child;
  private final BitsWriter starts;
  private final DecimalWriter decimals;
  private final NearWriter near;
  private final SplitWriter split;
  private final LongDictionary dictionary = new LongDictionary();
  private final int[] window = new int[Words.MINI];
  private final int[] changed = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] bits = new long[0];

  NestedWriter(ColumnarOptions options, StreamWriter child) {
    this.child = child;
    this.starts = new BitsWriter(options.nsPerByte(), child);
    this.decimals = new DecimalWriter(child);
    this.near = new NearWriter(child);
    this.split = new SplitWriter(child);
  }

  /** Writes a payload; null if the encoding does not suit the values. */
  @Nullable List<EncodingTree> write(
      Choice choice, Values values, Statistics statistics, Facts facts, ByteBuffer target) {
    return switch (choice.encoding()) {
      case RLE -> writeRuns(values, statistics.runs(), facts, target);
      case DICT -> writeDictionary(values, facts, target);
      case ALP -> decimals.write(values, choice.pair(), facts, target);
      case NEAR -> near.write(values, choice.pair(), target);
      case SPLIT -> split.write(values, choice.pair(), target);
      default -> null;
    };
  }

  private List<EncodingTree> writeRuns(Values values, int runs, Facts facts, ByteBuffer target) {
    int count = values.count();
    ensureBits(BitsWriter.words(count));
    Values begun;
    if (values.kind().isWide()) {
      ensureLongs(runs + 1);
      splitWide(values);
      begun = Values.of(values.kind(), longs, runs);
    } else {
      ensureInts(runs + 1);
      splitNarrow(values);
      begun = Values.of(values.kind(), ints, runs);
    }
    target.putInt(runs);
    EncodingTree startsTree = starts.write(bits, count, facts.child(STARTS), target);
    return List.of(startsTree, child.write(begun, facts.child(VALUES), target, Integer.MAX_VALUE));
  }

  /** Values into {@link #longs} and a bit for each that differs from the one before. */
  private void splitWide(Values values) {
    int count = values.count();
    int next = 0;
    long before = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, wideWindow);
      LongKernels.changes(wideWindow, n, from == 0 ? ~wideWindow[0] : before, changed);
      before = wideWindow[n - 1];
      int words = Flags.words(changed, n, bits, from >>> 6);
      for (int w = 0; w < words; w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          longs[next++] = wideWindow[(w << 6) + Long.numberOfTrailingZeros(left)];
          left &= left - 1;
        }
      }
    }
  }

  private void splitNarrow(Values values) {
    int count = values.count();
    int next = 0;
    int before = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, window);
      IntKernels.changes(window, n, from == 0 ? ~window[0] : before, changed);
      before = window[n - 1];
      int words = Flags.words(changed, n, bits, from >>> 6);
      for (int w = 0; w < words; w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          ints[next++] = window[(w << 6) + Long.numberOfTrailingZeros(left)];
          left &= left - 1;
        }
      }
    }
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
