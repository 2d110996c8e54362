package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The numbers of rows of a part's segments, in the order of the rows.
 *
 * <p>On the wire, runs of equal segments are folded:
 *
 * <pre>
 *   0           4                   8
 *   +-----------+-------------------+------------------+
 *   | run count | segments in a run | rows per segment |
 *   | i32       | i32               | i32              |
 *   +-----------+-------------------+------------------+
 *               |&lt;--------- repeated run count times ---&gt;|
 * </pre>
 */
final class SegmentRuns {
  private static final int RUN_BYTES = 8;

  private SegmentRuns() {}

  /** Returns equal segments of {@code rowsPerSegment}; the last one has the remaining rows. */
  static int[] uniform(long rowCount, int rowsPerSegment) {
    int[] rows = new int[Math.toIntExact((rowCount + rowsPerSegment - 1) / rowsPerSegment)];
    Arrays.fill(rows, rowsPerSegment);
    if (rows.length > 0) {
      rows[rows.length - 1] = (int) (rowCount - (long) (rows.length - 1) * rowsPerSegment);
    }
    return rows;
  }

  /** Number of bytes that {@link #write} will write. */
  static int encodedBytes(int[] rowsOfSegments) {
    return Integer.BYTES + RUN_BYTES * runCount(rowsOfSegments);
  }

  private static int runCount(int[] rowsOfSegments) {
    int runs = 0;
    for (int i = 0; i < rowsOfSegments.length; i = endOfRun(rowsOfSegments, i)) {
      runs++;
    }
    return runs;
  }

  private static int endOfRun(int[] rowsOfSegments, int start) {
    int end = start + 1;
    while (end < rowsOfSegments.length && rowsOfSegments[end] == rowsOfSegments[start]) {
      end++;
    }
    return end;
  }

  static void write(int[] rowsOfSegments, ByteBuffer target) {
    target.putInt(runCount(rowsOfSegments));
    for (int i = 0; i < rowsOfSegments.length; i = endOfRun(rowsOfSegments, i)) {
      target.putInt(endOfRun(rowsOfSegments, i) - i).putInt(rowsOfSegments[i]);
    }
  }

  /**
   * Reads the numbers that {@link #write} wrote.
   *
   * @param maxSegments number of segments that the cargo may still have
   * @throws ShipmentException {@code LIMIT} beyond that, {@code MANIFEST} for a run with no or
   *     negative segments or rows
   */
  static int[] read(ByteBuffer source, int maxSegments) throws ShipmentException {
    int runs = source.getInt();
    if (runs < 0 || runs > source.remaining() / RUN_BYTES) {
      throw new ShipmentException(
          Fault.MANIFEST,
          format(
              "%,d runs of segments do not fit into the %,d bytes that follow",
              runs, source.remaining()));
    }
    long total = totalSegments(source, runs);
    if (total > maxSegments) {
      throw new ShipmentException(
          Fault.LIMIT, format("%,d segments exceed the limit of %,d", total, maxSegments));
    }
    int[] rowsOfSegments = new int[(int) total];
    int filled = 0;
    for (int r = 0; r < runs; r++) {
      int segments = source.getInt();
      Arrays.fill(rowsOfSegments, filled, filled + segments, source.getInt());
      filled += segments;
    }
    return rowsOfSegments;
  }

  private static long totalSegments(ByteBuffer source, int runs) throws ShipmentException {
    long total = 0;
    for (int r = 0; r < runs; r++) {
      int segments = source.getInt(source.position() + r * RUN_BYTES);
      int rows = source.getInt(source.position() + r * RUN_BYTES + Integer.BYTES);
      if (segments <= 0 || rows <= 0) {
        throw new ShipmentException(
            Fault.MANIFEST, format("a run of %,d segments of %,d rows", segments, rows));
      }
      total += segments;
    }
    return total;
  }
}
