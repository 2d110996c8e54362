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

  private final StreamWriter child;
  private final BitsWriter starts;
  private final DecimalWriter decimals;
  private final NearWriter near;
  private final SplitWriter split;
  private final LongDictionary dictionary = new LongDictionary();
  private final int[] window = new int[Words.MINI];
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
      Choice choice, Values values, Statistics statistics, ByteBuffer target) {
    return switch (choice.encoding()) {
      case RLE -> writeRuns(values, statistics.runs(), target);
      case DICT -> writeDictionary(values, target);
      case ALP -> decimals.write(values, choice.pair(), target);
      case NEAR -> near.write(values, choice.pair(), target);
      case SPLIT -> split.write(values, choice.pair(), target);
      default -> null;
    };
  }

  private List<EncodingTree> writeRuns(Values values, int runs, ByteBuffer target) {
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
    EncodingTree startsTree = starts.write(bits, count, target);
    return List.of(startsTree, child.write(begun, target));
  }

  /** Values into {@link #longs} and a bit for each that differs from the one before. */
  private void splitWide(Values values) {
    int count = values.count();
    int next = -1;
    long before = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, wideWindow);
      if (from == 0) {
        before = ~wideWindow[0];
      }
      for (int i = 0; i < n; i += Long.SIZE) {
        long word = 0;
        int end = Math.min(n, i + Long.SIZE);
        for (int j = i; j < end; j++) {
          long value = wideWindow[j];
          int change = value != before ? 1 : 0;
          next += change;
          longs[next] = value;
          word |= (long) change << j;
          before = value;
        }
        bits[(from + i) >>> 6] = word;
      }
    }
  }

  private void splitNarrow(Values values) {
    int count = values.count();
    int next = -1;
    int before = 0;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, window);
      if (from == 0) {
        before = ~window[0];
      }
      for (int i = 0; i < n; i += Long.SIZE) {
        long word = 0;
        int end = Math.min(n, i + Long.SIZE);
        for (int j = i; j < end; j++) {
          int value = window[j];
          int change = value != before ? 1 : 0;
          next += change;
          ints[next] = value;
          word |= (long) change << j;
          before = value;
        }
        bits[(from + i) >>> 6] = word;
      }
    }
  }

  private @Nullable List<EncodingTree> writeDictionary(Values values, ByteBuffer target) {
    int count = values.count();
    boolean wide = values.kind().isWide();
    ensureInts(count);
    dictionary.clear();
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      if (wide) {
        values.load(from, n, wideWindow);
        for (int i = 0; i < n; i++) {
          ints[from + i] = dictionary.code(wideWindow[i]);
        }
      } else {
        values.load(from, n, window);
        for (int i = 0; i < n; i++) {
          ints[from + i] = dictionary.code(window[i]);
        }
      }
      if (dictionary.size() > Chooser.MAX_DICTIONARY) {
        return null;
      }
    }
    int size = dictionary.size();
    target.putInt(size);
    EncodingTree codes = child.write(Values.of(Kind.INT, ints, count), target);
    Values entries =
        wide ? Values.of(values.kind(), dictionary.values(), size) : narrow(values, size);
    EncodingTree different = child.write(entries, target);
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
