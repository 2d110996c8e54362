package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import java.util.List;

/**
 * One part of a cargo over one range of rows: what is encoded, sent and decoded by itself.
 *
 * @param index the segment's number in its cargo, from 0
 * @param part what it is a piece of
 * @param firstRow the first row, counted within the part
 * @param rowCount the rows, at least one
 */
public record Segment(int index, Part part, long firstRow, int rowCount) {
  /** The most raw bytes of a segment. */
  public static final int MAX_RAW_BYTES = 4 << 20;

  /** About how many raw bytes the segment has: its share of the part's, by rows. */
  public long estimatedRawBytes() {
    return (long) ((double) part.rawBytes() * rowCount / part.rowCount());
  }

  /** About how many raw bytes some segments have together. */
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
