package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.integer.RawEncoding;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Glimpse;
import io.drayage.columnar.stream.Kind;
import java.util.List;

/**
 * Tells from a few runs of values whether it is worth a look at all of them: on a link about as
 * fast as the machine it mostly is not. The same values and options lead to the same answer. Not
 * thread-safe.
 */
final class RawGate {
  private static final int RUNS = 8;

  /** The shortest pass over values: everything but raw values needs one. */
  private static final double SCAN_NS = 0.5;

  private final double nsPerByte;
  private final boolean hasTail;
  private final List<Encoding> encodings;
  private final BulkValues bulk;
  private final Glimpse glimpse;

  /**
   * @param encodings what there is but raw values
   */
  RawGate(ColumnarOptions options, List<Encoding> encodings, BulkValues bulk) {
    this.nsPerByte = options.nsPerByte();
    this.hasTail = options.hasTail();
    this.encodings = encodings;
    this.bulk = bulk;
    this.glimpse = new Glimpse(nsPerByte);
  }

  /** How sure it is that some rows had best be written raw. */
  enum Chance {
    /** Whatever the values are. */
    CERTAINLY,
    /** Unless most of them are decimals, outliers or of a small domain. */
    PERHAPS,
    NO
  }

  /** Whether it is certain; without a look where it never is. */
  boolean isCertain(ColumnValues column, long firstRow, long rowCount) {
    begin(column);
    // Nothing was seen, which only what needs nothing cares for.
    encodings.forEach(encoding -> encoding.glimpse(glimpse));
    return scannedNs(column.type().widthBytes()) <= glimpse.unseenNs()
        && ask(column, firstRow, rowCount) == Chance.CERTAINLY;
  }

  private void begin(ColumnValues column) {
    glimpse.begin(Kind.of(column.type()), column.type().widthBytes());
  }

  private double scannedNs(int width) {
    return RawEncoding.nsPerValue(width) + nsPerByte * width - SCAN_NS;
  }

  /** Looks at runs spread over some rows of a column of fixed width. */
  Chance ask(ColumnValues column, long firstRow, long rowCount) {
    if (hasTail || rowCount < Glimpse.RUN_VALUES) {
      return Chance.NO;
    }
    begin(column);
    for (int run = 0; run < RUNS; run++) {
      long from = firstRow + run * ((rowCount - Glimpse.RUN_VALUES) / (RUNS - 1));
      glimpse.look(new ColumnRows(column, from, Glimpse.RUN_VALUES, null, bulk));
    }
    for (Encoding encoding : encodings) {
      encoding.glimpse(glimpse);
    }
    double scanned = scannedNs(column.type().widthBytes());
    if (scanned > glimpse.seenNs()) {
      return Chance.NO;
    }
    return scanned > glimpse.unseenNs() ? Chance.PERHAPS : Chance.CERTAINLY;
  }
}
