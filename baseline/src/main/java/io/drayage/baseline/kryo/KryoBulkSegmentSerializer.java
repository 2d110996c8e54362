package io.drayage.baseline.kryo;

import static io.drayage.internal.Texts.format;

import com.esotericsoftware.kryo.io.Output;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.BulkValues;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;

/**
 * The bytes of {@link KryoSegmentSerializer} with fixed lengths, copied directly between the pages
 * and the buffer, without a dense array. The general serializer writes and reads texts.
 */
final class KryoBulkSegmentSerializer implements SegmentSerializer {
  private static final int MAX_HEAD_BYTES = 5;

  private final KryoSegmentSerializer general;
  private final BulkValues fixedWidth = new BulkValues();
  private final Output head = new Output(MAX_HEAD_BYTES);

  /**
   * @param general for texts, and for the maximum number of bytes
   */
  KryoBulkSegmentSerializer(KryoSegmentSerializer general) {
    this.general = general;
  }

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    return general.maxSerializedBytes(segment, content);
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    if (content instanceof RowBits bits) {
      putWords(bits, segment, target);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    if (!values.type().isFixedWidth()) {
      general.serialize(segment, content, target);
      return;
    }
    putHead(segment.rowCount(), target);
    fixedWidth.write(values, segment.firstRow(), segment.rowCount(), target);
    RowBits validity = values.validity();
    if (validity != null) {
      putWords(validity, segment, target);
    }
  }

  private void putWords(RowBits bits, Segment segment, ByteBuffer target) {
    long[] words = SegmentRows.words(bits, segment);
    putHead(words.length, target);
    target.asLongBuffer().put(words);
    target.position(target.position() + words.length * Long.BYTES);
  }

  private void putHead(int length, ByteBuffer target) {
    head.reset();
    head.writeVarInt(length + 1, true);
    target.put(head.getBuffer(), 0, head.position());
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    if (content instanceof RowBits bits) {
      SegmentRows.requireBytes(segment, source, wordBytes(segment));
      getWords(bits, segment, source);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    if (!values.type().isFixedWidth()) {
      general.deserialize(segment, source, content);
      return;
    }
    RowBits validity = values.validity();
    long valueBytes = segment.rowCount() * (long) values.type().widthBytes();
    // The lengths are known, and so is the number of bytes: no later check is needed.
    SegmentRows.requireBytes(
        segment,
        source,
        headBytes(segment.rowCount()) + valueBytes + (validity == null ? 0 : wordBytes(segment)));
    getHead(segment, source, segment.rowCount());
    fixedWidth.read(source, values, segment.firstRow(), segment.rowCount());
    if (validity != null) {
      getWords(validity, segment, source);
    }
  }

  private void getWords(RowBits bits, Segment segment, ByteBuffer source) throws ShipmentException {
    long[] words = new long[SegmentRows.wordCount(segment)];
    getHead(segment, source, words.length);
    source.asLongBuffer().get(words);
    source.position(source.position() + words.length * Long.BYTES);
    SegmentRows.putWords(words, bits, segment);
  }

  private void getHead(Segment segment, ByteBuffer source, int length) throws ShipmentException {
    head.reset();
    head.writeVarInt(length + 1, true);
    for (int i = 0; i < head.position(); i++) {
      if (source.get() != head.getBuffer()[i]) {
        throw new ShipmentException(
            Fault.DECODE,
            format("%s does not have an array of %,d elements where it belongs", segment, length));
      }
    }
  }

  private static long wordBytes(Segment segment) {
    int words = SegmentRows.wordCount(segment);
    return headBytes(words) + words * (long) Long.BYTES;
  }

  private static int headBytes(int length) {
    return Output.varIntLength(length + 1, true);
  }
}
