package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.integer.RepeatEncoding;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Ranges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides from a few runs of values whether estimates are worth their time. On a link that is about
 * as fast as the machine, they mostly are not. The same values and options lead to the same answer.
 * Not thread-safe.
 */
final class RawGate {
  private static final int RUNS = 8;
  private static final int RUN_VALUES = 128;

  /** The shortest pass over values, in nanoseconds each. Only raw values need no pass. */
  private static final double SCAN_NS = 0.5;

  private final double nsPerByte;
  private final boolean hasTail;
  private final Map<String, Encoding> encodings = new HashMap<>();
  private final BulkValues bulk;
  private final Ranges ranges = new Ranges();

  /**
   * @param candidates raw values first
   */
  RawGate(ColumnarOptions options, List<Encoding> candidates, BulkValues bulk) {
    this.nsPerByte = options.nsPerByte();
    this.hasTail = options.hasTail();
    this.bulk = bulk;
    candidates.forEach(encoding -> encodings.put(encoding.name(), encoding));
  }

  /** The chance that raw values are the best for some rows. */
  enum Chance {
    /** No other encoding can cost less. */
    CERTAINLY,
    /** Raw values are the best unless most values are decimals, have outliers or a small domain. */
    PERHAPS,
    NO
  }

  /** Whether raw values are certainly the best. Reads no value if that cannot be certain. */
  boolean isCertain(ColumnValues column, long firstRow, long rowCount) {
    return rawNs(column.type().widthBytes()) <= unseenNs(column)
        && ask(column, firstRow, rowCount) == Chance.CERTAINLY;
  }

  /** The cost of a raw value, minus the cost of the pass that every other encoding needs. */
  private double rawNs(int width) {
    return ns("RAW", width, width) - SCAN_NS;
  }

  private double ns(String encoding, int width, double bytes) {
    Encoding of = encodings.get(encoding);
    return of == null ? Double.MAX_VALUE : of.costs().ofValue(width) + nsPerByte * bytes;
  }

  /** The lowest cost of a value in the encodings that a few runs cannot bound. */
  private double unseenNs(ColumnValues column) {
    boolean isFloating = Kind.of(column.type()).isFloating();
    int width = column.type().widthBytes();
    double least = Double.MAX_VALUE;
    for (Encoding encoding : encodings.values()) {
      boolean isUnseen = encoding.costs().estimate() > 0 && !(encoding instanceof RepeatEncoding);
      if (isUnseen && (isFloating || !encoding.name().equals("ALP"))) {
        least = Math.min(least, encoding.costs().ofValue(width));
      }
    }
    return least;
  }

  /** Examines runs spread over some rows of a column of fixed width. */
  Chance ask(ColumnValues column, long firstRow, long rowCount) {
    if (hasTail || rowCount < RUN_VALUES) {
      return Chance.NO;
    }
    int width = column.type().widthBytes();
    double raw = rawNs(width);
    if (raw > seenNs(column, firstRow, rowCount, width)) {
      return Chance.NO;
    }
    return raw > unseenNs(column) ? Chance.PERHAPS : Chance.CERTAINLY;
  }

  /** The lowest cost of a value in the encodings that a few runs bound. */
  private double seenNs(ColumnValues column, long firstRow, long rowCount, int width) {
    double rangeBytes = 0;
    double differenceBytes = 0;
    double changes = 0;
    for (int run = 0; run < RUNS; run++) {
      long from = firstRow + run * ((rowCount - RUN_VALUES) / (RUNS - 1));
      ranges.scan(new ColumnRows(column, from, RUN_VALUES, null, bulk), false);
      rangeBytes += ranges.packedBytes(0) / (RUNS * RUN_VALUES);
      differenceBytes += ranges.packedBytes(1) / (RUNS * RUN_VALUES);
      changes += ranges.runs() - 1;
    }
    double share = changes / (RUNS * RUN_VALUES);
    double runNs = share * encodings.get("RLE").costs().item();
    double least = Math.min(ns("FOR", width, rangeBytes), ns("DELTA", width, differenceBytes));
    least = Math.min(least, ns("RLE", width, share * width) + runNs);
    least = width < Integer.BYTES ? Math.min(least, ns("NARROW", width, rangeBytes)) : least;
    return changes == 0 ? Math.min(least, ns("CONST", width, 0)) : least;
  }
}
