package io.drayage.columnar;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes runs of equal values, eight values at a time where no run begins, whatever their width.
 * For one thread.
 */
final class RunRoom {
  /** If runs are shorter on average, values are better written one by one. */
  private static final int MIN_RUN = 48;

  private static final int GROUP = 8;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private boolean grouped;
  private final byte[] window = new byte[Words.MINI * Long.BYTES];
  private final ByteBuffer written = ByteBuffer.wrap(window).order(ByteOrder.LITTLE_ENDIAN);

  /** Whether {@code runs} of {@code count} values are written faster like this than one by one. */
  static boolean suits(int count, int runs, int rawWidth) {
    return rawWidth == Byte.BYTES || count / runs >= MIN_RUN;
  }

  /**
   * Writes all runs.
   *
   * @param bits which values begin a run; the first does
   * @param runs how many do
   * @param ints the values of the runs, or {@code longs} if they are wide
   */
  void expand(long[] bits, int count, int runs, int[] ints, long[] longs, Room room) {
    int rawWidth = room.rawWidth();
    grouped = count / runs >= MIN_RUN;
    int run = -1;
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      for (int i = 0; i < n; i += Long.SIZE) {
        long word = bits[(from + i) >>> 6];
        if (word == 0) {
          fill(i, Long.SIZE, repeated(ints, longs, run, rawWidth), rawWidth);
        } else {
          run = expandWord(word, i, run, ints, longs, rawWidth);
        }
      }
      room.storeRaw(from, n, written.clear());
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
}
