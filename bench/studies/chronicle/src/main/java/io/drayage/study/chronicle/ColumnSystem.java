package io.drayage.study.chronicle;

import io.drayage.cargo.ColumnValues;
import io.drayage.study.BatchWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A thousand objects at a time, one column for each field, by {@code raw} of this project. The time
 * includes the copies between objects and arrays.
 */
final class ColumnSystem implements MarketDataSystem {
  private static final int BATCH = 1_000;
  private static final int DOUBLES = 16;

  private final BatchWriter columns;
  private byte[] written = {};

  ColumnSystem() {
    columns = new BatchWriter("raw");
  }

  @Override
  public int objectsPerCall() {
    return BATCH;
  }

  @Override
  public MarketData newObject() {
    return new MarketData();
  }

  @Override
  public long write(MarketData data) {
    long[] ids = new long[BATCH];
    Arrays.fill(ids, data.securityId);
    long[] times = new long[BATCH];
    Arrays.fill(times, data.time);
    List<ColumnValues> values = new ArrayList<>();
    values.add(ColumnValues.of(new long[][] {ids}));
    values.add(ColumnValues.of(new long[][] {times}));
    for (double value : data.doubles()) {
      double[] column = new double[BATCH];
      Arrays.fill(column, value);
      values.add(ColumnValues.of(new double[][] {column}));
    }
    written = columns.write(values);
    return written.length;
  }

  /** Reads all objects; the last one stays in {@code data}. */
  @Override
  public MarketData read(MarketData data) throws IOException {
    List<ColumnValues> values = columns.read(written);
    long[] ids = (long[]) values.get(0).page(0);
    long[] times = (long[]) values.get(1).page(0);
    double[] doubles = new double[DOUBLES];
    for (int row = 0; row < BATCH; row++) {
      for (int field = 0; field < DOUBLES; field++) {
        doubles[field] = ((double[]) values.get(2 + field).page(0))[row];
      }
      data.fill(ids[row], times[row], doubles);
    }
    return data;
  }
}
