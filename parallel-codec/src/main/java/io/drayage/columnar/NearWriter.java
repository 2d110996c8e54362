package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.List;

/** Writes doubles as integers and residues. For one thread. */
final class NearWriter {
  private final StreamWriter child;
  private final long[] window = new long[Words.MINI];
  private long[] integers = new long[0];
  private long[] residues = new long[0];

  NearWriter(StreamWriter child) {
    this.child = child;
  }

  /** Writes a payload: see {@link NearReader}. */
  List<EncodingTree> write(Values values, int pair, ByteBuffer target) {
    int count = values.count();
    if (integers.length < count) {
      integers = new long[count];
      residues = new long[count];
    }
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      values.load(from, n, window);
      NearDecimals.encode(window, n, pair, integers, residues, from);
    }
    target.putInt(pair);
    EncodingTree integersTree = child.write(Values.of(Kind.LONG, integers, count), target);
    return List.of(integersTree, child.write(Values.of(Kind.LONG, residues, count), target));
  }
}
