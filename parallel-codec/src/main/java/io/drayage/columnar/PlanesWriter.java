package io.drayage.columnar;

import java.nio.ByteBuffer;

/** Writes values byte by byte, for a tail: see {@link PlanesReader}. For one thread. */
final class PlanesWriter {
  private final int[] window = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private byte[] planes = new byte[0];

  void write(Values values, ByteBuffer target) {
    int count = values.count();
    int bytes = count * values.kind().bytes();
    if (planes.length < bytes) {
      planes = new byte[bytes];
    }
    if (values.kind().isWide()) {
      longs = longs.length < count ? new long[count] : longs;
      for (int from = 0; from < count; from += Words.MINI) {
        int n = Math.min(Words.MINI, count - from);
        values.load(from, n, wideWindow);
        System.arraycopy(wideWindow, 0, longs, from, n);
      }
      BytePlanes.split(longs, count, planes);
    } else {
      ints = ints.length < count ? new int[count] : ints;
      for (int from = 0; from < count; from += Words.MINI) {
        int n = Math.min(Words.MINI, count - from);
        values.load(from, n, window);
        System.arraycopy(window, 0, ints, from, n);
      }
      BytePlanes.split(ints, count, planes);
    }
    target.put(planes, 0, bytes);
  }
}
