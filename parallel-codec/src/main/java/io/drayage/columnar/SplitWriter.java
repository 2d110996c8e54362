package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.List;

/** Writes doubles as left and right parts. For one thread. */
final class SplitWriter {
  private final StreamWriter child;
  private final long[] window = new long[Words.MINI];
  private final int[] leftWindow = new int[Words.MINI];
  private final long[] rightWindow = new long[Words.MINI];
  private int[] lefts = new int[0];
  private long[] rights = new long[0];

  SplitWriter(StreamWriter child) {
    this.child = child;
  }

  /** Writes a payload: see {@link SplitReader}. */
  List<EncodingTree> write(Values values, int rightBits, ByteBuffer target) {
    int count = values.count();
    if (lefts.length < count) {
      lefts = new int[count];
      rights = new long[count];
    }
    int drop = drop(values, rightBits);
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, window);
      RealSplit.split(window, n, rightBits, drop, leftWindow, rightWindow);
      System.arraycopy(leftWindow, 0, lefts, from, n);
      System.arraycopy(rightWindow, 0, rights, from, n);
    }
    target.putInt(rightBits | drop << Byte.SIZE);
    EncodingTree leftsTree = child.write(Values.of(Kind.INT, lefts, count), target);
    return List.of(leftsTree, child.write(Values.of(Kind.LONG, rights, count), target));
  }

  /** The zero bits on which all right parts end. */
  private int drop(Values values, int rightBits) {
    int drop = rightBits;
    for (int from = 0; from < values.count() && drop > 0; from += Words.MINI) {
      int n = Math.min(Words.MINI, values.count() - from);
      values.load(from, n, window);
      drop = Math.min(drop, RealSplit.trailingZeros(window, n));
    }
    return drop;
  }
}
