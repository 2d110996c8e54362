package io.drayage.columnar.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A canonical Huffman code of bytes, of at most {@value #MAX_BITS} bits each: made for how often
 * each byte comes, and what writes bytes in it. {@link HuffmanTable} reads them. Not thread-safe.
 *
 * <p>Shorter codes are less than longer ones; those of a length ascend with their bytes. A code's
 * highest bit comes first, in the highest bit of a byte.
 */
public final class HuffmanCode {
  /** The longest code. */
  public static final int MAX_BITS = 11;

  /** How many different bytes there are. */
  public static final int SYMBOLS = 1 << Byte.SIZE;

  /** What {@link #write} may write behind its last byte. */
  public static final int PADDING = Long.BYTES;

  static final VarHandle BIG_LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MASK = SYMBOLS - 1;

  /** What a code's length takes, in the lowest bits of its entry. */
  public static final int LENGTH_BITS = 4;

  /** What is counted by itself, so that a counter is not needed again before it is stored. */
  private static final int LANES = 4;

  private final int[][] counts = new int[LANES][SYMBOLS];
  private final long[] ranked = new long[SYMBOLS];
  private final int[] depths = new int[SYMBOLS];
  private final int[] numbers = new int[MAX_BITS + 1];
  private final int[] next = new int[MAX_BITS + 1];
  private final byte[] lengths = new byte[SYMBOLS];

  /** The code of each byte in the highest bits, and its length in the lowest. */
  private final long[] entries = new long[SYMBOLS];

  private int symbols;
  private final LongSort sort = new LongSort();

  /**
   * Makes the code that is best for some bytes.
   *
   * @param source with at least two different ones
   * @return how many bits these take
   */
  public long fit(byte[] source, int count) {
    count(source, count);
    int[] total = counts[0];
    symbols = 0;
    for (int s = 0; s < SYMBOLS; s++) {
      total[s] += counts[1][s] + counts[2][s] + counts[3][s];
      lengths[s] = 0;
      if (total[s] > 0) {
        ranked[symbols++] = ((long) total[s] << Byte.SIZE) | s;
      }
    }
    sort.sort(ranked, symbols);
    findDepths();
    limitLengths();
    long bits = 0;
    int at = 0;
    for (int length = MAX_BITS; length > 0; length--) {
      for (int n = numbers[length]; n > 0; n--) {
        long key = ranked[at++];
        lengths[(int) key & MASK] = (byte) length;
        bits += (key >>> Byte.SIZE) * length;
      }
    }
    return bits;
  }

  /** How many different bytes there are. */
  public int symbols() {
    return symbols;
  }

  /** The byte that is the most frequent. */
  public byte common() {
    return (byte) ranked[symbols - 1];
  }

  /** How often {@link #common} comes. */
  public int commonCount() {
    return (int) (ranked[symbols - 1] >>> Byte.SIZE);
  }

  /** The length of each byte's code, in bits; 0 of one that has none. */
  public byte[] lengths() {
    return lengths;
  }

  private void count(byte[] source, int count) {
    int[] a = counts[0];
    int[] b = counts[1];
    int[] c = counts[2];
    int[] d = counts[3];
    for (int[] lane : counts) {
      Arrays.fill(lane, 0);
    }
    int whole = count & -Long.BYTES;
    for (int i = 0; i < whole; i += Long.BYTES) {
      long word = (long) Tans.LONGS.get(source, i);
      a[(int) word & MASK]++;
      b[(int) (word >>> 8) & MASK]++;
      c[(int) (word >>> 16) & MASK]++;
      d[(int) (word >>> 24) & MASK]++;
      a[(int) (word >>> 32) & MASK]++;
      b[(int) (word >>> 40) & MASK]++;
      c[(int) (word >>> 48) & MASK]++;
      d[(int) (word >>> 56) & MASK]++;
    }
    for (int i = whole; i < count; i++) {
      a[source[i] & MASK]++;
    }
  }

  /**
   * Finds how deep in the tree the ranked bytes are, and counts these depths, in place (A. Moffat,
   * J. Katajainen, In-Place Calculation of Minimum-Redundancy Codes, 1995).
   */
  private void findDepths() {
    int[] tree = depths;
    for (int i = 0; i < symbols; i++) {
      tree[i] = (int) (ranked[i] >>> Byte.SIZE);
    }
    // First the weights of the inner nodes, and in place of one that has a parent, where that is.
    int root = 0;
    int leaf = 0;
    for (int node = 0; node < symbols - 1; node++) {
      int weight = 0;
      for (int child = 0; child < 2; child++) {
        if (leaf >= symbols || (root < node && tree[root] < tree[leaf])) {
          weight += tree[root];
          tree[root++] = node;
        } else {
          weight += tree[leaf++];
        }
      }
      tree[node] = weight;
    }
    // Then the depths of the inner nodes, from the root on, and how many leaves each depth has.
    tree[symbols - 2] = 0;
    for (int node = symbols - 3; node >= 0; node--) {
      tree[node] = tree[tree[node]] + 1;
    }
    Arrays.fill(numbers, 0);
    int node = symbols - 2;
    int open = 1;
    for (int depth = 0; open > 0; depth++) {
      int inner = 0;
      for (; node >= 0 && tree[node] == depth; node--) {
        inner++;
      }
      numbers[Math.min(MAX_BITS, depth)] += open - inner;
      open = 2 * inner;
    }
  }

  /**
   * Makes codes that are cut to the longest length possible again, and leaves none unused: in units
   * of the longest code's share, all take exactly what there is.
   */
  private void limitLengths() {
    int taken = 0;
    for (int length = 1; length <= MAX_BITS; length++) {
      taken += numbers[length] << (MAX_BITS - length);
    }
    int space = 1 << MAX_BITS;
    while (taken > space) {
      int length = MAX_BITS - 1;
      while (numbers[length] == 0) {
        length--;
      }
      numbers[length]--;
      numbers[length + 1]++;
      taken -= 1 << (MAX_BITS - length - 1);
    }
    for (int length = MAX_BITS; taken < space; length--) {
      int share = 1 << (MAX_BITS - length);
      int shorter = Math.min(numbers[length], (space - taken) / share);
      numbers[length] -= shorter;
      numbers[length - 1] += shorter;
      taken += shorter * share;
    }
  }

  /** Gives the bytes their codes, by the lengths that {@link #fit} found. */
  public void assign() {
    int code = 0;
    for (int length = 1; length <= MAX_BITS; length++) {
      code = (code + numbers[length - 1]) << 1;
      next[length] = code;
    }
    for (int s = 0; s < SYMBOLS; s++) {
      int length = lengths[s];
      entries[s] = length == 0 ? 0 : ((long) next[length]++ << (Long.SIZE - length)) | length;
    }
  }

  /**
   * Writes the codes of some bytes, which all have one.
   *
   * @param target has space for them and {@link #PADDING}
   * @return where they end
   */
  public int write(byte[] source, int from, int count, byte[] target, int at) {
    long[] codes = entries;
    int end = from + count;
    int whole = from + (count & -Integer.BYTES);
    // The low 6 bits tell how many of the highest are open; what is above them has no meaning.
    long bits = 0;
    long open = 0;
    int to = at;
    for (int i = from; i < whole; i += Integer.BYTES) {
      // Less than a byte, and four codes; the lengths stay below them and are cleared.
      int word = (int) INTS.get(source, i);
      long entry = codes[word & MASK];
      open |= entry >>> bits;
      bits += entry;
      entry = codes[(word >>> 8) & MASK];
      open |= entry >>> bits;
      bits += entry;
      entry = codes[(word >>> 16) & MASK];
      open |= entry >>> bits;
      bits += entry;
      entry = codes[word >>> 24];
      open |= entry >>> bits;
      bits += entry;
      open &= -1L << LENGTH_BITS;
      BIG_LONGS.set(target, to, open);
      to += (int) (bits >>> 3) & 7;
      open <<= bits & (Long.SIZE - Byte.SIZE);
      bits &= Byte.SIZE - 1;
    }
    for (int i = whole; i < end; i++) {
      long entry = codes[source[i] & MASK];
      open = (open | (entry >>> bits)) & (-1L << LENGTH_BITS);
      bits += entry;
      BIG_LONGS.set(target, to, open);
      to += (int) (bits >>> 3) & 7;
      open <<= bits & (Long.SIZE - Byte.SIZE);
      bits &= Byte.SIZE - 1;
    }
    return to + (bits > 0 ? 1 : 0);
  }
}
