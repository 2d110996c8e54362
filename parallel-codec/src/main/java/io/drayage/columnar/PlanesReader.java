package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * Reads values that were written byte by byte: the least significant bytes of all values, then the
 * next, and so on. For one thread.
 */
final class PlanesReader {
  private final int[] window = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private byte[] planes = new byte[0];

  /** Reads exactly the remaining bytes of a payload. */
  void read(ByteBuffer source, int count, Room room) throws ShipmentException {
    if (!room.kind().isFloating()) {
      throw Malformed.because("byte planes of %,d values of %s".formatted(count, room.kind()));
    }
    long bytes = (long) count * room.kind().bytes();
    Malformed.unlessExactly("byte planes", source, bytes);
    if (planes.length < bytes) {
      planes = new byte[(int) bytes];
    }
    source.get(planes, 0, (int) bytes);
    if (room.kind().isWide()) {
      longs = longs.length < count ? new long[count] : longs;
      BytePlanes.join(planes, count, longs);
    } else {
      ints = ints.length < count ? new int[count] : ints;
      BytePlanes.join(planes, count, ints);
    }
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      if (room.kind().isWide()) {
        System.arraycopy(longs, from, wideWindow, 0, n);
        room.store(from, n, wideWindow);
      } else {
        System.arraycopy(ints, from, window, 0, n);
        room.store(from, n, window);
      }
    }
  }
}
