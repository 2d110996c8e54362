package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;

/**
 * Tells from a few runs of values whether it is worth a look at all of them: on a link about as
 * fast as the machine it mostly is not. The same values and options lead to the same answer. For
 * one thread.
 */
final class RawGate {
  private static final int RUNS = 8;
  private static final int RUN_VALUES = 128;

  private final double nsPerByte;
  private final boolean hasTail;
  private final BulkValues bulk;
  private final int[] window = new int[RUN_VALUES];
  private final long[] wideWindow = new long[RUN_VALUES];
  private int values;
  private int changes;
  private double bits;
  private double differenceBits;

  RawGate(ColumnarOptions options, BulkValues bulk) {
    this.nsPerByte = options.nsPerByte();
    this.hasTail = options.hasTail();
    this.bulk = bulk;
  }

  /** How sure it is that some rows had best be written as they are. */
  enum Answer {
    /** Whatever the values are. */
    CERTAINLY,
    /** Unless most of them are decimals, outliers or of a small domain. */
    PERHAPS,
    NO
  }

  /** Looks at runs spread over some rows of a column of fixed width. */
  Answer ask(ColumnValues column, long firstRow, long rowCount) {
    Kind kind = Kind.of(column.type());
    int width = column.type().widthBytes();
    if (hasTail || rowCount < RUN_VALUES) {
      return Answer.NO;
    }
    values = 0;
    changes = 0;
    bits = 0;
    differenceBits = 0;
    for (int run = 0; run < RUNS; run++) {
      long from = firstRow + run * ((rowCount - RUN_VALUES) / (RUNS - 1));
      look(new ColumnRows(column, from, RUN_VALUES, null, bulk), kind);
    }
    double raw = Costs.rawNsPerValue(width) + nsPerByte * width;
    double scanned = raw - Costs.scanNsPerValue();
    if (scanned > leastSampledNs(kind, width)) {
      return Answer.NO;
    }
    return scanned > leastHiddenNs(kind, width) ? Answer.PERHAPS : Answer.CERTAINLY;
  }

  private void look(ColumnRows rows, Kind kind) {
    if (kind.isWide()) {
      rows.load(0, RUN_VALUES, wideWindow);
    } else {
      rows.load(0, RUN_VALUES, window);
      for (int i = 0; i < RUN_VALUES; i++) {
        wideWindow[i] = window[i];
      }
    }
    long least = wideWindow[0];
    long most = least;
    long leastDifference = Long.MAX_VALUE;
    long mostDifference = Long.MIN_VALUE;
    for (int i = 1; i < RUN_VALUES; i++) {
      long difference = wideWindow[i] - wideWindow[i - 1];
      difference = kind.isWide() ? difference : (int) difference;
      least = Math.min(least, wideWindow[i]);
      most = Math.max(most, wideWindow[i]);
      leastDifference = Math.min(leastDifference, difference);
      mostDifference = Math.max(mostDifference, difference);
      changes += difference == 0 ? 0 : 1;
    }
    values += RUN_VALUES;
    bits += (double) Words.width(most - least) / RUNS;
    differenceBits += (double) Words.width(mostDifference - leastDifference) / RUNS;
  }

  /** The least that a value may cost in an encoding about which runs tell something. */
  private double leastSampledNs(Kind kind, int width) {
    double share = (double) changes / values;
    Encoding frame = width < Integer.BYTES ? Encoding.NARROW : Encoding.FOR;
    double ns = cost(frame, kind, width, bits / Byte.SIZE);
    ns = Math.min(ns, cost(Encoding.DELTA, kind, width, differenceBits / Byte.SIZE));
    double runsNs = cost(Encoding.RLE, kind, width, share * width) + share * Costs.nsPerRun();
    ns = Math.min(ns, runsNs);
    return changes == 0 ? Math.min(ns, cost(Encoding.CONST, kind, width, 0)) : ns;
  }

  /** The same for the others, which may make nothing of the values. */
  private double leastHiddenNs(Kind kind, int width) {
    double ns = cost(Encoding.PFOR, kind, width, 0);
    ns = Math.min(ns, cost(Encoding.DICT, kind, width, 0));
    return kind.isFloating() ? Math.min(ns, cost(Encoding.ALP, kind, width, 0)) : ns;
  }

  private double cost(Encoding encoding, Kind kind, int width, double bytes) {
    return Costs.nsPerValue(encoding, kind, width) + nsPerByte * bytes;
  }
}
