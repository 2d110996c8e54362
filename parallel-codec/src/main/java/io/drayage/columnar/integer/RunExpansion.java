package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Workspace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Expands runs whose values are in a workspace: eight equal values at a time where runs are long,
 * whatever their width. Not thread-safe.
 */
final class RunExpansion {
  /** If runs are shorter on average, values are better written one by one. */
  private static final int MIN_RUN = 48;

  private static final int GROUP = 8;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final Workspace workspace;
  private boolean grouped;
  private final byte[] window = new byte[MiniBlock.VALUES * Long.BYTES];
  private final ByteBuffer written = ByteBuffer.wrap(window).order(ByteOrder.LITTLE_ENDIAN);

  RunExpansion(Workspace workspace) {
    this.workspace = workspace;
  }

  /**
   * Stores the values of all runs.
   *
   * @param bits which values begin a run; the first does
   * @param runs how many do
   */
  void expand(long[] bits, int count, int runs, ValueSink sink) {
    grouped = count / runs >= MIN_RUN;
    if (grouped || sink.rawWidth() == Byte.BYTES) {
      expandRaw(bits, count, sink);
    } else if (sink.kind().isWide()) {
      expandWide(bits, count, sink);
    } else {
      expandNarrow(bits, count, sink);
    }
  }

  private void expandRaw(long[] bits, int count, ValueSink sink) {
    int[] ints = workspace.ints(0);
    long[] longs = workspace.longs(0);
    int rawWidth = sink.rawWidth();
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      for (int i = 0; i < n; i += Long.SIZE) {
        long word = bits[(from + i) >>> 6];
        if (word == 0) {
          fill(i, Long.SIZE, repeated(ints, longs, run, rawWidth), rawWidth);
        } else {
          run = expandWord(word, i, run, ints, longs, rawWidth);
        }
      }
      sink.storeRaw(from, n, written.clear());
    }
  }

  private int expandWord(long word, int at, int run, int[] ints, long[] longs, int rawWidth) {
    return switch (rawWidth) {
      case Byte.BYTES -> expandBytes(word, at, run, ints);
      case Short.BYTES -> expandShorts(word, at, run, ints);
      case Integer.BYTES -> expandInts(word, at, run, ints);
      default -> expandLongs(word, at, run, longs);
    };
  }

  private int expandBytes(long word, int at, int before, int[] values) {
    int run = before;
    for (int i = 0; i < Long.SIZE; i += GROUP) {
      int group = (int) (word >>> i) & 0xFF;
      if (grouped && group == 0) {
        LONG.set(window, at + i, (values[run] & 0xFF) * 0x0101010101010101L);
      } else {
        for (int j = 0; j < GROUP; j++) {
          run += (group >>> j) & 1;
          window[at + i + j] = (byte) values[run];
        }
      }
    }
    return run;
  }

  private int expandShorts(long word, int at, int before, int[] values) {
    int run = before;
    for (int i = 0; i < Long.SIZE; i += GROUP) {
      int group = (int) (word >>> i) & 0xFF;
      int to = (at + i) * Short.BYTES;
      if (grouped && group == 0) {
        long repeated = (values[run] & 0xFFFF) * 0x0001000100010001L;
        LONG.set(window, to, repeated);
        LONG.set(window, to + Long.BYTES, repeated);
      } else {
        for (int j = 0; j < GROUP; j++) {
          run += (group >>> j) & 1;
          SHORT.set(window, to + j * Short.BYTES, (short) values[run]);
        }
      }
    }
    return run;
  }

  private int expandInts(long word, int at, int before, int[] values) {
    int run = before;
    for (int i = 0; i < Long.SIZE; i += GROUP) {
      int group = (int) (word >>> i) & 0xFF;
      if (grouped && group == 0) {
        fill(at + i, GROUP, (values[run] & 0xFFFFFFFFL) * 0x100000001L, Integer.BYTES);
      } else {
        for (int j = 0; j < GROUP; j++) {
          run += (group >>> j) & 1;
          INT.set(window, (at + i + j) * Integer.BYTES, values[run]);
        }
      }
    }
    return run;
  }

  private int expandLongs(long word, int at, int before, long[] values) {
    int run = before;
    for (int i = 0; i < Long.SIZE; i += GROUP) {
      int group = (int) (word >>> i) & 0xFF;
      if (grouped && group == 0) {
        fill(at + i, GROUP, values[run], Long.BYTES);
      } else {
        for (int j = 0; j < GROUP; j++) {
          run += (group >>> j) & 1;
          LONG.set(window, (at + i + j) * Long.BYTES, values[run]);
        }
      }
    }
    return run;
  }

  private static long repeated(int[] ints, long[] longs, int run, int rawWidth) {
    return switch (rawWidth) {
      case Byte.BYTES -> (ints[run] & 0xFF) * 0x0101010101010101L;
      case Short.BYTES -> (ints[run] & 0xFFFF) * 0x0001000100010001L;
      case Integer.BYTES -> (ints[run] & 0xFFFFFFFFL) * 0x100000001L;
      default -> longs[run];
    };
  }

  private void fill(int at, int number, long value, int rawWidth) {
    int end = (at + number) * rawWidth;
    for (int to = at * rawWidth; to < end; to += Long.BYTES) {
      LONG.set(window, to, value);
    }
  }

  private void expandWide(long[] bits, int count, ValueSink sink) {
    long[] longs = workspace.longs(0);
    long[] to = workspace.wideWindow;
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      for (int i = 0; i < n; i += Long.SIZE) {
        run = expand(bits[(from + i) >>> 6], i, run, longs, to);
      }
      sink.store(from, n, to);
    }
  }

  private void expandNarrow(long[] bits, int count, ValueSink sink) {
    int[] ints = workspace.ints(0);
    int[] to = workspace.window;
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      for (int i = 0; i < n; i += Long.SIZE) {
        run = expand(bits[(from + i) >>> 6], i, run, ints, to);
      }
      sink.store(from, n, to);
    }
  }

  /**
   * Writes 64 values, of which those run on that have no bit; eight at a time, which is faster. The
   * length of {@code values} is a power of two: with the mask, the loop has no exit for the compiler
   * to keep registers for, which doubles its speed where the compiler is short of them.
   */
  private static int expand(long word, int from, int before, long[] values, long[] to) {
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
