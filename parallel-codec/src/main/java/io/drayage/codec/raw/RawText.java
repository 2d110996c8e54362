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
import java.util.List;

/**
 * Texts as in memory, but with lengths in place of offsets, because lengths compress better:
 *
 * <pre>
 *   0                     4 * rows
 *   +---------------------+----------------------------+
 *   | length of each text | the texts                  |
 *   | i32 ...             | UTF-8                      |
 *   +---------------------+----------------------------+
 * </pre>
 */
final class RawText {
  private RawText() {}

  static void write(TextPage texts, ByteBuffer target) {
    List<TextRun> runs = texts.runs(0, texts.rows());
    int[] lengths = new int[texts.rows()];
    int row = 0;
    for (TextRun run : runs) {
      run.copyLengths(lengths, row);
      row += run.rows();
    }
    target.asIntBuffer().put(lengths);
    target.position(target.position() + lengths.length * Integer.BYTES);
    for (TextRun run : runs) {
      target.put(run.bytes(), run.start(0), run.byteCount());
    }
  }

  static TextPage read(Segment segment, ByteBuffer source) throws ShipmentException {
    int rows = segment.rowCount();
    if (source.remaining() < rows * (long) Integer.BYTES) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%s has %,d bytes, fewer than the lengths of its texts",
              segment, source.remaining()));
    }
    int[] offsets = new int[rows + 1];
    source.asIntBuffer().get(offsets, 1, rows);
    source.position(source.position() + rows * Integer.BYTES);
    long bytesOfAll = 0;
    for (int i = 1; i <= rows; i++) {
      if (offsets[i] < 0) {
        throw new ShipmentException(
            Fault.DECODE, format("%s: text %,d has %,d bytes", segment, i - 1, offsets[i]));
      }
      bytesOfAll += offsets[i];
      offsets[i] = (int) bytesOfAll;
    }
    SegmentRows.requireBytes(segment, source, bytesOfAll);
    byte[] bytes = new byte[offsets[rows]];
    source.get(bytes);
    try {
      return TextPage.of(bytes, offsets);
    } catch (IllegalTextException e) {
      throw SegmentRows.malformed(segment, e);
    }
  }
}
