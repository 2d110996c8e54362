package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/** Small columns that are like those of tables. Equal seeds give equal columns. */
enum SampleColumn {
  IDENTIFIERS,
  SKEWED_IDENTIFIERS,
  DRAWS,
  SMALL_DRAWS,
  BIT_SETS,
  SOUND,
  MESH,
  REPEATS,
  REPEATED_RECORDS,
  SHORT_RECORDS,
  SORTED,
  NEARLY_SORTED,
  RANDOM,
  NOISE,
  FLOAT_NOISE,
  DECIMALS,
  FLOAT_DECIMALS,
  FEW_DECIMALS,
  RUNS_OF_BYTES,
  TEMPLATES,
  WALK,
  TIMESTAMPS,
  TIMESTAMPS_WITH_JITTER,
  COARSE_TIMESTAMPS;

  /** Number of rows: enough for a preview. */
  private static final int ROWS = 100_000;

  private static final int ROWS_OF_RECORDS = 30_000;

  ColumnValues column(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return columnOf(
        switch (this) {
          case IDENTIFIERS -> random.ints(ROWS, 100_000, 300_000).toArray();
          case SKEWED_IDENTIFIERS -> ints(i -> 100_000 + 37 * skewed(random, 4_000));
          case DRAWS -> shorts(i -> skewed(random, 600));
          case SMALL_DRAWS -> bytes(i -> skewed(random, 30));
          case BIT_SETS -> longs(i -> (1L << random.nextInt(40)) | (1L << random.nextInt(12)));
          case SOUND -> bytes(i -> random.nextInt(2 << loudness(i)) - (1 << loudness(i)));
          case MESH -> ints(i -> i / 6 + (i % 3 == 0 ? 0 : random.nextInt(200)));
          case REPEATS -> repeats(random);
          case REPEATED_RECORDS -> records(random, 60, 100);
          case SHORT_RECORDS -> records(random, 6, 300);
          case SORTED -> random.ints(ROWS, 0, 10_000_000).sorted().toArray();
          case NEARLY_SORTED -> ints(i -> 50 * i + random.nextInt(400));
          case RANDOM -> random.longs(ROWS).toArray();
          case NOISE -> random.doubles(ROWS).toArray();
          case FLOAT_NOISE -> floats(i -> (float) random.nextDouble());
          case DECIMALS -> doubles(i -> (2_000 + i / 50 + random.nextInt(400)) / 100.0);
          case FLOAT_DECIMALS -> floats(i -> (random.nextInt(9_000) - 1_000) / 10f);
          case FEW_DECIMALS -> doubles(i -> (1 + skewed(random, 10)) / 2.0);
          case RUNS_OF_BYTES -> runs(random);
          case TEMPLATES -> templates(random);
          case WALK -> walk(random);
          case TIMESTAMPS -> longs(i -> 1_700_000_000_000L + 60_000L * i);
          case TIMESTAMPS_WITH_JITTER ->
              longs(i -> 1_700_000_000_000L + 60_000L * i + random.nextInt(900));
          case COARSE_TIMESTAMPS ->
              longs(i -> 1_700_000_000_000_000L + 1_000_000L * random.nextInt(1 << 20));
        });
  }

  /** A column of one page. */
  private static ColumnValues columnOf(Object page) {
    Object[] pages = (Object[]) Array.newInstance(page.getClass(), 1);
    pages[0] = page;
    return ColumnValues.of(pages);
  }

  /** Falls from 6 to 1. */
  private static int loudness(int row) {
    return 6 - row * 6 / ROWS;
  }

  /** Small numbers are frequent. */
  private static int skewed(SplittableRandom random, int bound) {
    return (int) (bound * StrictMath.pow(random.nextDouble(), 4));
  }

  /** A thousand values repeatedly, with one in a hundred replaced. */
  private static int[] repeats(SplittableRandom random) {
    int[] first = random.ints(1_000, 0, 1 << 20).toArray();
    return ints(i -> random.nextInt(100) == 0 ? random.nextInt(1 << 20) : first[i % 1_000]);
  }

  /** Some sequences of values, in any order. */
  private static int[] records(SplittableRandom random, int length, int number) {
    int[] all = random.ints((long) length * number, 0, 1 << 20).toArray();
    int[] values = new int[ROWS_OF_RECORDS];
    for (int at = 0; at < values.length; at += length) {
      int record = random.nextInt(number);
      System.arraycopy(all, record * length, values, at, Math.min(length, values.length - at));
    }
    return values;
  }

  /** Mostly one value for a while, then another. */
  private static byte[] runs(SplittableRandom random) {
    byte[] values = new byte[ROWS];
    for (int at = 0; at < ROWS; ) {
      int end = Math.min(ROWS, at + 1 + skewed(random, 120));
      Arrays.fill(values, at, end, (byte) (random.nextInt(4) == 0 ? 5 : 3));
      at = end;
    }
    return values;
  }

  /** Counts down repeatedly from one of some numbers. */
  private static short[] templates(SplittableRandom random) {
    short[] values = new short[ROWS];
    for (int at = 0; at < ROWS; ) {
      int from = 8 << random.nextInt(4);
      for (int i = from; i > 0 && at < ROWS; i--) {
        values[at++] = (short) (100 + i);
      }
    }
    return values;
  }

  private static short[] walk(SplittableRandom random) {
    short[] values = new short[ROWS];
    int value = 0;
    for (int i = 0; i < ROWS; i++) {
      value = value * 99 / 100 + random.nextInt(801) - 400;
      values[i] = (short) value;
    }
    return values;
  }

  private static int[] ints(IntUnaryOperator value) {
    int[] values = new int[ROWS];
    Arrays.setAll(values, value);
    return values;
  }

  private static long[] longs(IntToLongFunction value) {
    long[] values = new long[ROWS];
    Arrays.setAll(values, value);
    return values;
  }

  private static double[] doubles(IntToDoubleFunction value) {
    double[] values = new double[ROWS];
    Arrays.setAll(values, value);
    return values;
  }

  private static float[] floats(IntToDoubleFunction value) {
    float[] values = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      values[i] = (float) value.applyAsDouble(i);
    }
    return values;
  }

  private static short[] shorts(IntUnaryOperator value) {
    short[] values = new short[ROWS];
    for (int i = 0; i < ROWS; i++) {
      values[i] = (short) value.applyAsInt(i);
    }
    return values;
  }

  private static byte[] bytes(IntUnaryOperator value) {
    byte[] values = new byte[ROWS];
    for (int i = 0; i < ROWS; i++) {
      values[i] = (byte) value.applyAsInt(i);
    }
    return values;
  }
}
