package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentChecks;
import io.drayage.columnar.decimal.Doubles;
import io.drayage.columnar.text.TextSamples;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/** What the fuzzer starts from: small segments in every encoding, a file each. */
final class FuzzSeeds {
  private static final int ROWS = 90;
  private static final long SEED = 1;

  private FuzzSeeds() {}

  /** Writes those that are missing in a folder. */
  static void writeMissing(Path folder) throws IOException {
    for (Doubles kind : Doubles.values()) {
      write(folder, "double-" + kind, ColumnValues.of(new double[][] {kind.make(ROWS, SEED)}));
    }
    for (TextSamples kind : TextSamples.values()) {
      int rows = kind == TextSamples.LONG_AND_SHORT ? 5 : ROWS;
      write(folder, "text-" + kind, ColumnValues.ofTexts(new String[][] {kind.make(rows, SEED)}));
    }
    for (Shape shape : Shape.values()) {
      write(folder, "long-" + shape, ColumnValues.of(new long[][] {shape.longs(ROWS, 20)}));
      write(folder, "int-" + shape, ColumnValues.of(new int[][] {shape.ints(ROWS, 7)}));
    }
    writeRest(folder);
    writeNarrow(folder);
    writeCompressedTexts(folder);
    writeUneven(folder);
  }

  /** Bytes and shorts: more than a block of them, as those are packed differently. */
  private static void writeNarrow(Path folder) throws IOException {
    int rows = 4_096 + ROWS;
    Random random = new Random(SEED);
    byte[] bytes = new byte[rows];
    short[] shorts = new short[rows];
    short[] repeated = new short[rows];
    boolean[] booleans = new boolean[rows];
    for (int row = 0; row < rows; row++) {
      bytes[row] = (byte) random.nextInt(4);
      shorts[row] = (short) (random.nextInt(3) - 9);
      repeated[row] = (short) (row % 52 * row % 17);
      booleans[row] = (random.nextInt(300) == 0) != (row > 0 && booleans[row - 1]);
    }
    write(folder, "byte-narrow", ColumnValues.of(new byte[][] {bytes}));
    write(folder, "short-narrow", ColumnValues.of(new short[][] {shorts}));
    write(folder, "short-repeated", ColumnValues.of(new short[][] {repeated}));
    write(folder, "boolean-runs", ColumnValues.of(new boolean[][] {booleans}));
  }

  /** For entropy coding: unevenly distributed values, differences and records. */
  private static void writeUneven(Path folder) throws IOException {
    int rows = 4_096 + ROWS;
    Random random = new Random(SEED);
    long[] values = new long[rows];
    int[] ascending = new int[rows];
    byte[] records = new byte[rows];
    byte[] skewed = new byte[rows];
    short[] steps = new short[rows];
    for (int row = 0; row < rows; row++) {
      values[row] = 1_000 * (long) (300 * random.nextGaussian());
      ascending[row] = (row > 0 ? ascending[row - 1] : 0) + (int) (9 * random.nextGaussian());
      records[row] = (byte) (row % 37 * random.nextInt(row % 37 < 30 ? 2 : 90));
    }
    for (int row = 0; row < rows; row++) {
      skewed[row] = (byte) (9 * random.nextGaussian());
      steps[row] =
          (short) ((row > 0 ? steps[row - 1] : 0) + (int) Math.pow(4 * random.nextGaussian(), 3));
    }
    write(folder, "long-uneven", ColumnValues.of(new long[][] {values}));
    write(folder, "int-uneven-steps", ColumnValues.of(new int[][] {ascending}));
    write(folder, "byte-skewed", ColumnValues.of(new byte[][] {skewed}));
    write(folder, "short-steps", ColumnValues.of(new short[][] {steps}));
    write(folder, "byte-records", ColumnValues.of(new byte[][] {records}));
  }

  /** Texts behind Zstandard, which are for links that are neither the slowest nor the fastest. */
  private static void writeCompressedTexts(Path folder) throws IOException {
    Random random = new Random(SEED);
    String[] comments = new String[ROWS];
    for (int row = 0; row < ROWS; row++) {
      comments[row] = format("the %d deposits sleep above order %d", random.nextInt(99), row);
    }
    write(folder, "text-compressed", ColumnValues.ofTexts(new String[][] {comments}));
  }

  private static void writeRest(Path folder) throws IOException {
    Random random = new Random(SEED);
    float[] floats = new float[ROWS];
    RowBits validity = RowBits.allSet(ROWS);
    RowBits some = new RowBits(ROWS);
    RowBits few = new RowBits(ROWS);
    for (int row = 0; row < ROWS; row++) {
      floats[row] = random.nextInt(900) / 10f;
      if (random.nextBoolean()) {
        some.set(row);
      }
      if (row % 40 == 3) {
        few.set(row);
        validity.clear(row);
      }
    }
    write(folder, "float-nullable", ColumnValues.of(new float[][] {floats}, validity));
    write(folder, "bits-some", some);
    write(folder, "bits-few", few);
    write(folder, "bits-none", new RowBits(ROWS));
  }

  private static void write(Path folder, String name, PartContent content) throws IOException {
    Path file = folder.resolve(name.toLowerCase(Locale.ROOT).replace('_', '-'));
    if (Files.exists(file)) {
      return;
    }
    boolean isValues = content instanceof ColumnValues;
    int rows = content instanceof ColumnValues v ? (int) v.rowCount() : ROWS;
    ByteBuffer bytes =
        SegmentChecks.bytes(
            new ColumnarSerializer(ColumnarOptions.of(ColumnarMode.DENSE)).newSegmentSerializer(),
            SegmentChecks.segment(content, 0, rows),
            content);
    byte[] input = new byte[FuzzedSegment.HEAD_BYTES + bytes.remaining()];
    input[0] = (byte) (isValues ? ((ColumnValues) content).type().id() : 0);
    input[1] = (byte) (isValues && ((ColumnValues) content).validity() != null ? 1 : 0);
    input[2] = (byte) (rows - 1);
    input[3] = (byte) ((rows - 1) >>> Byte.SIZE);
    bytes.get(input, FuzzedSegment.HEAD_BYTES, bytes.remaining());
    Files.write(file, input);
  }
}
