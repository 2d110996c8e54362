package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;

/**
 * Finds the bin of most numbers by one look-up. The cells have equal widths over the range of most
 * numbers. If many bins share a few cells, the cells widen with the distance from the median
 * instead. Not thread-safe.
 */
final class BinCells {
  /** The result of {@link #binOf} if several bins share a cell, or there is no cell. */
  static final int SHARED = -1;

  private static final int CELL_BITS = 12;
  private static final int CELLS = 1 << CELL_BITS;

  /** The binary logarithm of the number of cells for a power of two, on one side of the middle. */
  private static final int STEP_BITS = 5;

  /** Number of cells on one side of the middle; distances have at most 62 bits. */
  private static final int SIDE = CELLS / 2;

  /** Widening cells are tried if more than one of so many probes is in a shared cell. */
  private static final int FEW = 16;

  private short[] cells = new short[CELLS];
  private short[] others = new short[CELLS];
  private long[] lower = new long[0];
  private int bins;
  private boolean widening;
  private long from;
  private int shift;
  private int used;

  /**
   * Divides the numbers from 0 on.
   *
   * @param newLower the minimum of each bin, ascending, the first 0
   * @param most the maximum
   * @param probes some numbers, ascending; most numbers are between the second and the last but one
   */
  void divide(long[] newLower, int newBins, long most, long[] probes, int number) {
    lower = newLower;
    bins = newBins;
    widening = false;
    from = probes[Math.min(1, number - 1)];
    long range = Math.max(from, probes[Math.max(0, number - 2)]) - from;
    shift = Math.max(0, Bits.width(range) - CELL_BITS);
    used = (int) (range >>> shift) + 1;
    int bin = 0;
    for (int cell = 0; cell < used; cell++) {
      bin = fill(cell, from + ((long) cell << shift), 1L << shift, bin);
    }
    int shared = shared(probes, number);
    if (shared * FEW > number) {
      tryWidening(most, probes, number, shared);
    }
  }

  /** Fills a cell, and returns the bin at its start. */
  private int fill(int cell, long least, long width, int before) {
    int bin = before;
    while (bin + 1 < bins && lower[bin + 1] <= least) {
      bin++;
    }
    boolean shared = bin + 1 < bins && lower[bin + 1] - least < width;
    cells[cell] = (short) (shared ? SHARED : bin);
    return bin;
  }

  private void tryWidening(long most, long[] probes, int number, int sharedNow) {
    swap();
    long fromNow = from;
    widening = true;
    from = probes[number / 2];
    int bin = 0;
    for (int side = cell(0) - SIDE; side >= 0; side--) {
      int step = step(side);
      bin = fill(SIDE + side, from - distance(side, step) - (1L << step), 1L << step, bin);
    }
    int last = cell(most);
    for (int side = 0; side <= last; side++) {
      int step = step(side);
      bin = fill(side, from + distance(side, step), 1L << step, bin);
    }
    if (shared(probes, number) >= sharedNow) {
      swap();
      widening = false;
      from = fromNow;
    }
  }

  private void swap() {
    short[] swapped = cells;
    cells = others;
    others = swapped;
  }

  private static int step(int side) {
    return Math.max(0, (side >> STEP_BITS) - 1);
  }

  /** The minimum distance from the middle of the numbers in a cell. */
  private static long distance(int side, int step) {
    return (long) (side - (step << STEP_BITS)) << step;
  }

  private int shared(long[] probes, int number) {
    int shared = 0;
    for (int i = 0; i < number; i++) {
      shared += binOf(probes[i]) < 0 ? 1 : 0;
    }
    return shared;
  }

  /** Returns the cell of a number among widening cells. */
  private int cell(long number) {
    long distance = number - from;
    long below = distance >> (Long.SIZE - 1);
    long size = distance ^ below;
    int step = Math.max(0, Bits.width(size) - STEP_BITS - 1);
    return (int) (below & SIDE) + (step << STEP_BITS) + (int) (size >>> step);
  }

  /** Returns the bin of a number, or {@link #SHARED}. */
  int binOf(long number) {
    if (widening) {
      return cells[cell(number)];
    }
    long cell = (number - from) >>> shift;
    return cell >= 0 && cell < used ? cells[(int) cell] : SHARED;
  }
}
