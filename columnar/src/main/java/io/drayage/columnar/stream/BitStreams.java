package io.drayage.columnar.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.Bits;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads streams of bits: raw, in words of 64, or as the gaps between bits.
 *
 * <pre>
 *   GAPS   count i32 | stream of count ints: the clear bits before each set one
 *   RUNS the same of the bits that differ from the one before
 * </pre>
 *
 * The inner stream is absent if the count is 0. Not thread-safe; reused.
 */
public final class BitStreams {
  private static final int RUNS_ID = 34;
  private static final int GAPS_ID = 35;
  private static final int RAW_ID = 37;

  private static final Costs RAW_COSTS = Costs.of("BITS");
  private static final Costs GAP_COSTS = Costs.of("GAPS");

  /** Bytes of the count and of the headers of the stream of gaps. */
  private static final int HEAD_BYTES = 40;

  private final double nsPerByte;
  private final Streams within;
  private int[] gaps = new int[0];
  private long[] changes = new long[0];

  /**
   * @param nsPerByte cost of a byte after the encoding
   * @param within writes and reads the gaps
   */
  public BitStreams(double nsPerByte, Streams within) {
    this.nsPerByte = nsPerByte;
    this.within = within;
  }

  /** Maximum bytes of a stream of so many bits. */
  public static int maxBytes(int bits) {
    return StreamHeader.BYTES + Bits.words(bits) * Long.BYTES;
  }

  /**
   * Writes a stream, at most {@link #maxBytes}.
   *
   * @param words bits of the last word beyond {@code bits} are clear
   * @param like the scheme of a similar stream; null if it is not known
   */
  public Scheme write(long[] words, int bits, @Nullable Scheme like, ByteBuffer target) {
    int number = Bits.words(bits);
    findChanges(words, bits);
    int set = Bits.count(words, number);
    int changed = Bits.count(changes, number);
    double rawNs = (nsPerByte * Long.BYTES + RAW_COSTS.ns8()) * number;
    double gapsNs = ns(bits, set);
    double runsNs = ns(bits, changed);
    int start = target.position();
    if (Math.min(gapsNs, runsNs) < rawNs) {
      try {
        return gapsNs <= runsNs
            ? writeGaps(GAPS_ID, words, set, bits, like, target)
            : writeGaps(RUNS_ID, changes, changed, bits, like, target);
      } catch (StreamTooLongException e) {
        target.position(start);
      }
    }
    StreamHeader.begin(target);
    target.asLongBuffer().put(words, 0, number);
    target.position(target.position() + number * Long.BYTES);
    return end(RAW_ID, bits, start, List.of(), target);
  }

  private double ns(int bits, int count) {
    double bitsOfEach = count == 0 ? 0 : Estimate.distanceBits(bits, count);
    return HEAD_BYTES * nsPerByte + count * (bitsOfEach / Byte.SIZE * nsPerByte + GAP_COSTS.item());
  }

  /** Finds the bits that differ from their predecessor. The first one differs if it is set. */
  private void findChanges(long[] words, int bits) {
    int number = Bits.words(bits);
    if (changes.length < number) {
      changes = new long[number];
    }
    long before = 0;
    for (int w = 0; w < number; w++) {
      changes[w] = words[w] ^ (words[w] << 1 | before);
      before = words[w] >>> (Long.SIZE - 1);
    }
    changes[number - 1] &= -1L >>> -bits;
  }

  private Scheme writeGaps(
      int id, long[] words, int count, int bits, @Nullable Scheme like, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    target.putInt(count);
    if (count == 0) {
      return end(id, bits, start, List.of(), target);
    }
    ensureGaps(count);
    int next = 0;
    int before = -1;
    for (int w = 0; w < Bits.words(bits); w++) {
      for (long left = words[w]; left != 0; left &= left - 1) {
        int at = (w << 6) + Long.numberOfTrailingZeros(left);
        gaps[next++] = at - before - 1;
        before = at;
      }
    }
    Scheme known = like != null && like.id() == id ? like.child(0) : null;
    int most = start + maxBytes(bits) - target.position();
    ArrayValues numbers = new ArrayValues(Kind.INT, gaps, count);
    return end(id, bits, start, List.of(within.write(numbers, known, target, most)), target);
  }

  private static Scheme end(int id, int bits, int start, List<Scheme> children, ByteBuffer target) {
    StreamHeader.end(target, start, id);
    return new Scheme(id, name(id), bits, target.position() - start, children);
  }

  private static String name(int id) {
    return id == RAW_ID ? "BITS" : id == GAPS_ID ? "GAPS" : "RUNS";
  }

  private void ensureGaps(int count) {
    if (gaps.length < count) {
      gaps = new int[Math.max(count, 2 * gaps.length)];
    }
  }

  /**
   * Reads a stream of {@code bits} bits.
   *
   * @param words filled; bits of the last word beyond {@code bits} are clear afterwards
   */
  public Scheme read(ByteBuffer source, int bits, long[] words) throws ShipmentException {
    int start = source.position();
    int id = StreamHeader.read(source);
    int end = source.position() + StreamHeader.payloadBytes(source);
    int limit = source.limit();
    source.limit(end);
    int number = Bits.words(bits);
    List<Scheme> children = List.of();
    if (id == RAW_ID) {
      Malformed.unlessExactly("a set of bits", source, number * (long) Long.BYTES);
      source.asLongBuffer().get(words, 0, number);
      source.position(end);
    } else if (id == GAPS_ID || id == RUNS_ID) {
      children = readGaps(source, bits, words);
    } else {
      throw Malformed.because(format("number %d is no encoding of bits", id));
    }
    Malformed.unlessExactly("the end of a set of bits", source, 0);
    source.limit(limit);
    if (id == RUNS_ID) {
      joinChanges(words, number);
    }
    words[number - 1] &= -1L >>> -bits;
    return new Scheme(id, name(id), bits, end - start, children);
  }

  private List<Scheme> readGaps(ByteBuffer source, int bits, long[] words)
      throws ShipmentException {
    Malformed.unlessThere("a number of gaps", source, Integer.BYTES);
    int count = source.getInt();
    Malformed.unlessWithin("a number of gaps", count, 0, bits);
    Arrays.fill(words, 0, Bits.words(bits), 0);
    if (count == 0) {
      return List.of();
    }
    ensureGaps(count);
    Scheme scheme = within.readInts(source, count, gaps);
    requireWithin(count, bits);
    int at = -1;
    for (int i = 0; i < count; i++) {
      at += gaps[i] + 1;
      words[at >>> 6] |= 1L << at;
    }
    return List.of(scheme);
  }

  /** Checks that no gap is negative, and that all set bits are within the stream. */
  private void requireWithin(int count, int bits) throws ShipmentException {
    long end = 0;
    int seen = 0;
    for (int i = 0; i < count; i++) {
      end += gaps[i] + 1L;
      seen |= gaps[i];
    }
    if (seen < 0 || end > bits) {
      throw Malformed.because(format("%,d gaps need %,d bits, there are %,d", count, end, bits));
    }
  }

  /** Restores bits from the changed ones: each is the sum of all changes up to it. */
  private static void joinChanges(long[] words, int number) {
    long before = 0;
    for (int w = 0; w < number; w++) {
      long word = words[w];
      for (int shift = 1; shift < Long.SIZE; shift <<= 1) {
        word ^= word << shift;
      }
      words[w] = word ^ before;
      before = words[w] >> (Long.SIZE - 1);
    }
  }
}
