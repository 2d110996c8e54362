package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads values that repeat at a distance:
 *
 * <pre>
 *   0          4
 *   +----------+------------------------------------+-----------------------------+
 *   | distance | stream of bits, one for each value | stream of the first values  |
 *   | i32      | from the distance on: exceptions   | and then the exceptions     |
 *   +----------+------------------------------------+-----------------------------+
 * </pre>
 *
 * The first {@code distance} values are said, and so are the exceptions; every other value is the
 * one that is the distance before it. For one thread.
 */
final class RepeatReader {
  private static final int MIN_ROOM = 1024;

  private final StreamReader child;
  private final BitsReader exceptions;
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] bits = new long[0];

  RepeatReader(StreamReader child, BitsReader exceptions) {
    this.child = child;
    this.exceptions = exceptions;
  }

  /** Reads a payload; what follows the last stream is the caller's business. */
  List<EncodingTree> read(ByteBuffer source, int count, Room room) throws ShipmentException {
    Malformed.unlessThere("a distance", source, Integer.BYTES);
    int distance = source.getInt();
    Malformed.unlessWithin("a distance", distance, 1, count - 1L);
    int words = BitsWriter.words(count - distance);
    if (bits.length < words) {
      bits = new long[Math.max(MIN_ROOM, words)];
    }
    EncodingTree tree = exceptions.read(source, count - distance, bits);
    int literals = distance;
    for (int w = 0; w < words; w++) {
      literals += Long.bitCount(bits[w]);
    }
    EncodingTree values = readLiterals(source, literals, room.kind());
    place(0, distance, 0, room);
    repeat(count, distance, words, room);
    return List.of(tree, values);
  }

  private EncodingTree readLiterals(ByteBuffer source, int count, Kind kind)
      throws ShipmentException {
    if (kind.isWide()) {
      longs = longs.length < count ? new long[Math.max(MIN_ROOM, count)] : longs;
      return child.read(source, count, Room.of(kind, longs));
    }
    ints = ints.length < count ? new int[Math.max(MIN_ROOM, count)] : ints;
    return child.read(source, count, Room.of(kind, ints));
  }

  private void repeat(int count, int distance, int words, Room room) {
    int at = distance;
    int literal = distance;
    for (int w = 0; w < words; w++) {
      for (long left = bits[w]; left != 0; left &= left - 1) {
        int exception = distance + (w << 6) + Long.numberOfTrailingZeros(left);
        room.repeat(at, distance, exception - at);
        place(exception, 1, literal++, room);
        at = exception + 1;
      }
    }
    room.repeat(at, distance, count - at);
  }

  private void place(int at, int number, int literal, Room room) {
    if (room.kind().isWide()) {
      room.store(at, number, longs, literal);
    } else {
      room.store(at, number, ints, literal);
    }
  }
}
