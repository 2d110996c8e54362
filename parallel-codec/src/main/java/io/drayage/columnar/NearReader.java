package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads doubles that were written as integers and residues:
 *
 * <pre>
 *   pair i32 | stream of integers, longs | stream of residues, longs
 * </pre>
 *
 * The pair is a quotient: see {@link DecimalForm}. For one thread.
 */
final class NearReader {
  private final StreamReader child;
  private final long[] window = new long[Words.MINI];
  private long[] integers = new long[0];
  private long[] residues = new long[0];

  NearReader(StreamReader child) {
    this.child = child;
  }

  /** Reads a payload; what follows the last stream is the caller's business. */
  List<EncodingTree> read(ByteBuffer source, int count, Room room) throws ShipmentException {
    Malformed.unlessThere("almost-decimals", source, Integer.BYTES);
    int pair = source.getInt();
    if (!NearDecimals.isValid(pair) || room.kind() != Kind.DOUBLE) {
      throw Malformed.because(
          "the pair 0x%08x is none of almost-decimals of %s".formatted(pair, room.kind()));
    }
    if (integers.length < count) {
      integers = new long[count];
      residues = new long[count];
    }
    EncodingTree integersTree = child.read(source, count, Room.of(Kind.LONG, integers));
    EncodingTree residuesTree = child.read(source, count, Room.of(Kind.LONG, residues));
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      NearDecimals.decode(integers, residues, from, n, pair, window);
      room.store(from, n, window);
    }
    return List.of(integersTree, residuesTree);
  }
}
