package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import java.util.Arrays;

/** Expands runs whose values are in a workspace. */
final class RunExpansion {
  private static final int GROUP = 8;

  /** With more runs in a mini-block, to fill each takes longer than to go from value to value. */
  private static final int MAX_FILLED = 96;

  private RunExpansion() {}

  /**
   * Stores the values of all runs.
   *
   * @param bits which values begin a run; the first does
   */
  static void expand(long[] bits, int count, Workspace workspace, Values sink) {
    if (sink.kind().isWide()) {
      expandLongs(bits, count, workspace, sink);
    } else {
      expandInts(bits, count, workspace, sink);
    }
  }

  private static void expandLongs(long[] bits, int count, Workspace workspace, Values sink) {
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      run = expand(bits, from, n, run, workspace.longs(0), workspace.wideWindow);
      sink.store(from, n, workspace.wideWindow);
    }
  }

  private static void expandInts(long[] bits, int count, Workspace workspace, Values sink) {
    int[] values = workspace.ints(0);
    int[] window = workspace.window;
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      run =
          areFew(bits, from, n)
              ? fill(bits, from, n, run, values, window)
              : expand(bits, from, n, run, values, window);
      sink.store(from, n, window);
    }
  }

  /** Whether so few runs begin among some values that they are filled one by one. */
  private static boolean areFew(long[] bits, int from, int count) {
    int begun = 0;
    for (int i = 0; i < count; i += Long.SIZE) {
      begun += Long.bitCount(bits[(from + i) >>> 6]);
    }
    return begun <= MAX_FILLED;
  }

  /** Of longs this is no faster than to go from value to value. */
  private static int fill(long[] bits, int from, int count, int before, int[] values, int[] to) {
    int run = before;
    int at = 0;
    for (int i = 0; i < count; i += Long.SIZE) {
      for (long left = bits[(from + i) >>> 6]; left != 0; left &= left - 1) {
        int next = i + Long.numberOfTrailingZeros(left);
        if (at < next) {
          fill(to, at, next, values[run]);
        }
        run++;
        at = next;
      }
    }
    fill(to, at, count, values[run]);
    return run;
  }

  /** As {@link Arrays#fill}, compiled for these lengths. */
  private static void fill(int[] to, int from, int end, int value) {
    for (int i = from; i < end; i++) {
      to[i] = value;
    }
  }

  private static int expand(
      long[] bits, int from, int count, int before, long[] values, long[] to) {
    int run = before;
    for (int i = 0; i < count; i += Long.SIZE) {
      run = expand(bits[(from + i) >>> 6], i, run, values, to);
    }
    return run;
  }

  private static int expand(long[] bits, int from, int count, int before, int[] values, int[] to) {
    int run = before;
    for (int i = 0; i < count; i += Long.SIZE) {
      run = expand(bits[(from + i) >>> 6], i, run, values, to);
    }
    return run;
  }

  /**
   * Writes 64 values, of which those run on that have no bit; eight at a time, which is faster. The
   * length of {@code values} is a power of two: with the mask, the loop has no exit for the
   * compiler to keep registers for, which doubles its speed where the compiler is short of them.
   */
  private static int expand(long word, int from, int before, long[] values, long[] to) {
    if (word == 0) {
      Arrays.fill(to, from, from + Long.SIZE, values[before]);
      return before;
    }
    int mask = values.length - 1;
    int run = before;
    long left = word;
    for (int i = from; i < from + Long.SIZE; i += GROUP) {
      int group = (int) left;
      left >>>= GROUP;
      run += group & 1;
      to[i] = values[run & mask];
      run += (group >>> 1) & 1;
      to[i + 1] = values[run & mask];
      run += (group >>> 2) & 1;
      to[i + 2] = values[run & mask];
      run += (group >>> 3) & 1;
      to[i + 3] = values[run & mask];
      run += (group >>> 4) & 1;
      to[i + 4] = values[run & mask];
      run += (group >>> 5) & 1;
      to[i + 5] = values[run & mask];
      run += (group >>> 6) & 1;
      to[i + 6] = values[run & mask];
      run += (group >>> 7) & 1;
      to[i + 7] = values[run & mask];
    }
    return run;
  }

  /** As the other. */
  private static int expand(long word, int from, int before, int[] values, int[] to) {
    if (word == 0) {
      Arrays.fill(to, from, from + Long.SIZE, values[before]);
      return before;
    }
    int mask = values.length - 1;
    int run = before;
    long left = word;
    for (int i = from; i < from + Long.SIZE; i += GROUP) {
      int group = (int) left;
      left >>>= GROUP;
      run += group & 1;
      to[i] = values[run & mask];
      run += (group >>> 1) & 1;
      to[i + 1] = values[run & mask];
      run += (group >>> 2) & 1;
      to[i + 2] = values[run & mask];
      run += (group >>> 3) & 1;
      to[i + 3] = values[run & mask];
      run += (group >>> 4) & 1;
      to[i + 4] = values[run & mask];
      run += (group >>> 5) & 1;
      to[i + 5] = values[run & mask];
      run += (group >>> 6) & 1;
      to[i + 6] = values[run & mask];
      run += (group >>> 7) & 1;
      to[i + 7] = values[run & mask];
    }
    return run;
  }
}
