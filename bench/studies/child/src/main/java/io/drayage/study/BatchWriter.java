package io.drayage.study;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a batch of objects as columns of one page each, by a segment serializer of this project.
 * Not thread-safe.
 *
 * <pre>
 *   per column: type (i1), rows (i4), length (i4), segment
 * </pre>
 */
public final class BatchWriter implements AutoCloseable {
  private static final int HEADER_BYTES = 9;

  private final SegmentSerializer serializer;
  private ByteBuffer out = littleEndian(0);

  /** Makes a writer with the segment serializer of this name. */
  public BatchWriter(String serializer) {
    this.serializer = Serializers.ofName(serializer).newSegmentSerializer();
  }

  /** Returns the columns as bytes. */
  public byte[] write(List<ColumnValues> columns) {
    byte[] bytes = new byte[page(columns).remaining()];
    out.get(bytes);
    return bytes;
  }

  /** Returns the columns as bytes outside the heap, which the next call overwrites. */
  public ByteBuffer page(List<ColumnValues> columns) {
    out.clear();
    columns.forEach(this::put);
    return out.flip();
  }

  private void put(ColumnValues column) {
    int rows = Math.toIntExact(column.rowCount());
    Segment segment = segment(column.type(), rows, CargoSize.rawBytes(column));
    int most = HEADER_BYTES + serializer.maxSerializedBytes(segment, column);
    if (out.remaining() < most) {
      out = littleEndian(2 * out.capacity() + most).put(out.flip());
    }
    out.put((byte) column.type().id()).putInt(rows);
    int length = out.position();
    out.putInt(0);
    serializer.serialize(segment, column, out);
    out.putInt(length, out.position() - length - Integer.BYTES);
  }

  /** Reads the columns. */
  public List<ColumnValues> read(byte[] bytes) throws IOException {
    return read(littleEndian(bytes.length).put(bytes).flip());
  }

  /** Reads the columns from a buffer outside the heap, which stays as it is. */
  public List<ColumnValues> read(ByteBuffer page) throws IOException {
    ByteBuffer in = page.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    List<ColumnValues> columns = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        ColumnType type = ColumnType.ofId(in.get());
        int rows = in.getInt();
        int length = in.getInt();
        ByteBuffer segment = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        ColumnValues values = ColumnValues.allocate(type, rows, false);
        serializer.deserialize(segment(type, rows, length), segment, values);
        columns.add(values);
      }
    } catch (ShipmentException e) {
      throw new IOException(e);
    }
    return columns;
  }

  private static Segment segment(ColumnType type, int rows, long rawBytes) {
    Part part =
        new Part(0, "objects", PartKind.INSERTED_VALUES, "field", type, false, rows, rawBytes);
    return new Segment(0, part, 0, rows);
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() {
    serializer.close();
  }
}
