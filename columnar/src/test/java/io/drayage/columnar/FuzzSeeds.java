package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentChecks;
import io.drayage.columnar.decimal.Doubles;
import io.drayage.columnar.text.TextSamples;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The seeds of the fuzzer: small segments of other tests' values, a file each. The other seeds in
 * the folder, of bits, narrow and uneven values, were written once.
 */
final class FuzzSeeds {
  private static final int ROWS = 90;
  private static final long SEED = 1;

  private FuzzSeeds() {}

  /** Writes the missing seeds of a folder. */
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
  }

  private static void write(Path folder, String name, ColumnValues values) throws IOException {
    Path file = folder.resolve(name.toLowerCase(Locale.ROOT).replace('_', '-'));
    if (Files.exists(file)) {
      return;
    }
    int rows = (int) values.rowCount();
    ByteBuffer bytes =
        SegmentChecks.bytes(
            new ColumnarSerializer(ColumnarOptions.of(ColumnarMode.DENSE)).newSegmentSerializer(),
            SegmentChecks.segment(values, 0, rows),
            values);
    byte[] input = new byte[FuzzedSegment.HEAD_BYTES + bytes.remaining()];
    input[0] = (byte) values.type().id();
    input[1] = (byte) (values.validity() == null ? 0 : 1);
    input[2] = (byte) (rows - 1);
    input[3] = (byte) ((rows - 1) >>> Byte.SIZE);
    bytes.get(input, FuzzedSegment.HEAD_BYTES, bytes.remaining());
    Files.write(file, input);
  }
}
