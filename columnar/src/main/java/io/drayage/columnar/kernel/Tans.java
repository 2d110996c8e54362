package io.drayage.columnar.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Entropy coding of symbols by tabled asymmetric numeral systems (tANS: J. Duda, arXiv:1311.2540),
 * with four states alternately, so that a CPU decodes four symbols at a time.
 *
 * <p>Each symbol has a weight; all weights sum up to a power of two, the number of states. The
 * states of a symbol are spread over all. The bytes begin with the four first states of the
 * decoder, 16 bits each; the bits that lead from state to state follow in the order of the symbols,
 * lowest bits first. Not thread-safe.
 */
public final class Tans {
  /** The binary logarithm of the maximum number of states. */
  public static final int MAX_LOG = 12;

  /** Maximum number of distinct symbols. */
  public static final int MAX_SYMBOLS = 256;

  /** The bytes of the first states. */
  public static final int HEAD_BYTES = 4 * Short.BYTES;

  /** Number of readable bytes needed after the last byte; their contents do not matter. */
  public static final int PADDING = MiniBlock.VALUES * MAX_LOG / Byte.SIZE + Long.BYTES;

  private static final int STATES = 4;
  private static final int SYMBOL_BITS = 8;
  private static final int NEXT_SHIFT = 16;

  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** The symbol of each state; when decoding, also its bits and next state. */
  private final int[] table = new int[1 << MAX_LOG];

  /** The states of each symbol, one symbol after the other, for encoding. */
  private final int[] following = new int[1 << MAX_LOG];

  /** The way from a state to the written bits, and to the next state, for encoding. */
  private final int[] bitsOf = new int[MAX_SYMBOLS];

  private final int[] startOf = new int[MAX_SYMBOLS];
  private final int[] seen = new int[MAX_SYMBOLS];
  private final int[] states = new int[STATES];
  private long position;

  /**
   * Computes weights from the frequencies of symbols.
   *
   * @param counts at least 1 each
   * @param symbols number of symbols, at most 2 to the power of {@code log}
   * @param weights at least 1 each; their sum is 2 to the power of {@code log}
   */
  public static void weigh(int[] counts, int symbols, int log, long[] weights) {
    long total = 0;
    for (int s = 0; s < symbols; s++) {
      total += counts[s];
    }
    long left = 1L << log;
    int heaviest = 0;
    for (int s = 0; s < symbols; s++) {
      weights[s] = Math.max(1, ((long) counts[s] << log) / total);
      left -= weights[s];
      heaviest = weights[s] > weights[heaviest] ? s : heaviest;
    }
    weights[heaviest] += Math.max(0, left);
    while (left < 0) {
      // Too many were raised to 1. So repeatedly reduce the weight that loses least.
      int most = 0;
      for (int s = 1; s < symbols; s++) {
        most = weights[s] > weights[most] ? s : most;
      }
      weights[most]--;
      left++;
    }
  }

  /** Gives each symbol its states. */
  private void spread(long[] weights, int symbols, int log) {
    int size = 1 << log;
    int mask = size - 1;
    int step = ((size >> 1) + (size >> 3) + 3) | 1;
    int at = 0;
    for (int s = 0; s < symbols; s++) {
      for (long n = weights[s]; n > 0; n--) {
        table[at] = s;
        at = (at + step) & mask;
      }
    }
  }

  /** Maximum bytes of so many symbols. */
  public static int maxBytes(int count, int log) {
    return HEAD_BYTES + (int) (((long) count * log + Byte.SIZE - 1) / Byte.SIZE) + Long.BYTES;
  }

  /**
   * Encodes symbols.
   *
   * @param weights computed by {@link #weigh}
   * @param symbols each below {@code weighed}; overwritten
   * @param target has space for {@link #maxBytes}
   * @return number of bytes written
   */
  public int encode(long[] weights, int weighed, int log, int[] symbols, int count, byte[] target) {
    prepare(weights, weighed, log);
    int size = 1 << log;
    int whole = count & -STATES;
    Arrays.fill(states, size);
    for (int i = count - 1; i >= whole; i--) {
      states[i - whole] = step(states[i - whole], symbols, i);
    }
    int a = states[0];
    int b = states[1];
    int c = states[2];
    int d = states[3];
    for (int i = whole - STATES; i >= 0; i -= STATES) {
      d = step(d, symbols, i + 3);
      c = step(c, symbols, i + 2);
      b = step(b, symbols, i + 1);
      a = step(a, symbols, i);
    }
    SHORTS.set(target, 0, (short) (a - size));
    SHORTS.set(target, 2, (short) (b - size));
    SHORTS.set(target, 4, (short) (c - size));
    SHORTS.set(target, 6, (short) (d - size));
    return pack(symbols, count, target);
  }

  /** Replaces a symbol by the bits that lead to {@code state}; returns the state before. */
  private int step(int state, int[] symbols, int i) {
    int symbol = symbols[i];
    int bits = (state + bitsOf[symbol]) >>> NEXT_SHIFT;
    symbols[i] = (bits << NEXT_SHIFT) | (state & ((1 << bits) - 1));
    return following[(state >>> bits) + startOf[symbol]];
  }

  private static int pack(int[] steps, int count, byte[] target) {
    int whole = count & -STATES;
    int to = HEAD_BYTES;
    long open = 0;
    int bits = 0;
    for (int i = 0; i < whole; i += STATES) {
      // Less than a byte, and four times 12 bits.
      for (int lane = 0; lane < STATES; lane++) {
        int step = steps[i + lane];
        open |= (step & 0xFFFFL) << bits;
        bits += step >>> NEXT_SHIFT;
      }
      LONGS.set(target, to, open);
      to += bits >>> 3;
      open >>>= bits & -Byte.SIZE;
      bits &= Byte.SIZE - 1;
    }
    for (int i = whole; i < count; i++) {
      open |= (steps[i] & 0xFFFFL) << bits;
      bits += steps[i] >>> NEXT_SHIFT;
    }
    LONGS.set(target, to, open);
    return to + (bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Encoding goes from the last symbol to the first; a state there is 1 to 2 times the size. */
  private void prepare(long[] weights, int symbols, int log) {
    spread(weights, symbols, log);
    int start = 0;
    for (int s = 0; s < symbols; s++) {
      int weight = (int) weights[s];
      int most = log + 1 - Bits.width(weight - 1);
      // A state of at least weight << most writes `most` bits, a smaller one most - 1.
      bitsOf[s] = (most << NEXT_SHIFT) - (weight << most);
      startOf[s] = start - weight;
      seen[s] = start;
      start += weight;
    }
    int size = 1 << log;
    for (int state = 0; state < size; state++) {
      following[seen[table[state]]++] = size + state;
    }
  }

  /**
   * Begins to decode.
   *
   * @param weights at least 1 each; their sum is 2 to the power of {@code log}
   * @param source the first states and the bits
   * @param from their start; at least {@value #HEAD_BYTES} bytes are there
   * @return whether the first states are possible
   */
  public boolean begin(long[] weights, int symbols, int log, byte[] source, int from) {
    spread(weights, symbols, log);
    for (int s = 0; s < symbols; s++) {
      seen[s] = (int) weights[s];
    }
    int size = 1 << log;
    for (int state = 0; state < size; state++) {
      int symbol = table[state];
      int number = seen[symbol]++;
      int bits = log + 1 - Bits.width(number);
      table[state] = symbol | (bits << SYMBOL_BITS) | (((number << bits) - size) << NEXT_SHIFT);
    }
    boolean possible = true;
    for (int lane = 0; lane < STATES; lane++) {
      states[lane] = (short) SHORTS.get(source, from + lane * Short.BYTES) & 0xFFFF;
      possible &= states[lane] < size;
    }
    position = (from + (long) HEAD_BYTES) * Byte.SIZE;
    return possible;
  }

  /** The index after the last byte of which a bit was read. */
  public long position() {
    return (position + Byte.SIZE - 1) / Byte.SIZE;
  }

  /**
   * Decodes the next symbols: a multiple of four, except for the last ones.
   *
   * @param source as passed to {@link #begin}, with {@value #PADDING} bytes after {@link #position}
   * @param count at most {@value MiniBlock#VALUES}
   */
  public void decode(byte[] source, int[] symbols, int count) {
    int a = states[0];
    int b = states[1];
    int c = states[2];
    int d = states[3];
    long at = position;
    int i = 0;
    for (; i + STATES <= count; i += STATES) {
      // 4 times 12 bits of at least 57 available ones.
      long word = (long) LONGS.get(source, (int) (at >>> 3)) >>> (at & 7);
      int entry = table[a];
      int bits = (entry >>> SYMBOL_BITS) & 0xFF;
      symbols[i] = entry & 0xFF;
      a = (entry >>> NEXT_SHIFT) + ((int) word & ((1 << bits) - 1));
      word >>>= bits;
      at += bits;
      entry = table[b];
      bits = (entry >>> SYMBOL_BITS) & 0xFF;
      symbols[i + 1] = entry & 0xFF;
      b = (entry >>> NEXT_SHIFT) + ((int) word & ((1 << bits) - 1));
      word >>>= bits;
      at += bits;
      entry = table[c];
      bits = (entry >>> SYMBOL_BITS) & 0xFF;
      symbols[i + 2] = entry & 0xFF;
      c = (entry >>> NEXT_SHIFT) + ((int) word & ((1 << bits) - 1));
      word >>>= bits;
      at += bits;
      entry = table[d];
      bits = (entry >>> SYMBOL_BITS) & 0xFF;
      symbols[i + 3] = entry & 0xFF;
      d = (entry >>> NEXT_SHIFT) + ((int) word & ((1 << bits) - 1));
      at += bits;
    }
    states[0] = a;
    states[1] = b;
    states[2] = c;
    states[3] = d;
    for (; i < count; i++) {
      int lane = i & (STATES - 1);
      int entry = table[states[lane]];
      int bits = (entry >>> SYMBOL_BITS) & 0xFF;
      long word = (long) LONGS.get(source, (int) (at >>> 3)) >>> (at & 7);
      symbols[i] = entry & 0xFF;
      states[lane] = (entry >>> NEXT_SHIFT) + ((int) word & ((1 << bits) - 1));
      at += bits;
    }
    position = at;
  }
}
