package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import java.util.List;

/**
 * A range of rows of one part of a cargo: the unit that is encoded, sent and decoded by itself.
 *
 * @param index the segment's number in its cargo, from 0
 * @param part the part that it belongs to
 * @param firstRow the first row, counted within the part
 * @param rowCount number of rows, at least one
 */
public record Segment(int index, Part part, long firstRow, int rowCount) {
  /** Maximum raw bytes of a segment. */
  public static final int MAX_RAW_BYTES = 4 << 20;

  /** Approximate raw bytes of the segment: its share of the part's, by rows. */
  public long estimatedRawBytes() {
    return (long) ((double) part.rawBytes() * rowCount / part.rowCount());
  }

  /** Approximate raw bytes of several segments together. */
  public static long estimatedRawBytes(List<Segment> run) {
    long bytes = 0;
    for (Segment segment : run) {
      bytes += segment.estimatedRawBytes();
    }
    return bytes;
  }

  @Override
  public String toString() {
    return format(
        "segment %,d (%s, rows %,d to %,d)", index, part, firstRow, firstRow + rowCount - 1);
  }
}
