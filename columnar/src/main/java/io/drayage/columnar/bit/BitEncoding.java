package io.drayage.columnar.bit;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One encoding of streams of bits, as distances between some of them. Not thread-safe; reused. */
abstract class BitEncoding {
  /** What coding and decoding a distance takes. */
  private static final double NS_PER_DISTANCE = 6;

  private final int id;
  private final String name;
  private final Streams within;
  private int[] distances = new int[0];

  /**
   * @param id on the wire, from 32 on; frozen
   * @param within writes the distances
   */
  BitEncoding(int id, String name, Streams within) {
    this.id = id;
    this.name = name;
    this.within = within;
  }

  final int id() {
    return id;
  }

  final String name() {
    return name;
  }

  /** How many distances there are; 0 if the bits do not suit. */
  abstract int distances(BitCounts counts);

  /** Writes what precedes the distances, and computes them. */
  abstract void begin(long[] words, int bits, int[] to, ByteBuffer target);

  /** Reads what precedes the distances: a number that {@link #join} understands. */
  abstract int readHead(ByteBuffer source) throws ShipmentException;

  /** Whether distances that come to so many bits are allowed. */
  abstract boolean isAllowed(long end, int bits);

  /** Sets bits by checked distances. */
  abstract void join(int head, int[] from, int count, long[] words, int bits);

  /** What the bits would cost, on the wire and on both sides. */
  final double ns(BitCounts counts, double nsPerByte) {
    int count = distances(counts);
    if (count == 0) {
      return Double.MAX_VALUE;
    }
    double each = Estimate.distanceBits(counts.bits(), count);
    return 40 * nsPerByte + count * (each / Byte.SIZE * nsPerByte + NS_PER_DISTANCE);
  }

  final Scheme write(
      long[] words, BitCounts counts, @Nullable Scheme like, ByteBuffer target, int end) {
    int count = distances(counts);
    ensureDistances(count);
    target.putInt(count);
    begin(words, counts.bits(), distances, target);
    ArrayValues numbers = new ArrayValues(Kind.INT, distances, count);
    return within.write(numbers, like, target, end - target.position());
  }

  private void ensureDistances(int count) {
    if (distances.length < count) {
      distances = new int[Math.max(count, 2 * distances.length)];
    }
  }

  final List<Scheme> read(ByteBuffer source, int bits, long[] words) throws ShipmentException {
    Malformed.unlessThere("a number of distances", source, Integer.BYTES);
    int count = source.getInt();
    Malformed.unlessWithin("a number of distances", count, 1, bits);
    int head = readHead(source);
    ensureDistances(count);
    Scheme tree = within.readInts(source, count, distances);
    requireWithin(count, bits);
    join(head, distances, count, words, bits);
    return List.of(tree);
  }

  /** Checks that no distance is negative, and that all of them stay within the bits. */
  private void requireWithin(int count, int bits) throws ShipmentException {
    long end = 0;
    int seen = 0;
    for (int i = 0; i < count; i++) {
      end += distances[i] + 1L;
      seen |= distances[i];
    }
    if (seen < 0 || !isAllowed(end, bits)) {
      throw Malformed.because(
          format("%,d distances come to %,d bits, there are %,d", count, end, bits));
    }
  }
}
