package io.drayage.codec.raw;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TextPage;
import io.drayage.cargo.TextRun;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.ByteBuffer;

/**
 * Texts as they are in memory:
 *
 * <pre>
 *   0                  4 * rows
 *   +------------------+----------------------------+
 *   | end of each text | the texts                  |
 *   | i32 ...          | UTF-8                      |
 *   +------------------+----------------------------+
 * </pre>
 *
 * An end counts from the first text's begin.
 */
final class RawText {
  private RawText() {}

  static long bytes(TextPage texts) {
    return (long) texts.rows() * Integer.BYTES + texts.byteCount(0, texts.rows());
  }

  static void write(TextPage texts, ByteBuffer target) {
    int[] ends = new int[texts.rows()];
    int row = 0;
    int end = 0;
    for (TextRun run : texts.runs(0, texts.rows())) {
      run.copyEnds(end - run.start(0), ends, row);
      row += run.rows();
      end += run.byteCount();
    }
    target.asIntBuffer().put(ends);
    target.position(target.position() + ends.length * Integer.BYTES);
    for (TextRun run : texts.runs(0, texts.rows())) {
      target.put(run.bytes(), run.start(0), run.byteCount());
    }
  }

  static TextPage read(Segment segment, ByteBuffer source) throws ShipmentException {
    int rows = segment.rowCount();
    if (source.remaining() < rows * (long) Integer.BYTES) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%s has %,d bytes, fewer than the ends of its texts", segment, source.remaining()));
    }
    int[] offsets = new int[rows + 1];
    source.asIntBuffer().get(offsets, 1, rows);
    source.position(source.position() + rows * Integer.BYTES);
    SegmentRows.requireBytes(segment, source, offsets[rows]);
    byte[] bytes = new byte[offsets[rows]];
    source.get(bytes);
    try {
      return TextPage.of(bytes, offsets);
    } catch (IllegalTextException e) {
      throw SegmentRows.malformed(segment, e);
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.DECODE, "%s: %s".formatted(segment, e.getMessage()), e);
    }
  }
}
