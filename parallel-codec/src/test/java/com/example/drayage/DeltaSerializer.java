package com.example.drayage;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;

/**
 * Writes columns of longs without nulls, such as row ids, as steps of one byte if every step fits.
 * Writes all other columns as {@code raw} does.
 */
public final class DeltaSerializer implements Serializer {
  @Override
  public int id() {
    return 200; // 128 to 255 are for users
  }

  @Override
  public String name() {
    return "delta";
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new DeltaSegments(Serializers.ofName("raw").newSegmentSerializer());
  }

  /** The form of a segment is its first byte: 0 raw; 1 the first value and a byte for each step. */
  private record DeltaSegments(SegmentSerializer raw) implements SegmentSerializer {
    @Override
    public int maxSerializedBytes(Segment segment, PartContent content) {
      return 1 + raw.maxSerializedBytes(segment, content);
    }

    @Override
    public void serialize(Segment segment, PartContent content, ByteBuffer target) {
      if (hasByteSteps(segment, content)) {
        ColumnValues values = (ColumnValues) content;
        long previous = value(values, segment.firstRow());
        target.put((byte) 1).putLong(previous);
        for (int i = 1; i < segment.rowCount(); i++) {
          long next = value(values, segment.firstRow() + i);
          target.put((byte) (next - previous));
          previous = next;
        }
      } else {
        raw.serialize(segment, content, target.put((byte) 0));
      }
    }

    @Override
    public void deserialize(Segment segment, ByteBuffer source, PartContent content)
        throws ShipmentException {
      // The bytes come from a peer: check everything before use.
      int form = source.hasRemaining() ? source.get() : -1;
      if (form == 0) {
        raw.deserialize(segment, source, content);
      } else if (form == 1
          && isPlainLongs(content)
          && source.remaining() == Long.BYTES + segment.rowCount() - 1) {
        readSteps(segment, source, (ColumnValues) content);
      } else {
        throw new ShipmentException(
            Fault.DECODE, format("%s is in no known form (%d)", segment, form));
      }
    }

    private static void readSteps(Segment segment, ByteBuffer source, ColumnValues values) {
      long value = source.getLong();
      for (int i = 0; i < segment.rowCount(); i++) {
        value += i == 0 ? 0 : source.get();
        long row = segment.firstRow() + i;
        ((long[]) values.pageForWrite(values.pageOf(row)))[values.offsetOf(row)] = value;
      }
    }

    private static boolean isPlainLongs(PartContent content) {
      return content instanceof ColumnValues values
          && values.type() == ColumnType.LONG
          && values.validity() == null;
    }

    private static boolean hasByteSteps(Segment segment, PartContent content) {
      boolean fits = isPlainLongs(content);
      for (int i = 1; fits && i < segment.rowCount(); i++) {
        ColumnValues values = (ColumnValues) content;
        long step =
            value(values, segment.firstRow() + i) - value(values, segment.firstRow() + i - 1);
        fits = step == (byte) step;
      }
      return fits;
    }

    private static long value(ColumnValues values, long row) {
      return ((long[]) values.page(values.pageOf(row)))[values.offsetOf(row)];
    }
  }
}
